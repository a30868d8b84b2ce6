// A small agent that speaks the Agent Client Protocol and does what a plan file says. It is started as a program.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type AgentContext,
  agent,
  methods,
  ndJsonStream,
  RequestError,
  type RequestPermissionRequest,
} from "@agentclientprotocol/sdk/unstable";

/** What one run does, in order. */
export type Act =
  | { say: string }
  | { think: string }
  | { tool: { id: string; kind?: string; title?: string } }
  | { done: string }
  /** Writes by itself, past the client. */
  | { write: Record<string, string> }
  /** Asks for permission, then writes by itself if it is given. */
  | { ask: { kind?: string; paths: string[]; options?: string[]; title?: string }; writes?: Record<string, string> }
  | { clientWrite: { path: string; text: string } }
  | { clientRead: { path: string; line?: number; limit?: number } }
  | { raw: string }
  | { leave: "sleep" }
  | { env: string }
  /** Reads by itself, past the client. */
  | { cat: string }
  | { complain: string }
  | { hang: true }
  | { exit: number }
  | { fail: { code: number; message: string; data?: unknown } };

export interface StandInRun {
  acts: Act[];
  stop?: string;
  usage?: object;
  meta?: object;
  cost?: object;
  /** What `session/new` answers besides the id, or its error. */
  session?: object;
  auth?: "required";
}

const [, , planFile = ""] = process.argv;
const { runs, turnFile }: { runs: StandInRun[]; turnFile: string } = JSON.parse(readFileSync(planFile, "utf8"));
const run = runs[nextTurn()] ?? { acts: [] };
let cwd = "";

agent({ name: "stand-in" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (run.auth === "required") throw RequestError.authRequired();
    cwd = params.cwd;
    return { sessionId: "s1", ...run.session };
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    if (!("value" in params) || params.value !== "known-model")
      throw RequestError.invalidParams(undefined, "no such value");
    return { configOptions: [] };
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const [first] = params.prompt;
    for (const act of run.acts) await perform(act, client, first?.type === "text" ? first.text : "");
    if (run.cost !== undefined)
      await update(client, { sessionUpdate: "usage_update", used: 1, size: 2, cost: run.cost });
    return {
      stopReason: (run.stop ?? "end_turn") as "end_turn",
      ...(run.usage === undefined ? {} : { usage: run.usage as never }),
      ...(run.meta === undefined ? {} : { _meta: run.meta as Record<string, unknown> }),
    };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>));

/** Where it cannot write, as reviewer, every run is the first. */
function nextTurn(): number {
  try {
    const turn = Number(readFileSync(turnFile, "utf8"));
    writeFileSync(`${turnFile}.new`, String(turn + 1));
    renameSync(`${turnFile}.new`, turnFile);
    return turn;
  } catch {
    return 0;
  }
}

async function perform(act: Act, client: AgentContext, prompt: string): Promise<void> {
  if ("say" in act) return await say(client, act.say.replace("{prompt}", String(prompt.length)));
  if ("think" in act) return await update(client, { sessionUpdate: "agent_thought_chunk", content: text(act.think) });
  if ("tool" in act) {
    const { id, kind, title = "a tool" } = act.tool;
    return await update(client, { sessionUpdate: "tool_call", toolCallId: id, title, ...(kind && { kind }) });
  }
  if ("done" in act) {
    return await update(client, { sessionUpdate: "tool_call_update", toolCallId: act.done, status: "completed" });
  }
  if ("write" in act) return await writeAll(act.write, client);
  if ("ask" in act) return await ask(act, client);
  if ("clientWrite" in act) {
    const { path, text: content } = act.clientWrite;
    const write = client.request(methods.client.fs.writeTextFile, {
      sessionId: "s1",
      path: resolve(cwd, path),
      content,
    });
    return await tried(client, `client write ${path}`, write);
  }
  if ("clientRead" in act) {
    const { path, ...lines } = act.clientRead;
    const read = client.request(methods.client.fs.readTextFile, {
      sessionId: "s1",
      path: resolve(cwd, path),
      ...lines,
    });
    return await tried(
      client,
      `client read ${path}`,
      read.then(({ content }) => content),
    );
  }
  if ("raw" in act) return void process.stdout.write(act.raw);
  if ("leave" in act) return void spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref();
  if ("env" in act) return await say(client, process.env[act.env] ?? "(unset)");
  if ("cat" in act) return await say(client, `${contentOf(act.cat)}\n`);
  if ("complain" in act) return void process.stderr.write(act.complain);
  if ("fail" in act) throw new RequestError(act.fail.code, act.fail.message, act.fail.data);
  if ("exit" in act) process.exit(act.exit);
  await new Promise(() => setInterval(() => {}, 60_000));
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return `(${String((error as NodeJS.ErrnoException).code)})`;
  }
}

async function ask(act: Extract<Act, { ask: unknown }>, client: AgentContext): Promise<void> {
  const { kind, paths, title = "change", options = ["allow_always", "allow_once", "reject_once"] } = act.ask;
  const request: RequestPermissionRequest = {
    sessionId: "s1",
    toolCall: {
      toolCallId: "asked",
      title,
      ...(kind === undefined ? {} : { kind: kind as "edit" }),
      locations: paths.map((path) => ({ path: resolve(cwd, path) })),
    },
    options: options.map((one) => ({ optionId: one, name: one, kind: one as "allow_once" })),
  };
  const { outcome } = await client.request(methods.client.session.requestPermission, request);
  const answer = outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
  await say(client, `${title}: ${answer}\n`);
  if (answer.startsWith("allow")) await writeAll(act.writes ?? {}, client);
}

async function writeAll(files: Record<string, string>, client: AgentContext): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const write = async () => {
      mkdirSync(dirname(resolve(cwd, path)), { recursive: true });
      writeFileSync(resolve(cwd, path), content);
    };
    await tried(client, `write ${path}`, write(), "quiet");
  }
}

async function tried(client: AgentContext, what: string, act: Promise<unknown>, when?: "quiet"): Promise<void> {
  const result = await act.then(
    (value) => `ok ${typeof value === "string" ? value : ""}`,
    (error: Error) => `refused ${error.message}`,
  );
  if (when === undefined) await say(client, `${what}: ${result}\n`);
}

async function say(client: AgentContext, words: string): Promise<void> {
  // In small pieces, as models speak.
  for (const piece of words.match(/[\s\S]{1,4000}/g) ?? []) {
    await update(client, { sessionUpdate: "agent_message_chunk", content: text(piece) });
  }
}

async function update(
  client: AgentContext,
  change: { sessionUpdate: string; [field: string]: unknown },
): Promise<void> {
  await client.notify(methods.client.session.update, { sessionId: "s1", update: change as never });
}

function text(words: string) {
  return { type: "text" as const, text: words };
}
