import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Argv } from "@anneal/system/programs/command";
import { quoted, type ShellLine } from "./shell-line.ts";

/**
 * The line that a package manager gives to a shell: the script that a command names in the folder's package.json, with those that run
 * before and after it. Null for a command that runs no script.
 */
export async function scriptLine(argv: Argv, folder: string): Promise<ShellLine | { unknown: string } | null> {
  const [program, ...words] = argv;
  const within = words.find((word) => basename(word) !== "npx" && Object.hasOwn(MANAGERS, basename(word)));
  const manager = MANAGERS[basename(program)];
  if (manager === undefined && within !== undefined)
    return { unknown: notKnown(argv, `${within} is run by another program`) };
  if (basename(program) === "node" && words.some((word) => /^--run(?:=|$)/.test(word)))
    return { unknown: notKnown(argv, "it runs a script") };
  if (manager === undefined) return null;
  const elsewhere = manager.own(words).find((word) => ELSEWHERE.test(word));
  if (elsewhere !== undefined)
    return { unknown: notKnown(argv, `with ${elsewhere} it may run several scripts or packages`) };

  const [first = "", second = "", ...more] = words.filter((word) => !QUIET.test(word));
  if (CALL.test(/^(?:exec|x)$/.test(first) ? second : first))
    return { unknown: notKnown(argv, "one of its arguments is a whole command line") };
  const isRun = RUN.test(first);
  if (basename(program) !== "npx" && /^-/.test(isRun ? second : first))
    return { unknown: notKnown(argv, "its options come before the script's name") };
  const [name, args] = isRun ? [second, more] : [manager.short[first] ?? first, [second, ...more]];
  if (!isRun && manager.short[first] === undefined && !manager.runsByName) {
    const isOther = basename(program) !== "npm" || NO_SCRIPT.test(first);
    return isOther ? null : { unknown: notKnown(argv, `${first} may run scripts`) };
  }
  const scripts = await scriptsIn(folder);
  if (scripts === null) return { unknown: notKnown(argv, "its folder has no readable package.json") };
  const script = scripts[name];
  if (script === undefined) return isRun ? { unknown: notKnown(argv, `package.json has no script ${name}`) } : null;
  const given = args.filter((arg) => arg !== "--" && arg !== "");
  const line = [scripts[`pre${name}`], [script, quoted(given)].join(" ").trim(), scripts[`post${name}`]];
  const runs: Argv | null = manager.runsLines ? [program, "exec", "-c"] : null;
  return { text: line.filter((one) => one !== undefined).join(" && "), runs, endsAtFailure: false };
}

/** The script that a command names, where the folder's package.json has none of that name. */
export async function missingScript(argv: Argv, folder: string): Promise<string | null> {
  const [program, ...words] = argv;
  const manager = MANAGERS[basename(program)];
  if (manager === undefined || manager.own(words).some((word) => ELSEWHERE.test(word))) return null;
  const [first = "", second = ""] = words.filter((word) => !QUIET.test(word));
  const name = RUN.test(first) ? second : (manager.short[first] ?? "");
  if (name === "" || name.startsWith("-") || words.includes("--if-present")) return null;
  const scripts = await scriptsIn(folder);
  return scripts?.[name] === undefined ? name : null;
}

interface Manager {
  /** Those of the words that are not for the script. */
  own(words: string[]): string[];
  /** Its commands that run a script, and the script's name. */
  short: Record<string, string>;
  /** Any other word may be a script's name. */
  runsByName: boolean;
  /** `exec -c` runs a line as it runs scripts. */
  runsLines: boolean;
}

const upToDashes = (words: string[]) => words.slice(0, [...words, "--"].indexOf("--"));
const upToName = (words: string[]) => words.slice(0, words.findIndex((word) => !/^(?:-|run$)/.test(word)) + 1);
const common = { test: "test", start: "start", stop: "stop", restart: "restart" };
const MANAGERS: Record<string, Manager> = {
  npm: { own: upToDashes, short: { ...common, t: "test", tst: "test" }, runsByName: false, runsLines: true },
  pnpm: { own: upToName, short: { ...common, t: "test" }, runsByName: true, runsLines: true },
  yarn: { own: upToName, short: common, runsByName: true, runsLines: false },
  npx: { own: () => [], short: {}, runsByName: false, runsLines: false },
  bun: { own: upToName, short: {}, runsByName: false, runsLines: false },
};
const CALL = /^(?:-c|--call|--shell-mode)(?:=|$)/;
const RUN = /^(?:run|run-script)$/;
/** What npm does itself, or has another program do. */
const NO_SCRIPT = /^(?:exec|x|ci|install|i|audit|ls|outdated)$/;
const QUIET = /^(?:-s|-q|--silent|--quiet|--if-present)$/;
const ELSEWHERE =
  /^(?:-w|-ws|-r|-F|-C|--(?:ws|workspaces?|recursive|filter|prefix|dir|cwd|include-workspace-root)(?:=.*)?|workspaces?)$/;

function notKnown(argv: Argv, why: string): string {
  const advice = "let the test command name the programs themselves, joined by && or ;";
  return `\`${quoted(argv)}\` may have stopped before its last program, and nobody can tell, because ${why}: ${advice}`;
}

async function scriptsIn(folder: string): Promise<Record<string, string> | null> {
  try {
    const found: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const scripts = typeof found === "object" && found !== null && "scripts" in found ? found.scripts : {};
    if (typeof scripts !== "object" || scripts === null) return {};
    return Object.fromEntries(Object.entries(scripts).filter((entry) => typeof entry[1] === "string"));
  } catch {
    return null;
  }
}
