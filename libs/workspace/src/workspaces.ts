import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { isKnownAncestor, noteAncestor, noteCommit } from "@anneal/git/read/refs/known-commits";
import { untouched } from "@anneal/git/read/tree/untouched";
import { openOwn, type Repo } from "@anneal/git/repo";
import { GitError } from "@anneal/git/run/errors";
import { contains } from "@anneal/git/run/paths";
import { git, runGit } from "@anneal/git/run/run";
import { failpoint } from "@anneal/system/failpoint";
import { HALF_MADE, makeClone, REMOTE_REFS } from "./clone.ts";
import { workspacesHome } from "./home.ts";
import { putInOrder } from "./put-in-order.ts";
import { noteWorkspaces } from "./reading/reading-copies.ts";
import { isOf, noteAt, readNote } from "./workspace-note.ts";

/** Where loops work: a private clone each, next to the user's repository, which gets a commit only when it is published. */
export interface Workspaces {
  home: string;
  pathOf(name: string): string;
  /** The names of those that are there. */
  names(): Promise<string[]>;
  /** Makes it ready on its branch, which the user's repository has. It holds all that the user's branches hold. */
  prepare(request: WorkspaceRequest): Promise<Repo & { isNew: boolean }>;
  /** For the owner of the project. Null where there is none. */
  open(name: string, branch: string): Promise<Repo | null>;
  /** For whoever only looks: nothing is put in order. */
  look(name: string): Repo | null;
  /** Commits that a person made there go to the user's branch; where both went on, one sentence says what to do. */
  takeIn(name: string, branch: string): Promise<"nothing" | "taken">;
  /** Brings a commit of a workspace to the user's branch, which must stand where it was left. Repeated, it does nothing. */
  publish(workspace: Repo, move: Publishing): Promise<void>;
  /** Keeps a commit or tree of a workspace in the user's repository, under a ref of ours. */
  keep(workspace: Repo, ref: string, commitOrTree: string): Promise<void>;
  /** A clean copy at a commit, for whoever only looks or tries; one that is there is used again. */
  copyAt(name: string, commit: string): Promise<Repo & { isNew: boolean }>;
  /** Commits of its branches, its head and its stash that the user's repository does not have. */
  unpublished(name: string): Promise<string[]>;
  /** Those of them that for certain hold nothing which the user's repository does not have; of the others it is not known. */
  settled(names: readonly string[]): Promise<Set<string>>;
  remove(name: string): Promise<void>;
  /** What killed processes left. For the owner of the project, before anybody works. */
  removeHalfMade(): Promise<void>;
}

export interface WorkspaceRequest {
  name: string;
  branch: string;
  /** A killed process of ours left it as it is: the log says what it should hold. */
  isOurs: boolean;
}

export interface Publishing {
  branch: string;
  from: string;
  to: string;
  /** The commit takes the place of what stood there, instead of coming on top. */
  replaces?: boolean;
}

