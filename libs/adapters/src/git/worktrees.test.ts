import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startOf } from "../sandbox/processes.ts";
import { makeRepo, openTestRepo, type TestRepo } from "../testing/make-repo.ts";
import { AT_WORK_NOTE, openRepo } from "./index.ts";
import { killAt } from "./testing/kill-at.ts";

const one = { path: ".worktrees/1", branch: "feature/one", startPoint: "main" };

function tempFolder(): { dir: string } & Disposable {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-folder-")));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

/** What somebody could see of the worktrees from outside. */
async function picture(repo: TestRepo) {
  const files = (path: string) => (existsSync(path) ? readdirSync(path).sort() : null);
  return {
    worktrees: await (await openRepo(repo.dir)).listWorktrees(),
    records: files(join(repo.dir, ".git/worktrees")) ?? [],
    claims: files(join(repo.dir, ".git/anneal/worktree-claims")) ?? [],
    files: files(join(repo.dir, ".worktrees/1")),
    refs: repo.git("for-each-ref"),
    status: repo.git("status", "--porcelain"),
    excluded: readFileSync(join(repo.dir, ".git/info/exclude"), "utf8")
      .split("\n")
      .filter((line) => line === "/.worktrees/"),
  };
}

describe("adding a worktree", () => {
  test("makes the branch at the start point and opens it, and the main tree's status stays clean", async () => {
    using repo = makeRepo({ a: "1\n" });
    const main = repo.commit({ a: "2\n" });
    const opened = await (await openRepo(repo.dir)).addWorktree({ ...one, startPoint: "HEAD~1" });
    expect(opened.root).toBe(join(repo.dir, ".worktrees/1"));
    expect(await opened.branchName()).toBe("feature/one");
    expect(await opened.headCommit()).toBe(repo.git("rev-parse", "HEAD~1"));
    expect(repo.git("rev-parse", "main")).toBe(main);
    expect(repo.git("status", "--porcelain", "--untracked-files=all")).toBe("");
  });

  test("opens the one that is there as it is, with its uncommitted work", async () => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    const first = await opened.addWorktree(one);
    writeFileSync(join(first.root, "draft"), "d");
    const again = await opened.addWorktree({ ...one, startPoint: "no-longer-there" });
    expect(again.root).toBe(first.root);
    expect(await again.status()).toBe("changed");
  });

  test("takes a branch that exists where it stands, whatever the start point", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.git("branch", "feature/one");
    repo.commit({ a: "2\n" });
    const opened = await (await openRepo(repo.dir)).addWorktree(one);
    expect(await opened.headCommit()).toBe(repo.git("rev-parse", "main~1"));
  });

  test("gives a detached head where no branch is wanted", async () => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    for (const _ of [1, 2]) {
      const detached = await opened.addWorktree({ ...one, branch: null });
      expect([await detached.branchName(), await detached.headCommit()]).toEqual([null, repo.git("rev-parse", "main")]);
    }
  });

  test("does not make the new branch follow a remote one", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD");
    repo.git("remote", "add", "origin", repo.dir);
    await (await openRepo(repo.dir)).addWorktree({ ...one, startPoint: "origin/main" });
    expect(() => repo.git("config", "branch.feature/one.merge")).toThrow();
  });

  test("refuses one whose pointer was bent to another repository, and makes it anew once that is removed", async () => {
    using repo = makeRepo({ a: "1\n" });
    using other = makeRepo({ a: "theirs\n" });
    const opened = await openRepo(repo.dir);
    const { root } = await opened.addWorktree({ ...one, branch: null });
    for (const home of [other.dir, repo.dir]) {
      writeFileSync(join(root, ".git"), `gitdir: ${join(home, ".git")}\n`);
      const again = opened.addWorktree({ ...one, branch: null });
      await expect(again).rejects.toMatchObject({ kind: "worktree-taken" });
    }
    await opened.removeWorktree(root);
    expect((await opened.addWorktree({ ...one, branch: null })).gitDir).toBe(join(repo.dir, ".git/worktrees/1"));
  });

  test("works from inside another worktree, with paths from the top of the main one", async () => {
    using repo = makeRepo({ a: "1\n" });
    const first = await (await openRepo(repo.dir)).addWorktree(one);
    const second = await first.addWorktree({ path: ".worktrees/2", branch: "two", startPoint: "main" });
    expect(second.root).toBe(join(repo.dir, ".worktrees/2"));
    expect(second.commonDir).toBe(first.commonDir);
  });

  test("works at an absolute path outside, and through a link", async () => {
    using repo = makeRepo({ a: "1\n" });
    using folder = tempFolder();
    mkdirSync(join(folder.dir, "real"));
    symlinkSync("real", join(folder.dir, "link"));
    const opened = await openRepo(repo.dir);
    for (const _ of [1, 2]) {
      const added = await opened.addWorktree({ ...one, path: join(folder.dir, "link/tree") });
      expect(added.root).toBe(join(folder.dir, "real/tree"));
    }
  });

  test("makes one anew whose folder somebody deleted", async () => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    await opened.addWorktree(one);
    rmSync(join(repo.dir, ".worktrees/1"), { recursive: true });
    const again = await opened.addWorktree(one);
    expect(await again.status()).toBe("clean");
    expect(await opened.listWorktrees()).toHaveLength(2);
  });

  test("keeps twenty at once apart", async () => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    const ids = Array.from({ length: 20 }, (_, i) => i);
    const added = await Promise.all(
      ids.map((i) => opened.addWorktree({ path: `.worktrees/${i}`, branch: `b${i}`, startPoint: "main" })),
    );
    expect(await Promise.all(added.map((each) => each.branchName()))).toEqual(ids.map((i) => `b${i}`));
    expect(await opened.listWorktrees()).toHaveLength(21);
  });
});

