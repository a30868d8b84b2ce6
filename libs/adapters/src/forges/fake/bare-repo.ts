import { mkdtemp, rename, rm } from "node:fs/promises";
import { isAncestor, refValue } from "@anneal/git/read/refs/refs";
import { tryChange } from "@anneal/git/run/locks";
import { Newest } from "@anneal/git/run/newest";
import type { RepoLocation } from "@anneal/git/run/repo-location";
import { failure, git, runGit } from "@anneal/git/run/run";
import type { Clock } from "../../ports.ts";

/** What a forge does inside its own repository, which has no work tree. */
export interface BareRepo {
  /** Where branches stand, null for those that are not there. */
  heads<Name extends string>(...branches: Name[]): Promise<Record<Name, string | null>>;
  contains(tip: string, commit: string): Promise<boolean>;
  mergesCleanly(base: string, head: string): Promise<boolean>;
  merge(base: string, head: string): Promise<TreeMerge>;
  commit(request: BareCommitRequest): Promise<string>;
  /** Moves a branch only if it stands where it is expected; says whether it did. */
  move(branch: string, to: string, expected: string): Promise<boolean>;
  remove(branch: string): Promise<void>;
  /** Commits files (text, or null to remove) on top of a commit, and moves the branch there unless somebody else did. */
  push(request: BarePushRequest): Promise<string | null>;
}

export type TreeMerge = { tree: string } | { conflicts: string[] };

interface Signed {
  message: string;
  author: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface BareCommitRequest extends Signed {
  tree: string;
  parents: readonly string[];
}

export interface BarePushRequest extends Signed {
  branch: string;
  parent: string | null;
  files: Record<string, string | null>;
}

/** Two commits always merge to the same, and histories do not change: nobody is asked again. */
const mergeable = new Newest<boolean>(100);
const contained = new Newest<boolean>(100);

export function bareRepo(dir: string, clock: Clock): BareRepo {
  const place: RepoLocation = { root: dir, gitDir: dir, commonDir: dir, clock };
  const standing = async <Name extends string>(branches: Name[]): Promise<Record<Name, string | null>> => {
    const pairs = branches.map(async (branch) => [branch, await refValue(place, `refs/heads/${branch}`)]);
    return Object.fromEntries(await Promise.all(pairs));
  };
  return {
    heads: (...branches) => standing(branches),
    async contains(tip, commit) {
      const key = [dir, tip, commit].join("\0");
      const answer = contained.get(key) ?? (await isAncestor(place, commit, tip).catch(() => null));
      // What is not here yet may still be pushed.
      if (answer !== null) contained.set(key, answer);
      return answer ?? false;
    },
    async mergesCleanly(base, head) {
      const key = [dir, base, head].join("\0");
      const answer = mergeable.get(key) ?? "tree" in (await mergeTree(dir, base, head));
      mergeable.set(key, answer);
      return answer;
    },
    merge: (base, head) => mergeTree(dir, base, head),
    async commit({ tree, parents, message, author, at }) {
      const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
      return (await git({ cwd: dir, args, input: message, env: identity(author, at) })).trim();
    },
    async move(branch, to, expected) {
      const call = { args: ["update-ref", `refs/heads/${branch}`, to, expected] };
      const result = await tryChange(place, call);
      if (result.code === 0) return true;
      if ((await standing([branch]))[branch] !== expected) return false;
      // Nobody was faster: it is reported as what it is, or a retry would never end.
      throw failure({ cwd: dir, ...call }, result);
    },
    async remove(branch) {
      const call = { args: ["update-ref", "-d", `refs/heads/${branch}`] };
      const result = await tryChange(place, call);
      if (result.code !== 0) throw failure({ cwd: dir, ...call }, result);
    },
    async push(request) {
      const args = ["fast-import", "--quiet", "--date-format=raw"];
      const { code, stdout } = await tryChange(place, { args, input: importText(request) });
      return code === 0 ? stdout.toString("latin1").trim() : null;
    },
  };
}

/** Of several who make the same repository at once, one does: it is made aside, and takes the place of an empty folder. */
export async function createBareRepo(dir: string): Promise<void> {
  const aside = await mkdtemp(`${dir}.new-`);
  try {
    await git({ cwd: aside, args: ["init", "--quiet", "--bare", "--template=", "--initial-branch=main"] });
    await rename(aside, dir).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function mergeTree(dir: string, base: string, head: string): Promise<TreeMerge> {
  const args = ["merge-tree", "--write-tree", "--no-messages", "--name-only", "-z", base, head];
  const { code, stdout, stderr } = await runGit({ cwd: dir, args });
  const [tree = "", ...conflicts] = stdout
    .toString("utf8")
    .split("\0")
    .filter((part) => part !== "");
  if (code === 0) return { tree };
  if (code === 1) return { conflicts };
  throw new Error(`git merge-tree failed: ${stderr.trim()}`);
}

/** A commit in the language of git fast-import, which then prints its id. */
function importText({ branch, parent, files, message, author, at }: BarePushRequest): string {
  const changes = Object.entries(files).map(([path, text]) =>
    text === null ? `D ${quoted(path)}\n` : `M 100644 inline ${quoted(path)}\n${data(text)}`,
  );
  const who = `${author} <${emailOf(author)}> ${Math.floor(at / 1_000)} +0000\n`;
  const from = parent === null ? "" : `from ${parent}\n`;
  const head = `commit refs/heads/${branch}\nmark :1\nauthor ${who}committer ${who}${data(message)}${from}`;
  return `${head}${changes.join("")}\nget-mark :1\ndone\n`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n")}"`;
}

function emailOf(author: string): string {
  return `${author.replace(/[^A-Za-z0-9._-]/g, "-")}@forge.invalid`;
}

function identity(author: string, at: number): Record<string, string> {
  const date = `@${Math.floor(at / 1_000)} +0000`;
  const both = (name: string, value: string) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ];
  return Object.fromEntries([...both("NAME", author), ...both("EMAIL", emailOf(author)), ...both("DATE", date)]);
}