export function workspacesOf(main: Repo, configured?: string): Workspaces {
  const home = workspacesHome(main.root, configured);
  noteWorkspaces(main.root, home);
  const source = sourceOf(main);
  const pathOf = (name: string) => join(home, name);

  const locationOf = (name: string) => {
    const gitDir = join(pathOf(name), ".git");
    return { root: pathOf(name), gitDir, commonDir: gitDir };
  };

  async function opened(path: string, branch: string | null, isOurs = false): Promise<Repo | null> {
    const note = noteAt(source, path);
    if (note === null) return null;
    await putInOrder(source, path, { note, branch, isOurs });
    return openOwn(path, branch);
  }

  async function bring(from: string, into: Repo, commits: readonly string[]): Promise<void> {
    const missing: string[] = [];
    for (const commit of commits) if (!(await has(into, commit))) missing.push(commit);
    if (missing.length > 0) await git({ cwd: into.root, args: [...FETCH, "--", from, ...missing] });
  }

  async function publish(workspace: Repo, { replaces = false, ...move }: Publishing): Promise<void> {
    failpoint("workspace.publish.before");
    // Asked for without a look: what is here already costs no more.
    await git({ cwd: main.root, args: [...FETCH, "--", workspace.commonDir, move.to] });
    noteCommit(main, move.to);
    if (isKnownAncestor(workspace, move.from, move.to)) noteAncestor(main, move.from, move.to);
    failpoint("workspace.publish.between");
    await (replaces ? main.updateBranch(move) : main.moveBranch(move));
    failpoint("workspace.publish.after");
  }

  return {
    home,
    pathOf,
    async names() {
      const names = (await readdir(home).catch(() => [])).filter((name) => !name.startsWith(HALF_MADE));
      return names.filter((name) => isOf(readNote(pathOf(name)), source));
    },

    async prepare({ name, branch, isOurs }) {
      const path = pathOf(name);
      // Nobody who adds all files is to find a repository among them.
      if (contains(main.root, home)) await main.excludePaths([`${relative(main.root, home)}/`]);
      const tip = await main.resolve(`refs/heads/${branch}`);
      const found = await opened(path, branch, isOurs);
      if (found === null) {
        await makeClone(source, path, { branch });
        return { ...openOwn(path, branch), isNew: true };
      }
      await refresh(found, source.commonDir, branch);
      await bring(source.commonDir, found, [tip]);
      if (!isOurs) await forward(found, branch, tip);
      return { ...found, isNew: false };
    },

    open: (name, branch) => opened(pathOf(name), branch),

    look: (name) => (noteAt(source, pathOf(name)) === null ? null : openOwn(pathOf(name), null)),

    async takeIn(name, branch) {
      const path = pathOf(name);
      const found = existsSync(path) ? await opened(path, branch) : null;
      const ref = `refs/heads/${branch}`;
      const [here, tip] = await Promise.all([standsAt(found, ref), standsAt(main, ref)]);
      if (found === null || here === null || tip === null || here === tip || (await holds(main, here, tip)))
        return "nothing";
      // Whoever put their branch back, or rewrote it, does not want what it had from here a second time.
      if (await hasHad(main, ref, here)) return "nothing";
      await bring(source.commonDir, found, [tip]);
      if (!(await holds(found, tip, here))) throw wentApart(main.root, path, branch);
      await publish(found, { branch, from: tip, to: here });
      return "taken";
    },

    publish,

    async keep(workspace, ref, commitOrTree) {
      const tree = await workspace.treeOf(commitOrTree);
      const commit = tree === commitOrTree ? await workspace.treeAsCommit(tree) : commitOrTree;
      await bring(workspace.commonDir, main, [commit]);
      await main.keepTree(ref, commit);
    },

    async copyAt(name, commit) {
      const path = pathOf(name);
      const copy = await opened(path, null, true).catch(() => null);
      if (copy !== null) {
        try {
          await git({ cwd: path, args: [...FETCH, "--", source.commonDir, commit] });
          await copy.resetTo(commit, { ignored: "go", kind: "commit" });
          return { ...copy, isNew: false };
        } catch {
          // Whoever worked there last may have damaged it beyond a reset.
        }
      }
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
      await makeClone(source, path, { commit });
      return { ...openOwn(path, null), isNew: true };
    },

    async unpublished(name) {
      const args = ["for-each-ref", "--format=%(objectname)", "refs/heads", "refs/stash"];
      const [heads, head] = await Promise.all([
        git({ cwd: pathOf(name), args }),
        openOwn(pathOf(name), null).headCommit(),
      ]);
      const commits = [...new Set([...heads.split("\n"), head ?? ""])].filter(Boolean);
      const input = commits.map((commit) => `${commit}\n`).join("");
      const output = await git({ cwd: main.root, args: ["cat-file", "--batch-check"], input });
      return output.split("\n").flatMap((line) => (line.endsWith(" missing") ? [line.split(" ")[0] ?? ""] : []));
    },

    async settled(names) {
      const found = await Promise.all(names.map(async (name) => ({ name, holds: await untouched(locationOf(name)) })));
      const asked = found.flatMap(({ name, holds }) => (holds === null ? [] : [{ name, ...holds }]));
      if (asked.length === 0) return new Set();
      // One question for all: what a commit's tree is, and whether the others are here.
      const input = asked.flatMap(({ head, refs }) => [`${head}^{tree}`, ...refs]).map((line) => `${line}\n`);
      const args = ["cat-file", "--batch-check=%(objectname)"];
      const lines = (await git({ cwd: main.root, args, input: input.join("") })).split("\n");
      return new Set(
        asked.flatMap(({ name, staged, refs }) => {
          const [tree, ...commits] = lines.splice(0, 1 + refs.length);
          return tree === staged && refs.every((ref, at) => ref === commits[at]) ? [name] : [];
        }),
      );
    },

    async remove(name) {
      await rm(pathOf(name), { recursive: true, force: true, maxRetries: 5 });
    },

    async removeHalfMade() {
      const halves = (await readdir(home).catch(() => [])).filter((name) => name.startsWith(HALF_MADE));
      for (const half of halves) await rm(join(home, half), { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A copy of a repository at a commit, in an empty folder of whoever asks. */
export async function passingCopy(main: Repo, path: string, commit: string): Promise<Repo> {
  await makeClone(sourceOf(main), path, { commit });
  return openOwn(path, null);
}

const sourceOf = ({ root, gitDir, commonDir }: Repo) => ({ root, gitDir, commonDir });

/** By id, over the second version of the protocol: it gives out commits and trees that no branch leads to. */
const FETCH = [
  ...["-c", "protocol.version=2", "-c", "protocol.file.allow=always"],
  ...["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules"],
];

/** All other branches, tags and remote branches as the user has them. */
async function refresh({ root }: Repo, source: string, branch: string): Promise<void> {
  const refs = ["+refs/heads/*:refs/heads/*", `^refs/heads/${branch}`, ...REMOTE_REFS, "+refs/tags/*:refs/tags/*"];
  const args = [...FETCH, "--prune", "--update-head-ok", "--", source, ...refs];
  await git({ cwd: root, args });
}

/** The user's branch may have gone on since: the workspace follows, and what is under way there must not be in its way. */
async function forward(workspace: Repo, branch: string, tip: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const here = await standsAt(workspace, ref);
  if (here === tip) return;
  if ((await workspace.branchName()) !== branch)
    return void (await git({ cwd: workspace.root, args: ["update-ref", ref, tip] }));
  if ((await workspace.status()) === "changed")
    throw new GitError(
      "in-the-way",
      `${workspace.root} has uncommitted changes, and ${branch} has moved: commit or discard them`,
    );
  await workspace.resetTo(tip, { kind: "commit" });
}

function wentApart(root: string, path: string, branch: string): GitError {
  return new GitError(
    "moved",
    `${branch} has diverged between ${path} and ${root}: in ${root} run git switch ${branch} and git pull ${path} ${branch} to merge both, or git fetch ${path} +${branch}:${branch} to keep only the commits of the workspace`,
  );
}

async function standsAt(repo: Repo | null, ref: string): Promise<string | null> {
  return repo === null ? null : await repo.resolve(ref).catch(() => null);
}

async function has({ root }: Repo, commit: string): Promise<boolean> {
  return (await runGit({ cwd: root, args: ["cat-file", "-e", commit] })).code === 0;
}

/** Whether a branch has stood at a commit, as far as its log goes back. */
async function hasHad({ root }: Repo, ref: string, commit: string): Promise<boolean> {
  const { stdout } = await runGit({ cwd: root, args: ["log", "--walk-reflogs", "--format=%H", ref, "--"] });
  return stdout.toString("utf8").split("\n").includes(commit);
}

/** Whether a commit has another one in its history; false where it is not here. */
async function holds({ root }: Repo, commit: string, tip: string): Promise<boolean> {
  return (await runGit({ cwd: root, args: ["merge-base", "--is-ancestor", commit, tip] })).code === 0;
}