describe("a worktree that cannot be added says why and where, and touches nothing", () => {
  test.for<{ what: string; request?: object; before?: (repo: TestRepo) => void; kind: string; says: string }>([
    {
      what: "the branch is checked out in the main tree",
      request: { branch: "main" },
      kind: "worktree-taken",
      says: "main is checked out in {repo}:",
    },
    {
      what: "the branch is checked out in another worktree",
      before: (repo) => repo.git("worktree", "add", "-q", "-b", "feature/one", "other"),
      kind: "worktree-taken",
      says: "feature/one is checked out in {repo}/other",
    },
    {
      what: "the worktree is on another branch",
      before: (repo) => repo.git("worktree", "add", "-q", "-b", "another", ".worktrees/1"),
      kind: "worktree-taken",
      says: "{repo}/.worktrees/1 is a worktree on the branch another",
    },
    {
      what: "somebody's folder is in the way",
      before: (repo) => repo.write({ ".worktrees/1/precious": "p" }),
      kind: "worktree-taken",
      says: "{repo}/.worktrees/1 is in the way",
    },
    {
      what: "somebody's file is in the way",
      before: (repo) => repo.write({ ".worktrees/1": "p" }),
      kind: "worktree-taken",
      says: "is in the way",
    },
    {
      what: "somebody else was killed over it",
      before: (repo) => {
        repo.git("worktree", "add", "-q", "-b", "feature/one", ".worktrees/1");
        repo.git("worktree", "lock", "--reason", "initializing", ".worktrees/1");
      },
      kind: "worktree-taken",
      says: "half made",
    },
    { what: "the start point is unknown", request: { startPoint: "nope" }, kind: "unknown-ref", says: "nope" },
    { what: "the start point is an option", request: { startPoint: "--force" }, kind: "unknown-ref", says: "--force" },
    { what: "the branch is an option", request: { branch: "-b" }, kind: "unknown-ref", says: "no name for a branch" },
    {
      what: "the branch is an expression",
      request: { branch: "@{-1}" },
      kind: "unknown-ref",
      says: "no name for a branch",
    },
    { what: "the path leads out", request: { path: "../out" }, kind: "failed", says: "leads out of {repo}" },
    { what: "the path is the repository", request: { path: "." }, kind: "failed", says: "leads out of {repo}" },
    {
      what: "the disk is full",
      request: { minFreeBytes: Number.MAX_SAFE_INTEGER },
      kind: "no-space",
      says: "MB are needed",
    },
  ])("$what", async ({ request, before, kind, says }) => {
    using repo = makeRepo({ a: "1\n" });
    before?.(repo);
    const seen = repo.git("worktree", "list", "--porcelain") + repo.git("for-each-ref");
    const refused = (await openRepo(repo.dir)).addWorktree({ ...one, ...request });
    await expect(refused).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(says.replace("{repo}", repo.dir)),
    });
    expect(repo.git("worktree", "list", "--porcelain") + repo.git("for-each-ref")).toBe(seen);
    if (says.includes("in the way")) expect(existsSync(join(repo.dir, ".worktrees/1"))).toBe(true);
  });
});

