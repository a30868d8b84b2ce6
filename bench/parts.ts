import { spawnSync } from "node:child_process";
import { join } from "node:path";

// Each part runs in a process of its own: what one of them loads or leaves in memory must not count for another.
const PARTS = {
  round: async (args: string[]) => (await import("./loops/round-work.ts")).rounds(args),
  update: async (args: string[]) => (await import("./loops/update-work.ts")).updates(args),
  events: async (args: string[]) => (await import("./loops/events-work.ts")).perEvent(args),
  fixture: async (args: string[]) => (await import("./loops/waiting-project.ts")).makeWaitingProject(args),
  owner: async (args: string[]) => (await import("./loops/owner-work.ts")).idleOwner(args),
  restart: async (args: string[]) => (await import("./loops/owner-work.ts")).restart(args),
  "agent-run": async (args: string[]) => (await import("./agents/agent-run.ts")).agentRuns(args),
  "agent-transcript": async (args: string[]) => (await import("./agents/transcript-work.ts")).readTranscript(args),
  "server-events": async (args: string[]) => (await import("./server/events-work.ts")).deliver(args),
  analytics: async (args: string[]) => (await import("./analytics/tally-work.ts")).countedAppends(args),
  "server-items": async (args: string[]) => (await import("./server/items-work.ts")).serveItems(args),
  "ui-board": async (args: string[]) => (await import("./ui/board-work.ts")).boards(args),
  "ui-large": async (args: string[]) => (await import("./ui/large-work.ts")).largeThings(args),
  workspace: async (args: string[]) => (await import("./workspaces/work.ts")).prepared(args),
  "workspace-gc": async (args: string[]) => (await import("./workspaces/work.ts")).collected(args),
  commands: async (args: string[]) => (await import("./commands/run-work.ts")).commandCosts(args),
  bare: async (args: string[]) => (await import("./loops/bare-read.ts")).bareRead(args),
};

type Part = keyof typeof PARTS;
type Result<P extends Part> = Awaited<ReturnType<(typeof PARTS)[P]>>;

/** Plays a part in this process and prints what it measured. */
export async function playPart(name: string, args: string[]): Promise<void> {
  const part = Object.entries(PARTS).find(([known]) => known === name)?.[1];
  if (part === undefined) throw new Error(`there is no part ${name} of the bench`);
  process.stdout.write(JSON.stringify((await part(args)) ?? null));
}

/** Plays a part in a process of its own. */
export function startPart<P extends Part>(name: P, ...args: (string | number)[]): Result<P> {
  const script = join(import.meta.dirname, "run.ts");
  const argv = [script, "--part", name, ...args.map(String)];
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    NODE_OPTIONS: "--disable-warning=ExperimentalWarning",
    ANNEAL_TRUST: "all",
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { env, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`the part ${name} ended with ${status}: ${stderr.trim().slice(0, 2_000)}`);
  return JSON.parse(stdout);
}
