import { spawn } from "node:child_process";
import { copyFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** A worktree and its git directory. */
export interface Tree {
  root: string;
  gitDir: string;
}

interface Command {
  /** What a round could not know or promise without it. */
  why: string;
  in: "work" | "review";
  args: readonly string[];
  /** `copy` leaves the index of the tree alone, `same-copy` goes on with that copy. */
  index?: "copy" | "same-copy";
  /** Names what it prints, for the arguments of later commands. */
  gives?: string;
}

const work = (why: string, args: string[], more: Pick<Command, "index" | "gives"> = {}): Command => {
  return { why, in: "work", args, ...more };
};
const review = (why: string, args: string[], more: Pick<Command, "index"> = {}): Command => {
  return { why, in: "review", args, ...more };
};
const look = (why: string): Command[] => [
  review(`${why}: refs`, ["for-each-ref", "--format=%(refname) %(objectname)"]),
  review(`${why}: ignored files`, ["ls-files", "--others", "--ignored", "--exclude-standard", "-z"]),
  review(`${why}: all other files`, ["add", "--all"], { index: "copy" }),
  review(`${why}: their tree`, ["write-tree"], { index: "same-copy" }),
];

const FETCH = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--"];

/** Every git command without which a round would promise less, in order. `$name` is what an earlier one gave. */
const NEEDED: readonly (Command | "agent")[] = [
  work("nothing is left of an attempt that was cut off", ["reset", "--hard", "--quiet", "$head"]),
  work("nor any file that it made", ["clean", "-d", "--force", "--force", "--quiet"]),
  "agent",
  work("what the agent left outlives a crash", ["add", "--all"], { index: "copy" }),
  work("and has a name in the log", ["write-tree"], { index: "same-copy", gives: "left" }),
  work("which git's garbage collection knows", ["update-ref", "--no-deref", "refs/bench/tree", "$left"]),
  work("hooks look at the index", ["add", "--all"]),
  work("the repository's own check of the change", ["hook", "run", "--ignore-missing", "pre-commit"]),
  work("and of the message", ["hook", "run", "--ignore-missing", "commit-msg", "--", "/dev/null"]),
  work("hooks may have staged more", ["write-tree"], { gives: "tree" }),
  work("who commits", ["var", "GIT_AUTHOR_IDENT"]),
  work("a commit by recorded tree and parent", ["commit-tree", "$tree", "-p", "$head", "-m", "round"], {
    gives: "commit",
  }),
  work("compare and swap", ["update-ref", "$branch", "$commit", "$head"]),
  review("the user's repository has it, and not only the workspace", [...FETCH, "$workspace", "$commit"]),
  review("and its branch leads there", ["update-ref", "--no-deref", "refs/bench/published", "$commit"]),
  work("what is judged", ["diff-tree", "-r", "--raw", "-z", "-p", "--full-index", "-M", "$head", "$commit"]),
  review("the reviewer reads this head", ["reset", "--hard", "--quiet", "$commit"]),
  review("and nothing else", ["clean", "-d", "-x", "--force", "--force", "--quiet"]),
  ...look("before the reviewer"),
  ...look("after the reviewer"),
];

/** The same for people. */
export function neededList(): string {
  return NEEDED.map((one) => (one === "agent" ? "  (the agent)" : `  git ${line(one).padEnd(62)} ${one.why}`)).join(
    "\n",
  );
}

function line({ in: where, args }: Command): string {
  return `${where === "review" ? "-C review " : ""}${args.join(" ")}`.slice(0, 60);
}

export interface BareRound {
  work: Tree;
  review: Tree;
  /** The full name of the branch in the worktree. */
  branch: string;
  head: string;
  agent: () => void;
}

/** Runs the needed commands one after the other; gives the new head. */
export async function bareRound(round: BareRound): Promise<string> {
  const known: Record<string, string> = { branch: round.branch, head: round.head, workspace: round.work.root };
  for (const command of NEEDED) {
    if (command === "agent") {
      round.agent();
      continue;
    }
    const tree = round[command.in];
    if (command.index === "copy") copyIndex(tree);
    const env = command.index === undefined ? {} : { GIT_INDEX_FILE: indexCopy(tree) };
    const args = command.args.map((arg) => (arg.startsWith("$") ? (known[arg.slice(1)] ?? arg) : arg));
    const output = await spawned(tree.root, args, env);
    if (command.gives !== undefined) known[command.gives] = output.trim();
  }
  return known.commit ?? "";
}

function indexCopy({ gitDir }: Tree): string {
  return join(gitDir, "bench-index");
}

function copyIndex(tree: Tree): void {
  const index = join(tree.gitDir, "index");
  copyFileSync(index, indexCopy(tree));
  // Git judges by the time of the index which files it has to read again.
  const { atime, mtime } = statSync(index);
  utimesSync(indexCopy(tree), atime, mtime);
}

function spawned(cwd: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString("utf8"));
      else reject(new Error(`git ${args.join(" ")} ended with ${code}`));
    });
  });
}