describe("removing a worktree", () => {
  test("takes its files, also changed and ignored ones, and leaves its branch", async () => {
    using repo = makeRepo({ a: "1\n", ".gitignore": "x\n" });
    const opened = await openRepo(repo.dir);
    const { root } = await opened.addWorktree(one);
    openTestRepo(root).write({ a: "2\n", x: "x", "new/file": "n" });
    for (const _ of [1, 2]) await opened.removeWorktree(".worktrees/1");
    expect(existsSync(root)).toBe(false);
    expect(await opened.listWorktrees()).toHaveLength(1);
    expect(repo.git("branch", "--list", "feature/one")).toContain("feature/one");
  });

  test.for([
    { what: "the main tree", path: (repo: TestRepo) => repo.dir, says: "never removed" },
    { what: "a folder that is no worktree", path: () => "folder", says: "left alone" },
    { what: "one that a person locked", path: () => "locked", says: "locked (mine)" },
  ])("refuses $what", async ({ path, says }) => {
    using repo = makeRepo({ "folder/a": "1\n" });
    repo.git("worktree", "add", "-q", "-b", "locked", "locked");
    repo.git("worktree", "lock", "--reason", "mine", "locked");
    const opened = await openRepo(repo.dir);
    await expect(opened.removeWorktree(path(repo))).rejects.toMatchObject({
      kind: "worktree-taken",
      message: expect.stringContaining(says),
    });
    expect(existsSync(join(repo.dir, "folder/a")) && existsSync(join(repo.dir, "locked/folder/a"))).toBe(true);
  });
});

const ADD = [
  ...["git.exclude.before", "git.exclude.after", "git.worktree.claim.before", "git.worktree.claim.after"],
  ...["git.worktree.add.before", "git.worktree.add.after", "git.worktree.release.before", "git.worktree.release.after"],
];
const REMOVE = [
  ...["git.worktree.claim.before", "git.worktree.claim.after", "git.worktree.remove.before"],
  ...["git.worktree.remove.between", "git.worktree.remove.after", "git.worktree.release.before"],
];

describe("killed and run again, it ends as if nothing had happened", () => {
  test.for(ADD)("adding, killed at %s", async (point) => {
    using repo = makeRepo({ a: "1\n", "dir/b": "b\n" });
    using calm = makeRepo({ a: "1\n", "dir/b": "b\n" });
    const killed = killAt(point, repo.dir, `await repo.addWorktree(${JSON.stringify(one)});`);
    expect(killed).toMatchObject({ signal: "SIGKILL" });
    for (const each of [repo, calm]) await (await openRepo(each.dir)).addWorktree(one);
    const seen = JSON.stringify(await picture(repo)).replaceAll(repo.dir, calm.dir);
    expect(JSON.parse(seen)).toEqual(await picture(calm));
  });

  test.for(REMOVE)("removing, killed at %s", async (point) => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    await opened.addWorktree(one);
    const killed = killAt(point, repo.dir, `await repo.removeWorktree(".worktrees/1");`);
    expect(killed).toMatchObject({ signal: "SIGKILL" });
    await opened.removeWorktree(".worktrees/1");
    const seen = await picture(repo);
    expect(seen).toMatchObject({ files: null, records: [], claims: [], status: "" });
    expect(seen.worktrees).toHaveLength(1);
  });

  test("what was left half made can be cleared by itself", async () => {
    using repo = makeRepo({ a: "1\n" });
    killAt("git.worktree.add.before", repo.dir, `await repo.addWorktree(${JSON.stringify(one)});`);
    const opened = await openRepo(repo.dir);
    for (const _ of [1, 2]) await opened.clearHalfMade();
    expect(await picture(repo)).toMatchObject({ files: null, records: [], claims: [] });
  });

  test("adding elsewhere clears what was left half made, and leaves alone what a living process makes", async () => {
    using repo = makeRepo({ a: "1\n" });
    const claims = join(repo.dir, ".git/anneal/worktree-claims");
    const elsewhere = { ...one, path: ".worktrees/2", branch: "feature/two" };
    killAt("git.worktree.add.after", repo.dir, `await repo.addWorktree(${JSON.stringify(one)});`);
    const [name = ""] = readdirSync(claims);
    const left = JSON.parse(readFileSync(join(claims, name), "utf8"));
    const living = { pid: process.ppid, start: startOf(process.ppid) };
    writeFileSync(join(claims, name), JSON.stringify({ ...left, ...living }));
    await (await openRepo(repo.dir)).addWorktree(elsewhere);
    expect(await picture(repo)).toMatchObject({ files: [".git", "a"], claims: [name] });
    writeFileSync(join(claims, name), JSON.stringify({ ...left, start: "0" }));
    await (await openRepo(repo.dir)).addWorktree(elsewhere);
    expect(await picture(repo)).toMatchObject({ files: null, records: ["2"], claims: [] });
  });

  test("what was left half made is cleared in no copy of the project: it is not there", async () => {
    using repo = makeRepo({ a: "1\n" });
    using folder = tempFolder();
    killAt("git.worktree.add.after", repo.dir, `await repo.addWorktree(${JSON.stringify(one)});`);
    cpSync(repo.dir, folder.dir, { recursive: true });
    const { root } = await (await openRepo(repo.dir)).addWorktree(one);
    const copy = await openRepo(folder.dir);
    await copy.addWorktree({ path: ".worktrees/2", branch: "two", startPoint: "main" });
    expect(existsSync(join(root, "a"))).toBe(true);
    expect(readdirSync(join(folder.dir, ".git/anneal/worktree-claims"))).toEqual([]);
  });

  test("a git that was killed while it filled the folder leaves nothing that stays", async () => {
    using repo = makeRepo({ a: "1\n", "z.slow": "z\n", ".gitattributes": "*.slow filter=slow\n" });
    // The filter kills the checkout and the `worktree add` above it, so that neither can clean up.
    repo.git("config", "filter.slow.smudge", "kill -9 $(ps -o ppid= -p $PPID) $PPID; sleep 0");
    repo.git("config", "filter.slow.clean", "cat");
    repo.git("config", "filter.slow.required", "true");
    const opened = await openRepo(repo.dir);
    await expect(opened.addWorktree(one)).rejects.toThrow("worktree");
    expect(readdirSync(join(repo.dir, ".git/worktrees"))).toHaveLength(1);
    repo.git("config", "filter.slow.smudge", "cat");
    const added = await opened.addWorktree(one);
    expect(await added.status()).toBe("clean");
    expect(await picture(repo)).toMatchObject({
      records: ["1"],
      claims: [],
      files: expect.arrayContaining(["z.slow"]),
    });
  });
});

