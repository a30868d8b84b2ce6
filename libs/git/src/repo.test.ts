import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GitError, openRepo } from "./index.ts";
import { makeRepo, openTestRepo } from "./testing/make-repo.ts";

function tempFolder(): { dir: string } & Disposable {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-folder-")));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

describe("opening a repository", () => {
  test("finds the top of the work tree from a subfolder", async () => {
    using repo = makeRepo({ "deep/down/a": "a" });
    const opened = await openRepo(join(repo.dir, "deep/down"));
    expect(opened).toMatchObject({ root: repo.dir, gitDir: join(repo.dir, ".git") });
  });

  test("works in a linked work tree, with a head and an index of its own", async () => {
    using repo = makeRepo({ a: "1\n" });
    using folder = tempFolder();
    const dir = join(folder.dir, "linked tree");
    repo.git("worktree", "add", "--quiet", "-b", "side", dir);
    const linked = openTestRepo(dir);
    const head = linked.commit({ a: "2\n" });
    const opened = await openRepo(dir);
    expect(opened.root).toBe(dir);
    expect(await opened.branchName()).toBe("side");
    expect(await opened.mergeBase("main", "HEAD")).toBe(repo.git("rev-parse", "main"));
    const files = opened.changedFiles({ base: "main", head, headKind: "commit" });
    for await (const file of files) expect(file.hunks[0]?.lines).toEqual(["-1", "+2"]);
    linked.write({ b: "new\n" });
    expect(await opened.commitAll("more")).toMatchObject({ commit: linked.git("rev-parse", "side") });
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  test("works where the path of the repository holds a newline", async () => {
    using folder = tempFolder();
    const dir = join(folder.dir, "two\nlines");
    mkdirSync(dir);
    openTestRepo(dir).git("init", "--quiet");
    expect(await openRepo(dir)).toMatchObject({ root: dir, gitDir: join(dir, ".git") });
  });

  test("ignores the GIT_ variables of the caller", async () => {
    using repo = makeRepo({ a: "a" });
    using other = makeRepo({ b: "b" });
    process.env.GIT_DIR = join(other.dir, ".git");
    process.env.GIT_INDEX_FILE = "/nowhere";
    try {
      const opened = await openRepo(repo.dir);
      expect(opened.root).toBe(repo.dir);
      expect(await opened.stagedTree()).toBe(repo.git("rev-parse", "HEAD^{tree}"));
    } finally {
      delete process.env.GIT_DIR;
      delete process.env.GIT_INDEX_FILE;
    }
  });
});

describe("what cannot be opened says in one line what to do", () => {
  test.for([
    { what: "a folder outside any repository", path: "", advice: "git init" },
    { what: "a folder that does not exist", path: "no/such", advice: "name a folder inside a git work tree" },
    { what: "a bare repository", path: "bare", advice: "clone it" },
    { what: "a git directory", path: "normal/.git", advice: "run this in the work tree" },
  ])("$what", async ({ path, advice }) => {
    using folder = tempFolder();
    const git = openTestRepo(folder.dir).git;
    git("init", "--quiet", "--bare", "bare");
    git("init", "--quiet", "normal");
    const error: unknown = await openRepo(join(folder.dir, path)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GitError);
    expect(error).toMatchObject({ kind: "not-a-repository", message: expect.stringContaining(advice) });
    expect((error as GitError).message).not.toContain("\n");
  });

  test("a machine without git", async () => {
    using repo = makeRepo({ a: "a" });
    const path = process.env.PATH;
    process.env.PATH = "/nowhere";
    try {
      const opened = await openRepo(repo.dir);
      await expect(opened.status()).rejects.toMatchObject({ kind: "git-missing" });
    } finally {
      process.env.PATH = path;
    }
  });
});

describe("names of commits", () => {
  test("resolve to the commit: branches, tags, ids, expressions", async () => {
    using repo = makeRepo({ a: "1" });
    const first = repo.git("rev-parse", "HEAD");
    repo.git("tag", "-a", "v1", "-m", "one");
    const second = repo.commit({ a: "2" });
    const opened = await openRepo(repo.dir);
    expect(await Promise.all(["v1", "HEAD~1", first.slice(0, 10)].map(opened.resolve))).toEqual([first, first, first]);
    expect(await Promise.all(["main", "HEAD", second].map(opened.resolve))).toEqual([second, second, second]);
  });

  test.for(["nope", "", "--all", "-h", "HEAD:a", "a\0b", "x y", "HEAD^5", "1".repeat(40)])(
    "that name none are refused: %j",
    async (ref) => {
      using repo = makeRepo({ a: "1" });
      const opened = await openRepo(repo.dir);
      await expect(opened.resolve(ref)).rejects.toMatchObject({ name: "GitError", kind: "unknown-ref" });
    },
  );

  test("in a repository without commits there is no head, but a branch", async () => {
    using repo = makeRepo();
    const opened = await openRepo(repo.dir);
    expect(await opened.headCommit()).toBeNull();
    expect(await opened.branchName()).toBe("main");
    await expect(opened.resolve("HEAD")).rejects.toMatchObject({ kind: "no-commits" });
  });

  test("on a detached head there is a commit, but no branch", async () => {
    using repo = makeRepo({ a: "1" });
    repo.git("checkout", "--quiet", "--detach");
    const opened = await openRepo(repo.dir);
    expect(await opened.headCommit()).toBe(repo.git("rev-parse", "main"));
    expect(await opened.branchName()).toBeNull();
  });
});

describe("the default branch", () => {
  test.for([
    { refs: ["origin/trunk", "origin/main", "main"], originHead: "trunk", expected: "origin/trunk" },
    { refs: ["origin/main", "origin/master", "main"], expected: "origin/main" },
    { refs: ["origin/main", "main"], originHead: "gone", expected: "origin/main" },
    { refs: ["origin/master", "main"], expected: "origin/master" },
    { refs: ["master", "main"], expected: "main" },
    { refs: ["master"], expected: "master" },
    { refs: ["main"], tag: "loose", expected: "heads/main" },
    { refs: ["main"], tag: "packed", expected: "heads/main" },
    { refs: ["develop"], configured: "develop", expected: "develop" },
  ])("is $expected among $refs", async ({ refs, originHead, configured, tag, expected }) => {
    using repo = makeRepo({ a: "1" });
    const head = repo.git("rev-parse", "HEAD");
    repo.git("checkout", "--quiet", "--detach");
    repo.git("branch", "-D", "main");
    // Left there by git, and empty: without it the files alone say which branches there are.
    rmSync(join(repo.dir, ".git/packed-refs"), { force: true });
    for (const ref of refs) repo.git("update-ref", `refs/${ref.includes("/") ? "remotes" : "heads"}/${ref}`, head);
    if (originHead) repo.git("symbolic-ref", "refs/remotes/origin/HEAD", `refs/remotes/origin/${originHead}`);
    if (configured) repo.git("config", "init.defaultBranch", configured);
    if (tag) repo.git("tag", "main", head);
    if (tag === "packed") repo.git("pack-refs");
    expect(await (await openRepo(repo.dir)).defaultBranch()).toBe(expected);
    repo.git("pack-refs", "--all");
    expect(await (await openRepo(repo.dir)).defaultBranch()).toBe(expected);
  });

  test("is the only branch there is, whatever its name", async () => {
    using repo = makeRepo({ a: "1" });
    repo.git("branch", "-m", "trunk");
    expect(await (await openRepo(repo.dir)).defaultBranch()).toBe("trunk");
  });

  test("is the only one besides those that cannot be it", async () => {
    using repo = makeRepo({ a: "1" });
    repo.git("branch", "-m", "trunk");
    for (const ours of ["story-1", "epic/x"]) repo.git("branch", ours);
    const opened = await openRepo(repo.dir);
    expect(await opened.defaultBranch(() => ["story-1", "epic/x"])).toBe("trunk");
    await expect(opened.defaultBranch(() => ["story-1"])).rejects.toMatchObject({ kind: "no-default-branch" });
  });

  test("is an error where none of them exists", async () => {
    using repo = makeRepo({ a: "1" });
    repo.git("branch", "-m", "odd");
    repo.git("branch", "other");
    const opened = await openRepo(repo.dir);
    await expect(opened.defaultBranch()).rejects.toMatchObject({
      kind: "no-default-branch",
      message: expect.stringContaining("--base"),
    });
  });
});

describe("the merge base", () => {
  test("is where the branches parted", async () => {
    using repo = makeRepo({ a: "1" });
    const fork = repo.git("rev-parse", "HEAD");
    repo.git("checkout", "--quiet", "-b", "side");
    repo.commit({ b: "1" });
    repo.git("checkout", "--quiet", "main");
    repo.commit({ c: "1" });
    expect(await (await openRepo(repo.dir)).mergeBase("main", "side")).toBe(fork);
  });

  test("of commits that only another repository of this process has is not known here", async () => {
    using here = makeRepo({ a: "1" });
    using there = makeRepo({ b: "1" });
    const first = there.git("rev-parse", "HEAD");
    const second = there.commit({ b: "2" });
    expect(await (await openRepo(there.dir)).mergeBase(first, second)).toBe(first);
    await expect((await openRepo(here.dir)).mergeBase(first, second)).rejects.toMatchObject({ kind: "unknown-ref" });
  });

  test("does not exist between unrelated histories", async () => {
    using repo = makeRepo({ a: "1" });
    repo.git("checkout", "--quiet", "--orphan", "other");
    repo.commit({ b: "1" });
    const opened = await openRepo(repo.dir);
    await expect(opened.mergeBase("main", "other")).rejects.toMatchObject({
      kind: "no-merge-base",
      message: expect.stringContaining("unrelated"),
    });
  });

  test("that a shallow clone lacks is an error that tells how to get it", async () => {
    using repo = makeRepo({ a: "1" });
    repo.git("checkout", "--quiet", "-b", "side");
    repo.commit({ b: "1" });
    repo.git("checkout", "--quiet", "main");
    repo.commit({ c: "1" });
    using folder = tempFolder();
    const clone = join(folder.dir, "clone");
    openTestRepo(folder.dir).git("clone", "--quiet", "--depth=1", "--no-single-branch", `file://${repo.dir}`, clone);
    const opened = await openRepo(clone);
    expect(await opened.defaultBranch()).toBe("origin/main");
    await expect(opened.mergeBase("origin/main", "origin/side")).rejects.toMatchObject({
      kind: "no-merge-base",
      message: expect.stringContaining("git fetch --unshallow"),
    });
    openTestRepo(clone).git("fetch", "--quiet", "--unshallow");
    expect(await opened.mergeBase("origin/main", "origin/side")).toBe(repo.git("merge-base", "main", "side"));
  });
});

test("the commits since another one are those on the files of a third, where that is asked for", async () => {
  using repo = makeRepo({ a: "1" });
  const base = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "--quiet", "-b", "side");
  repo.commit({ "[b]": "1", a: "2" });
  const like = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "--quiet", "main");
  const commit = (files: Parameters<typeof repo.commit>[0]) => {
    repo.commit(files);
    return repo.git("rev-parse", "HEAD");
  };
  const made = [commit({ "[b]": "1" }), commit({ b: "other" }), commit({ a: "3" }), commit({ "[b]": null })];
  const opened = await openRepo(repo.dir);
  expect(await opened.commitsSince(base, made[3] ?? "")).toEqual(made);
  expect(await opened.commitsSince(base, made[3] ?? "", like)).toEqual([made[0], made[2], made[3]]);
});

describe("a change", () => {
  test("streams its files again on every call and reads blobs until it is closed", async () => {
    using repo = makeRepo({ a: "1\n" });
    const head = repo.commit({ a: "2\n" });
    const change = (await openRepo(repo.dir)).change({ base: "HEAD~1", head, headKind: "commit" });
    for (const _ of [1, 2]) {
      for await (const file of change.files()) {
        expect(await Promise.all([change.content(file.oldBlob), change.content(file.newBlob)])).toEqual(["1\n", "2\n"]);
      }
    }
    change.close();
    await expect(change.content(head)).rejects.toThrow("closed");
  });

  test("reads true objects where a replace ref would show others", async () => {
    using repo = makeRepo({ a: "honest\n" });
    const blob = repo.git("rev-parse", "HEAD:a");
    writeFileSync(join(repo.dir, "b"), "fake\n");
    repo.git("replace", blob, repo.git("hash-object", "-w", "b"));
    const blobs = (await openRepo(repo.dir)).blobs();
    expect(await blobs.read(blob)).toBe("honest\n");
    blobs.close();
  });
});
