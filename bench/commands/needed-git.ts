import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { edit } from "./project.ts";

interface Command {
  /** What a feature could not know or promise without it. */
  why: string;
  /** The user's repository, the feature's private clone, or the copy that its reviewer reads. */
  in: "user" | "work" | "copy";
  args: readonly string[];
  /** Names what it prints, for the arguments of later commands. */
  gives?: string;
}

const user = (why: string, ...args: string[]): Command => ({ why, in: "user", args });
const work = (why: string, ...args: string[]): Command => ({ why, in: "work", args });
const copy = (why: string, ...args: string[]): Command => ({ why, in: "copy", args });
const giving = (gives: string, command: Command): Command => ({ ...command, gives });
const FETCH = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
const look = (when: string): Command[] => [
  copy(`${when} the reviewer: all files`, "add", "--all"),
  copy(`${when} the reviewer: their tree`, "write-tree"),
  copy(`${when} the reviewer: ignored files`, "ls-files", "--others", "--ignored", "--exclude-standard", "-z"),
];

/** Every git command without which a feature of one round would promise less, in order. `$name` is what is known by then. */
const NEEDED: readonly (Command | "agent")[] = [
  user("a repository of its own", "clone", "--quiet", "--local", "--no-checkout", ".", "$work"),
  work("its files, on its branch", "checkout", "--quiet", "-b", "$branch", "$base"),
  "agent",
  work("what the agent made", "add", "--all"),
  giving("tree", work("as a tree", "write-tree")),
  giving(
    "commit",
    work("a commit by recorded tree and parent", "commit-tree", "$tree", "-p", "$base", "-m", "feature"),
  ),
  work("compare and swap", "update-ref", "refs/heads/$branch", "$commit", "$base"),
  user("publishes it", ...FETCH, "$work", "$commit"),
  user("where the user's branch is to stand", "update-ref", "refs/heads/$branch", "$commit"),
  work("what is judged", "diff-tree", "-r", "--raw", "-z", "-p", "--full-index", "-M", "$base", "$commit"),
  work("whose secrets may be in it", "log", "-p", "-U0", "--format=commit %H", "$base..$commit"),
  copy("the reviewer reads this head", ...FETCH, "$root", "$commit"),
  copy("and its files", "reset", "--hard", "--quiet", "$commit"),
  copy("and nothing else", "clean", "-d", "-x", "--force", "--force", "--quiet"),
  ...look("before"),
  ...look("after"),
];

/** How many git processes that is. */
export const NEEDED_PROCESSES = NEEDED.filter((one) => one !== "agent").length;

/** The same for people. */
export function neededList(): string {
  return NEEDED.map((one) => (one === "agent" ? "  (the agent)" : `  git ${line(one).padEnd(62)} ${one.why}`)).join(
    "\n",
  );
}

function line({ in: where, args }: Command): string {
  return `${where === "user" ? "" : `-C ${where} `}${args.join(" ")}`.slice(0, 60);
}

/** Runs the needed commands for the n-th feature of a project, one after the other; the reviewer's copy is there. */
export async function bareFeature(root: string, n: number): Promise<void> {
  const home = `${root}.bare`;
  mkdirSync(home, { recursive: true });
  const folders = { user: root, work: join(home, `f${n}`), copy: join(home, "copy") };
  const known: Record<string, string> = {
    root,
    work: folders.work,
    branch: `feature/f${n}`,
    base: await spawned(root, ["rev-parse", "main"]),
  };
  for (const command of NEEDED) {
    if (command === "agent") edit(folders.work, n);
    else {
      const args = command.args.map((arg) => arg.replaceAll(/\$(\w+)/g, (all, name: string) => known[name] ?? all));
      const output = await spawned(folders[command.in], args);
      if (command.gives !== undefined) known[command.gives] = output;
    }
  }
}

/** Makes the copy that reviewers read. */
export async function makeCopy(root: string): Promise<void> {
  await spawned(root, ["clone", "--quiet", "--local", ".", join(`${root}.bare`, "copy")]);
}

const WHO = { NAME: "Robin Example", EMAIL: "robin@example.com" };
const IDENTITY = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => Object.entries(WHO).map(([what, value]) => [`GIT_${role}_${what}`, value])),
);

function spawned(cwd: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, {
      cwd,
      env: { ...process.env, ...IDENTITY },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString("utf8").trim());
      else reject(new Error(`git ${args.join(" ")} ended with ${code}`));
    });
  });
}
