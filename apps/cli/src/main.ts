import { readFileSync } from "node:fs";

/** What a command promises: it reads its own arguments and answers with an exit code. */
export interface Command {
  help: string;
  run(args: string[]): Promise<number>;
}

interface Entry {
  about: string;
  load(): Promise<{ command: Command }>;
}

/** Every command, loaded only when it is used. */
const COMMANDS: Record<string, Entry> = {
  review: {
    about: "judge a branch, the staged changes or the working tree",
    load: () => import("./review/command.ts"),
  },
  policies: { about: "show the five policies as a table, or as data", load: () => import("./policies/command.ts") },
  doctor: {
    about: "show what is installed, what is missing and how to get it",
    load: () => import("./doctor/command.ts"),
  },
  demo: { about: "watch a whole loop on a small project with real flaws", load: () => import("./demo/command.ts") },
};

const HELP = `anneal: review loops over code that agents write

  anneal [-C FOLDER] COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join("\n")}

  anneal COMMAND --help    what a command does, with examples
  anneal --version
  -C FOLDER                run as if started in FOLDER

Exit codes: 0 pass, 1 fail, 2 usage or configuration error, 3 inconclusive.
Environment: NO_COLOR switches colours off; ANNEAL_DEBUG=1 shows stack traces.
`;

export async function main(args: string[]): Promise<number> {
  process.stdout.on("error", ignoreClosedPipe);
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
    process.stderr.write(`anneal: -C needs a folder that exists, not ${JSON.stringify(folder ?? "")}\n`);
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

/** A reader such as `head` may have seen enough; the exit code still tells the verdict. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
