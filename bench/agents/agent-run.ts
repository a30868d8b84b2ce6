import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Agent } from "@anneal/adapters";
import { claudeAgent } from "@anneal/adapters/claude";
import { codexAgent } from "@anneal/adapters/codex";
import { startScriptedModel } from "@anneal/scripted-model";
import { realCli } from "../../libs/adapters/src/testing/real-clis.ts";
import { git } from "../scratch.ts";

const PROMPT = "Look at this change, and say what is wrong with it.\n".repeat(200);
const KEY = "sk-bench-0123456789-not-a-key";

/** How long a review takes through the adapter, and the same program spawned bare, in ms, in turn. */
export async function agentRuns([dir = "", name = "", runs = ""]: string[]): Promise<{
  ours: number[];
  bare: number[];
}> {
  await using model = await startScriptedModel({ steps: [{ text: "Nothing." }], repeatLast: true });
  const cwd = join(dir, "tree");
  mkdirSync(cwd);
  git(cwd, "init", "--quiet");
  const program = realCli(name);
  const env = name === "codex" ? codexEnv(dir, model.url) : claudeEnv(dir, model.url);
  const make = name === "codex" ? codexAgent : claudeAgent;
  // The box shows it nothing of the temporary folder otherwise.
  const call = await recorded(dir, (command) => make({ command, env, writable: [dir] }), cwd);
  const agent = make({ command: [program], env });
  const times = { ours: [] as number[], bare: [] as number[] };
  const acts = { ours: () => review(agent, cwd), bare: () => spawned(program, call, cwd) };
  for (let run = 0; run <= Number(runs); run++) {
    // Each is first as often as the other.
    const order = run % 2 === 0 ? (["ours", "bare"] as const) : (["bare", "ours"] as const);
    for (const one of order) times[one].push(await timed(acts[one]));
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  // The first of each is not counted: it fills caches.
  return { ours: times.ours.slice(1), bare: times.bare.slice(1) };
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function review(agent: Agent, cwd: string): Promise<void> {
  const request = { role: "reviewer", prompt: PROMPT, cwd, limits: { timeoutMs: 120_000 } } as const;
  const run = await agent.run(request, new AbortController().signal);
  if (run.status !== "finished") throw new Error(`${agent.name}: ${run.error}`);
}

interface Call {
  args: string[];
  env: Record<string, string>;
}

/** With what the adapter starts its program, told by one that only writes it down. */
async function recorded(dir: string, make: (command: readonly [string, string]) => Agent, cwd: string): Promise<Call> {
  const [recorder, file] = [join(dir, "recorder.mjs"), join(dir, "call.json")];
  const call = "JSON.stringify({ args: process.argv.slice(2), env: process.env })";
  writeFileSync(
    recorder,
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(file)}, ${call});\n`,
  );
  await make([process.execPath, recorder]).run(
    { role: "reviewer", prompt: PROMPT, cwd, limits: { timeoutMs: 60_000 } },
    new AbortController().signal,
  );
  return JSON.parse(readFileSync(file, "utf8")) as Call;
}

async function spawned(program: string, { args, env }: Call, cwd: string): Promise<void> {
  // The folder of a run is gone after it.
  const folders = args.filter((word) => word.includes("/anneal-agent-")).map(dirname);
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.end(PROMPT);
  child.stdout.resume();
  const code = await new Promise((resolve) => child.on("close", resolve));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`${program} ended with ${code} when spawned bare`);
}

function claudeEnv(dir: string, url: string): Record<string, string> {
  const home = join(dir, "home");
  mkdirSync(home);
  return { HOME: home, CLAUDE_CONFIG_DIR: home, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY };
}

function codexEnv(dir: string, url: string): Record<string, string> {
  const [home, temporary] = [join(dir, "codex"), join(dir, "tmp")];
  for (const folder of [home, temporary]) mkdirSync(folder);
  const provider = `name = "mock"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "MOCK_API_KEY"\n`;
  const config = `model = "gpt-5.5"\nmodel_provider = "mock"\n\n[model_providers.mock]\n${provider}`;
  writeFileSync(join(home, "config.toml"), config);
  return { HOME: dir, CODEX_HOME: home, TMPDIR: temporary, MOCK_API_KEY: KEY };
}
