import { existsSync } from "node:fs";
import { join } from "node:path";
import { complaint, GitError } from "../../run/errors.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { failure, git, runGit } from "../../run/run.ts";
import { packedRefs, readHead, readRef, symbolicTarget } from "./head-file.ts";
import { isKnownAncestor, isKnownCommit, noteAncestor, noteCommit, noteTree } from "./known-commits.ts";

/** The commit behind a name. */
export async function resolveCommit(location: RepoLocation, ref: string): Promise<string> {
  const stands = await readRef(location, ref);
  const name = stands === "unknown" ? ref : stands;
  // Git lets a local branch be nothing but a commit.
  if (name !== null && (isKnownCommit(location, name) || (name !== ref && ref.startsWith("refs/heads/")))) return name;
  if (name !== null && isName(name)) {
    // Both at once: whoever asks for a commit mostly asks for its tree next.
    const args = ["rev-parse", "--end-of-options", `${name}^{commit}`, `${name}^{tree}`];
    const { code, stdout } = await runGit({ cwd: location.root, args });
    const [, commit, tree] = TWO_IDS.exec(stdout.toString("latin1")) ?? [];
    if (code === 0 && commit !== undefined && tree !== undefined) {
      noteCommit(location, commit);
      noteTree(commit, tree);
      return commit;
    }
    if (ref === "HEAD") throw new GitError("no-commits", "the repository has no commits yet: make a first commit");
  }
  throw new GitError("unknown-ref", `unknown ref ${JSON.stringify(ref)}: check its spelling, or fetch it first`);
}

/** A range would be more, or have a sign in front. With `--end-of-options`, some gits print that, too. */
const TWO_IDS = /^(?:--end-of-options\n)?([0-9a-f]+)\n([0-9a-f]+)\n$/;

/** A leading dash would be an option, and a NUL cannot be part of any argument. */
function isName(ref: string): boolean {
  return ref !== "" && !ref.startsWith("-") && !ref.includes("\0");
}

