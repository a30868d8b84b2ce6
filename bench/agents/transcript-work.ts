import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeAgent } from "@anneal/adapters/claude";

/** What this process holds at the most while it reads a transcript of that many MB, printed by a program that is no agent. */
export async function readTranscript([dir = "", megabytes = ""]: string[]) {
  const program = join(dir, "prints.mjs");
  writeFileSync(program, PROGRAM);
  const agent = claudeAgent({ command: [process.execPath, program], env: { MEGABYTES: megabytes } });
  let events = 0;
  const onEvent = () => void events++;
  const began = performance.now();
  const request = { role: "reviewer", prompt: "", cwd: dir, limits: { timeoutMs: 120_000 }, onEvent } as const;
  const run = await agent.run(request, new AbortController().signal);
  const ms = performance.now() - began;
  if (run.status !== "finished") throw new Error(`the transcript was not read to its end: ${run.error}`);
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return { peakMb: Number(peak) / 1_024, ms, events };
}

/** Waits for its reader, as a program with a pipe does. */
const PROGRAM = `
import { once } from "node:events";
const words = "All work and no play. ".repeat(200);
const say = async (line) => {
  if (!process.stdout.write(JSON.stringify(line) + "\\n")) await once(process.stdout, "drain");
};
await say({ type: "system", subtype: "init", model: "none" });
const wanted = Number(process.env.MEGABYTES) * 1024 * 1024;
for (let sent = 0, id = 0; sent < wanted; sent += 2 * words.length, id++) {
  await say({ type: "assistant", message: { content: [{ type: "text", text: words }, { type: "tool_use", id: String(id), name: "Read", input: {} }] } });
  await say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: String(id), content: words }] } });
}
await say({ type: "result", subtype: "success", is_error: false, stop_reason: "end_turn", result: "Done.", usage: {} });
`;
