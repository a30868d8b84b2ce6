import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GitError } from "./errors.ts";
import type { Place } from "./place.ts";
import { branchRef, headCommit } from "./refs.ts";
import { git, runGit } from "./run.ts";
import { refuseUnmerged, writeTree } from "./trees.ts";

export interface CommitOptions {
  /** Author and committer; git's own settings unless told. */
  author?: { name: string; email: string };
  /** Author and committer date in a form that git reads; a repeated commit with the same date gets the same id. */
  date?: string;
  signal?: AbortSignal;
}

/** `refused` holds what a hook of the repository said. */
export type CommitResult = { commit: string } | { refused: string } | "nothing";

/** Commits everything in the work tree on the current branch, after the repository's own pre-commit and commit-msg hooks. */
export async function commitAll(place: Place, message: string, options: CommitOptions = {}): Promise<CommitResult> {
  await refuseUnmerged(place);
  await refuseMerge(place);
  const [head, branch] = await Promise.all([headCommit(place), branchRef(place)]);
  await git({ cwd: place.root, args: ["add", "--all"] });
  if ((await writeTree(place)) === (await treeOf(place, head))) return "nothing";

  const messageFile = join(place.gitDir, "COMMIT_EDITMSG");
  await writeFile(messageFile, message.endsWith("\n") ? message : `${message}\n`);
  const refusal =
    (await hookRefusal(place, ["pre-commit"], options.signal)) ??
    (await hookRefusal(place, ["commit-msg", "--", messageFile], options.signal));
  if (refusal !== null) return { refused: refusal };
  const finalMessage = await readFile(messageFile, "utf8");
  if (finalMessage.trim() === "") return { refused: "the commit-msg hook left an empty message" };

  // Hooks may stage more, so the tree is only final now.
  const tree = await writeTree(place);
  if (tree === (await treeOf(place, head))) return "nothing";
  const commit = await commitTree(place, tree, head, finalMessage, options);
  await moveBranch(place, { branch, from: head, to: commit, subject: finalMessage.split("\n", 1)[0] ?? "" });
  return { commit };
}

/** Whether the work tree or the index differs from the last commit; ignored files do not count. */
export async function status({ root }: Place): Promise<"clean" | "changed"> {
  const args = ["status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"];
  return (await git({ cwd: root, args })) === "" ? "clean" : "changed";
}

/**
 * Makes index and work tree equal to a tree or commit and removes untracked files; ignored files stay.
 * A commit also becomes the head of the current branch; a tree leaves the head where it is.
 */
export async function resetTo({ root }: Place, target: string): Promise<void> {
  const kind = (await git({ cwd: root, args: ["cat-file", "-t", target] })).trim();
  if (kind === "commit") await git({ cwd: root, args: ["reset", "--hard", "--quiet", target] });
  else await git({ cwd: root, args: ["read-tree", "--reset", "-u", target] });
  // Twice forced: a nested repository that an agent left behind goes too.
  await git({ cwd: root, args: ["clean", "-d", "--force", "--force", "--quiet"] });
}

async function refuseMerge({ gitDir }: Place): Promise<void> {
  const merging = await stat(join(gitDir, "MERGE_HEAD")).then(
    () => true,
    () => false,
  );
  if (merging) throw new GitError("unmerged", "a merge is under way: finish it with git commit, or git merge --abort");
}

async function treeOf({ root }: Place, commit: string | null): Promise<string | null> {
  if (commit === null) return null;
  return (await git({ cwd: root, args: ["rev-parse", "--verify", `${commit}^{tree}`] })).trim();
}

const HOOK_OUTPUT_LIMIT = 20_000;

/** What a hook said when it refused, or null where it agreed or does not exist. */
async function hookRefusal(place: Place, hook: string[], signal: AbortSignal | undefined): Promise<string | null> {
  const result = await runGit({
    cwd: place.root,
    args: ["hook", "run", "--ignore-missing", ...hook],
    env: { GIT_INDEX_FILE: join(place.gitDir, "index"), GIT_EDITOR: ":" },
    config: "own",
    signal,
  });
  if (result.code === 0) return null;
  const said = `${result.stdout.toString("utf8")}${result.stderr}`.trim().slice(0, HOOK_OUTPUT_LIMIT);
  return said === "" ? `the ${hook[0]} hook failed with exit code ${result.code}` : said;
}

async function commitTree(
  { root }: Place,
  tree: string,
  parent: string | null,
  message: string,
  { author, date }: CommitOptions,
): Promise<string> {
  const sign = await runGit({ cwd: root, args: ["config", "--type=bool", "--get", "commit.gpgSign"] });
  const args = ["commit-tree", tree, "-F", "-"];
  if (parent !== null) args.push("-p", parent);
  if (sign.stdout.toString("latin1").trim() === "true") args.push("-S");
  return (await git({ cwd: root, args, input: message, env: identity(author, date) })).trim();
}

function identity(author: CommitOptions["author"], date: string | undefined): Record<string, string> {
  const env: Record<string, string> = {};
  for (const who of ["AUTHOR", "COMMITTER"]) {
    if (author) Object.assign(env, { [`GIT_${who}_NAME`]: author.name, [`GIT_${who}_EMAIL`]: author.email });
    if (date !== undefined) env[`GIT_${who}_DATE`] = date;
  }
  return env;
}

interface Move {
  /** Null on a detached head. */
  branch: string | null;
  from: string | null;
  to: string;
  subject: string;
}

/** Moves the branch only if it still stands where it stood: a commit made meanwhile is never lost. */
async function moveBranch({ root }: Place, { branch, from, to, subject }: Move): Promise<void> {
  const target = branch === null ? ["--no-deref", "HEAD"] : [branch];
  const before = from ?? "0".repeat(to.length);
  const result = await runGit({ cwd: root, args: ["update-ref", "-m", `commit: ${subject}`, ...target, to, before] });
  if (result.code === 0) return;
  throw new GitError(
    "failed",
    `${branch ?? "HEAD"} moved during the commit and was left alone: look at it and try again`,
    {
      cause: new Error(result.stderr),
    },
  );
}