describe("a worktree that was switched to another branch", () => {
  async function switched(repo: TestRepo) {
    const main = await openRepo(repo.dir);
    const request = { path: ".worktrees/x", branch: "x", startPoint: "main" };
    const tree = await main.addWorktree(request);
    repo.git("-C", tree.root, "checkout", "--quiet", "-b", "mine");
    return { main, tree, request };
  }

  test("is refused with the way back where nobody of ours is at work there", async () => {
    using repo = makeRepo({ a: "1\n" });
    const { main, tree, request } = await switched(repo);
    await expect(main.addWorktree(request)).rejects.toThrow(`(git -C ${tree.root} switch x)`);
  });

  test("is ours where a process of ours was killed at work there, and only its own branch moves", async () => {
    using repo = makeRepo({ a: "1\n" });
    const { main, tree, request } = await switched(repo);
    const mine = openTestRepo(tree.root).commit({ a: "2\n" });
    writeFileSync(join(tree.gitDir, AT_WORK_NOTE), "");
    const again = await main.addWorktree(request);
    await again.restore({ head: repo.git("rev-parse", "main"), tree: null });
    expect(repo.git("rev-parse", "mine")).toBe(mine);
    expect(repo.git("-C", tree.root, "symbolic-ref", "--short", "HEAD")).toBe("x");
    expect(repo.git("-C", tree.root, "status", "--porcelain")).toBe("");
  });

  test("is left alone where its own branch is checked out elsewhere meanwhile", async () => {
    using repo = makeRepo({ a: "1\n" });
    const { tree } = await switched(repo);
    repo.git("checkout", "--quiet", "x");
    const head = repo.git("rev-parse", "main");
    await expect(tree.restore({ head, tree: null })).rejects.toThrow(`the branch x is checked out in ${repo.dir}`);
  });
});

test("a file that its filter cannot write is named with what to do", async () => {
  using repo = makeRepo({ ".gitattributes": "*.bin filter=broken\n", "a.bin": "a\n" });
  repo.git("config", "filter.broken.smudge", "false");
  repo.git("config", "filter.broken.required", "true");
  const adding = (await openRepo(repo.dir)).addWorktree({ path: ".worktrees/x", branch: "x", startPoint: "main" });
  await expect(adding).rejects.toThrow(/the filter broken fails on a\.bin: correct filter\.broken with git config/);
});
