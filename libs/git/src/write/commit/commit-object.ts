import { noteAncestor, noteCommit, noteTree } from "../../read/refs/known-commits.ts";
import { bySettings } from "../../read/settings/known-settings.ts";
import { complaint, GitError } from "../../run/errors.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { failure, git, runGit } from "../../run/run.ts";
import type { Recorded } from "../checkout/recorded.ts";
import { commitSettings } from "./commit-settings.ts";
import type { HookTerms } from "./hooks.ts";

export interface CommitRequest {
  message: string;
  /** Author and committer; git's own settings by default. */
  author?: { name: string; email: string };
  /** Author and committer date in a form that git reads; now by default. */
  date?: string;
  /** What the work tree has to hold; it is put back to that where it holds anything else. */
  recorded?: Recorded;
  /** How hooks of the repository run. */
  hooks?: Omit<HookTerms, "signal">;
  signal?: AbortSignal;
}

/** Everything that makes a commit what it is, as plain data: carried out twice, it is the same commit. */
export interface CommitObjectPlan {
  tree: string;
  /** Null for the first commit. */
  parent: string | null;
  /** The full name of the branch; null on a detached head. */
  branch: string | null;
  message: string;
  author: { name: string; email: string };
  /** Seconds and time zone, as git stores it. */
  date: string;
}

/** A merge has a second parent. */
type Planned = CommitObjectPlan & { merged?: string };

/** Who commits and when, as git itself would write it, so that a plan holds it once and for all. */
export async function identityOf(
  location: RepoLocation,
  { author, date }: Pick<CommitRequest, "author" | "date">,
): Promise<Pick<CommitObjectPlan, "author" | "date">> {
  // A date as git itself stores it needs no git to be read.
  if (author === undefined && date !== undefined && STORED_DATE.test(date))
    return { author: await usualAuthor(location), date };
  return await askedIdentity(location, identity(author, date));
}

const STORED_DATE = /^\d{9,} [+-]\d{4}$/;

/** Who commits here by git's settings. */
export function usualAuthor(location: RepoLocation): Promise<CommitObjectPlan["author"]> {
  return bySettings(location, "author", async () => (await askedIdentity(location, {})).author);
}

async function askedIdentity(
  { root }: RepoLocation,
  env: Record<string, string>,
): Promise<Pick<CommitObjectPlan, "author" | "date">> {
  const result = await runGit({ cwd: root, args: ["var", "GIT_AUTHOR_IDENT"], env });
  if (result.code !== 0) throw nobody(result.stderr);
  const ident = result.stdout.toString("utf8");
  const [, name = "", email = "", when = ""] = /^(.*) <(.*)> (\d+ [+-]\d+)\s*$/.exec(ident) ?? [];
  return { author: { name, email }, date: when };
}

function nobody(stderr: string): GitError {
  const advice = 'git config user.name "YOUR NAME" and git config user.email YOU@EXAMPLE.COM, then try again';
  const message = `git does not know who commits here (${complaint(stderr)}): run ${advice}`;
  return new GitError("no-identity", message, { cause: new Error(stderr) });
}

export async function isSigning(location: RepoLocation): Promise<boolean> {
  return (await commitSettings(location)).isSigning;
}

/** Writes the commit as an object. Without a signature its id depends on the plan alone. */
export async function commitObject(location: RepoLocation, plan: Planned, signing: boolean): Promise<string> {
  const { root } = location;
  const args = ["commit-tree", plan.tree, "-F", "-", ...parentsOf(plan).flatMap((parent) => ["-p", parent])];
  if (signing) args.push("-S");
  const env = identity(plan.author, `@${plan.date}`);
  const call = { cwd: root, args, input: plan.message, env };
  const result = await runGit(call);
  if (result.code !== 0) throw signing ? unsigned(result.stderr) : failure(call, result);
  const commit = result.stdout.toString("latin1").trim();
  noteCommit(location, commit);
  noteTree(commit, plan.tree);
  for (const parent of parentsOf(plan)) noteAncestor(location, parent, commit);
  return commit;
}

function unsigned(stderr: string): GitError {
  const ways =
    "unlock the key (gpg-agent, ssh-agent), set another with git config user.signingKey, or turn signing off here with git config commit.gpgSign false";
  return new GitError("signing", `the commit could not be signed: ${complaint(stderr)}; ${ways}`, {
    cause: new Error(stderr),
  });
}

/** Whether a commit has the tree, parents and message of the plan. */
export async function isPlanned({ root }: RepoLocation, plan: Planned, commit: string): Promise<boolean> {
  const text = await git({ cwd: root, args: ["cat-file", "commit", commit] });
  const end = text.indexOf("\n\n");
  const headers = text.slice(0, end).split("\n");
  const values = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const same = (name: string, expected: string[]) => values(name).join(" ") === expected.join(" ");
  return same("tree", [plan.tree]) && same("parent", parentsOf(plan)) && text.slice(end + 2) === plan.message;
}

function parentsOf({ parent, merged }: Planned): string[] {
  return [parent, merged].filter((one) => one !== null && one !== undefined);
}

function identity(author: CommitRequest["author"], date: string | undefined): Record<string, string> {
  const env: Record<string, string> = {};
  for (const who of ["AUTHOR", "COMMITTER"]) {
    if (author) Object.assign(env, { [`GIT_${who}_NAME`]: author.name, [`GIT_${who}_EMAIL`]: author.email });
    if (date !== undefined) env[`GIT_${who}_DATE`] = date;
  }
  return env;
}
