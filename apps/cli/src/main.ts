import { readFileSync } from "node:fs";
import type { Command } from "./command.ts";

interface Entry {
  about: string;
  /** Listed together with its kin in the help. */
  group?: "signal" | "ruling";
  load(): Promise<{ command: Command }>;
}

/** Every command, loaded only when it is used. */
const COMMANDS: Record<string, Entry> = {
  review: {
    about: "review a branch, the staged changes or the working tree",
    load: () => import("./review/command.ts"),
  },
  init: { about: "set up this repository", load: () => import("./init/command.ts") },
  trust: {
    about: "show the programs that this repository names, and allow or refuse them",
    load: () => import("./trust/command.ts"),
  },
  token: {
    about: "create tokens with which a program may make decisions that otherwise only a person may make",
    load: () => import("./token/command.ts"),
  },
  add: { about: "put a feature into the backlog", load: () => import("./add/command.ts") },
  run: { about: "run features: implement, review, fix, until they pass", load: () => import("./run/command.ts") },
  loop: { about: "review and fix the current branch until it is clean", load: () => import("./loop/command.ts") },
  story: {
    about: "run stories with a fresh reviewer every round, or show their state",
    load: () => import("./story/command.ts"),
  },
  epic: {
    about: "run epics (tickets in waves, scored reviews, a merge), or show their state",
    load: () => import("./epic/command.ts"),
  },
  unit: {
    about: "run units (tasks, an advisory review, a merge), or show their state",
    load: () => import("./unit/command.ts"),
  },
  pr: {
    about: "open pull requests for features, answer their feedback, merge them",
    load: () => import("./pr/command.ts"),
  },
  import: {
    about: "list the work items of a repository: epics, stories, units, features",
    load: () => import("./import/command.ts"),
  },
  serve: { about: "run the server for the board, CI and other tools", load: () => import("./serve/command.ts") },
  status: { about: "list every feature and its loop", load: () => import("./status/command.ts") },
  show: { about: "show the rounds, findings and decisions of one feature", load: () => import("./show/command.ts") },
  history: { about: "show the event log", load: () => import("./history/command.ts") },
  stats: {
    about: "show statistics: iterations, passes at the first review, issues by category, time saved, cost",
    load: () => import("./stats/command.ts"),
  },
  ...words(
    ["approve", "accept", "refine", "ready", "retry", "resume", "one-more", "take-over", "skip", "pause", "stop"],
    { group: "signal", load: async (name) => (await import("./signal/command.ts")).signalCommand(name) },
  ),
  ...words(["dismiss", "accept-risk", "defer", "reopen"], {
    group: "ruling",
    load: async (name) => (await import("./dispose/command.ts")).rulingCommand(name),
  }),
  notify: {
    about: "who tells you that a loop wants something, and whether it works",
    load: () => import("./notify/command.ts"),
  },
  export: { about: "print the certificate of a feature's last loop", load: () => import("./export/command.ts") },
  gc: {
    about: "remove workspaces, diffs and transcripts that no loop needs any more",
    load: () => import("./gc/command.ts"),
  },
  policies: { about: "show the five policies as a table, or as data", load: () => import("./policies/command.ts") },
  agents: {
    about: "the agents that can implement, review and fix, and whether they are ready",
    load: () => import("./agents/command.ts"),
  },
  doctor: {
    about: "show what is installed, what is missing and how to get it",
    load: () => import("./doctor/command.ts"),
  },
  demo: { about: "watch a whole loop on a small project with real flaws", load: () => import("./demo/command.ts") },
};

/** Commands that differ in one word. */
function words<const N extends string>(
  names: readonly N[],
  { group, load }: { group: NonNullable<Entry["group"]>; load(name: N): Promise<Command> },
): Record<string, Entry> {
  const entry = (name: N): Entry => ({ about: "", group, load: async () => ({ command: await load(name) }) });
  return Object.fromEntries(names.map((name) => [name, entry(name)]));
}

function named(group: Entry["group"]): string {
  const names = Object.keys(COMMANDS).filter((name) => COMMANDS[name]?.group === group);
  return names.join(" | ");
}

const HELP = `anneal: review loops over code that agents write

  anneal [-C FOLDER] COMMAND [options]

${Object.entries(COMMANDS)
  .filter(([, { group }]) => group === undefined)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join("\n")}

  Send a signal to a loop: anneal SIGNAL ID [--note TEXT]
    ${named("signal")}
  Rule on a finding: anneal RULING ID FINGERPRINT --reason TEXT
    ${named("ruling")}

  anneal COMMAND --help    what a command does, with examples
  anneal --version
  -C FOLDER                run as if started in FOLDER

Exit codes: 0 pass, 1 fail, 2 usage or configuration error, 3 inconclusive.
Environment: NO_COLOR switches colours off; ANNEAL_DEBUG=1 shows stack traces.
`;

export async function main(args: string[]): Promise<number> {
  process.stdout.on("error", onLostOutput);
  process.stderr.on("error", () => {});
  showOwnWarnings();
  // Node itself prefers FORCE_COLOR, and warns on standard error where both are set.
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
  if (args[0] === "-C") return await elsewhere(args[1], args.slice(2));
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v") return print(`${version()}\n`);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return await help(rest[0]);
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) return await unknown(name);
  try {
    const { command } = await entry.load();
    if (rest.includes("--help") || rest.includes("-h")) return print(command.help);
    return await command.run(rest);
  } catch (error) {
    return await complain(error, name);
  }
}

/** As git does it: everything happens in another folder. */
async function elsewhere(folder: string | undefined, args: string[]): Promise<number> {
  try {
    process.chdir(folder ?? "");
  } catch {
    process.stderr.write(`anneal: -C needs an existing folder, not ${JSON.stringify(folder ?? "")}\n`);
    return 2;
  }
  return await main(args);
}

async function help(name: string | undefined): Promise<number> {
  const entry = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return print(entry === undefined ? HELP : (await entry.load()).command.help);
}

async function unknown(name: string): Promise<number> {
  const { harmlessLine } = await import("./style.ts");
  const known = Object.keys(COMMANDS).join(", ");
  process.stderr.write(`anneal: unknown command "${harmlessLine(name)}"; known: ${known}. See anneal --help.\n`);
  return 2;
}

/** One line for a person; the whole story under ANNEAL_DEBUG. */
async function complain(error: unknown, name: string): Promise<number> {
  const [{ exitCodeOf, messageOf }, { harmlessLine }] = await Promise.all([
    import("./errors.ts"),
    import("./style.ts"),
  ]);
  if (process.env.ANNEAL_DEBUG) console.error(error);
  process.stderr.write(`anneal ${name}: ${harmlessLine(messageOf(error, name))}\n`);
  return exitCodeOf(error);
}

/** What the engine has to say to whoever runs it, as one line like any other; Node's own warnings stay as they are. */
function showOwnWarnings(): void {
  const others = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", async (warning) => {
    if (warning.name !== "Anneal") for (const show of others) show(warning);
    else process.stderr.write(`anneal: ${(await import("./style.ts")).harmlessLine(warning.message)}\n`);
  });
}

/** A reader that left early or a terminal that was closed is fine; a disk that is full means that nobody got the result. */
function onLostOutput(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE" || (error.code === "EIO" && process.stdout.isTTY)) return;
  process.stderr.write(`anneal: cannot write the result: ${error.message}\n`);
  process.exit(2);
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