/** The checked-out commit, or null in a repository without commits. */
export async function headCommit(location: RepoLocation): Promise<string | null> {
  const { commit } = await readHead(location);
  if (commit !== "unknown") return commit;
  const result = await runGit({ cwd: location.root, args: ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"] });
  return result.code === 0 ? result.stdout.toString("latin1").trim() : null;
}

/** Where a ref stands, by its full name; null where there is none. */
export async function refValue(location: RepoLocation, ref: string): Promise<string | null> {
  const known = await readRef(location, ref);
  if (known !== "unknown") return known;
  const result = await runGit({
    cwd: location.root,
    args: ["rev-parse", "--verify", "--quiet", "--end-of-options", ref],
  });
  return result.code === 0 ? result.stdout.toString("latin1").trim() : null;
}

/** The full name of the checked-out branch, or null on a detached head. */
export async function branchRef(location: RepoLocation): Promise<string | null> {
  const { branch } = await readHead(location);
  if (branch !== "unknown") return branch;
  const result = await runGit({ cwd: location.root, args: ["symbolic-ref", "--quiet", "HEAD"] });
  return result.code === 0 ? result.stdout.toString("utf8").trim() : null;
}

export async function branchName(location: RepoLocation): Promise<string | null> {
  return (await branchRef(location))?.replace(/^refs\/heads\//, "") ?? null;
}

/** Names that are certainly fine; about all others git is asked. */
const PLAIN = /^refs(?:\/[A-Za-z0-9_-]+){2,}$/;

/** Whether git takes a full name for one of a ref. */
export async function isRefName(root: string, ref: string): Promise<boolean> {
  return PLAIN.test(ref) || (await runGit({ cwd: root, args: ["check-ref-format", ref] })).code === 0;
}

/** The full name of a local branch, from that or the short one. */
export async function localBranch({ root }: RepoLocation, branch: string): Promise<string> {
  const ref = branch.startsWith("refs/heads/") ? branch : `refs/heads/${branch}`;
  if (!branch.startsWith("-") && (await isRefName(root, ref))) return ref;
  throw new GitError("unknown-ref", `${JSON.stringify(branch)} is not a valid branch name: check its spelling`);
}

/** Whether a commit is in the history of another, or is that one. */
export async function isAncestor(location: RepoLocation, older: string, newer: string): Promise<boolean> {
  if (isKnownAncestor(location, older, newer)) return true;
  // Histories have no circles.
  if (older !== newer && isKnownAncestor(location, newer, older)) return false;
  const call = { cwd: location.root, args: ["merge-base", "--is-ancestor", older, newer] };
  const result = await runGit(call);
  if (result.code > 1) throw failure(call, result);
  if (result.code === 0) noteAncestor(location, older, newer);
  return result.code === 0;
}

/** The commits of a history that another one does not have, oldest first; with `like`, only those on files that it changed, too. All are given by id. */
export async function commitsSince(
  { root }: RepoLocation,
  base: string,
  head: string,
  like?: string,
): Promise<string[]> {
  const on = like === undefined ? [] : ["--full-history", "--", ...(await filesBetween(root, base, like))];
  const out = await git({ cwd: root, args: ["rev-list", "--reverse", "--topo-order", head, `^${base}`, ...on] });
  return out.split("\n").filter(Boolean);
}

/** None where they are more than git takes as arguments: nothing is left out then. */
async function filesBetween(root: string, base: string, head: string): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", base, head];
  const files = (await git({ cwd: root, args })).split("\0").filter(Boolean);
  return files.length > 500 ? [] : files.map((file) => `:(top,literal)${file}`);
}

const USUAL_DEFAULTS = [
  "refs/remotes/origin/HEAD",
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "refs/heads/main",
  "refs/heads/master",
];

/** The branch that changes are made against, as a name that `resolve` understands; `besides` are branches that cannot be it. */
export async function defaultBranch(
  location: RepoLocation,
  besides: () => readonly string[] = () => [],
): Promise<string> {
  return (await plainDefault(location)) ?? (await askedDefault(location, besides));
}

/** The first of the usual ones, where git's own files say for certain which that is, and that its short name means nothing else. */
async function plainDefault(location: RepoLocation): Promise<string | null> {
  const packed = packedRefs(location);
  if (packed === null) return null;
  for (const full of USUAL_DEFAULTS) {
    const target = symbolicTarget(location, full) ?? full;
    const stands = await readRef(location, target);
    if (stands === "unknown" || (stands === null && target !== full)) return null;
    if (stands === null) continue;
    const short = target.replace(/^refs\/(?:heads|remotes)\//, "");
    const others = [`refs/tags/${short}`, `refs/heads/${short}`, `refs/remotes/${short}`, short];
    const isTaken = (other: string) => existsSync(join(location.commonDir, other)) || packed.includes(` ${other}\n`);
    return others.every((other) => other === target || !isTaken(other)) ? short : null;
  }
  return null;
}

async function askedDefault({ root }: RepoLocation, besides: () => readonly string[]): Promise<string> {
  const existing = await git({
    cwd: root,
    args: ["for-each-ref", "--format=%(refname)%00%(refname:short)%00%(symref:short)", ...USUAL_DEFAULTS],
  });
  const found = new Map<string, string>();
  for (const line of existing.split("\n")) {
    const [full = "", short = "", target = ""] = line.split("\0");
    found.set(full, target || short);
  }
  for (const full of USUAL_DEFAULTS) {
    const name = found.get(full);
    if (name) return name;
  }
  const configured = await runGit({ cwd: root, args: ["config", "--get", "init.defaultBranch"] });
  const name = configured.stdout.toString("utf8").trim();
  if (configured.code === 0 && name !== "" && (await exists(root, `refs/heads/${name}`))) return name;
  const locals = (await git({ cwd: root, args: ["for-each-ref", "--format=%(refname)", "refs/heads/"] }))
    .split("\n")
    .filter(Boolean)
    .map((ref) => ref.replace(/^refs\/heads\//, ""));
  const others = new Set(besides());
  const [only, ...more] = locals.filter((local) => !others.has(local));
  if (only !== undefined && more.length === 0) return only;
  if (locals.length === 0) throw new GitError("no-commits", "there are no commits yet: make a first commit");
  throw new GitError(
    "no-default-branch",
    "no default branch (origin/HEAD, main, master) was found: set it with git config init.defaultBranch NAME, or use --base if the command has it",
  );
}

/** The best common ancestor of two commits. */
export async function mergeBase(location: RepoLocation, a: string, b: string): Promise<string> {
  if (isKnownAncestor(location, a, b)) return a;
  if (isKnownAncestor(location, b, a)) return b;
  const result = isName(a) && isName(b) ? await runGit({ cwd: location.root, args: ["merge-base", a, b] }) : undefined;
  if (result?.code === 0) {
    const found = result.stdout.toString("latin1").trim();
    noteCommit(location, found);
    if (found === a) noteAncestor(location, a, b);
    if (found === b) noteAncestor(location, b, a);
    return found;
  }
  // Only now, so that the usual case takes one process: a name that means nothing gets its own complaint.
  await Promise.all([resolveCommit(location, a), resolveCommit(location, b)]);
  if (result?.code !== 1) throw new GitError("failed", `git merge-base failed: ${complaint(result?.stderr ?? "")}`);
  const shallow = (await git({ cwd: location.root, args: ["rev-parse", "--is-shallow-repository"] })).trim() === "true";
  const advice = shallow
    ? "this clone is shallow: run git fetch --unshallow, or pass --base with a commit that it has"
    : "their histories are unrelated: pass --base with the commit to compare with";
  throw new GitError("no-merge-base", `${a} and ${b} have no common ancestor here; ${advice}`);
}

async function exists(root: string, ref: string): Promise<boolean> {
  return (await runGit({ cwd: root, args: ["show-ref", "--verify", "--quiet", ref] })).code === 0;
}
