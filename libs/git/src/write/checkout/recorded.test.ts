import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo, openTestRepo, type TestRepo } from "../../testing/make-repo.ts";

const start = { a: "1\n", "src/b": "b\n", ".gitignore": "ignored\n" };
const at = (repo: TestRepo, name: string) => join(repo.dir, name);
const identity = { author: { name: "Loop", email: "loop@example.com" }, date: "1700000000 +0000" };

/** A work tree with a draft that is recorded. */
async function drafted(repo: TestRepo) {
  repo.write({ a: "draft\n", new: "n\n", ignored: "i\n" });
  const opened = await openRepo(repo.dir);
  return { opened, recorded: { head: repo.git("rev-parse", "HEAD"), tree: await opened.worktreeTree() } };
}

const SPOILT: { what: string; spoil: (repo: TestRepo) => void }[] = [
  { what: "nothing", spoil: () => {} },
  { what: "edits and litter", spoil: (repo) => repo.write({ a: "x", new: null, litter: "l" }) },
  { what: "a folder without files", spoil: (repo) => mkdirSync(at(repo, "empty/deep"), { recursive: true }) },
  { what: "a commit", spoil: (repo) => repo.git("commit", "-q", "-a", "-m", "own") },
  {
    what: "an edit that is hidden from git",
    spoil: (repo) => {
      repo.git("update-index", "--assume-unchanged", "src/b");
      repo.write({ "src/b": "hidden\n" });
    },
  },
  {
    what: "a repository of its own",
    spoil: (repo) => {
      repo.git("init", "-q", "nested");
      openTestRepo(at(repo, "nested")).git("config", "user.email", "robin@example.com");
      openTestRepo(at(repo, "nested")).git("config", "user.name", "Robin Example");
      openTestRepo(at(repo, "nested")).commit({ inside: "i\n" });
    },
  },
  {
    what: "conflicts without a merge",
    spoil: (repo) => {
      repo.git("stash", "-q", "--include-untracked");
      repo.commit({ a: "other\n" });
      expect(() => repo.git("stash", "pop")).toThrow();
      repo.git("update-ref", "refs/heads/main", "main~1");
    },
  },
  {
    what: "a merge under way",
    spoil: (repo) => writeFileSync(at(repo, ".git/MERGE_HEAD"), `${repo.git("rev-parse", "HEAD")}\n`),
  },
];

describe("files that have to be what is recorded", () => {
  test.for(SPOILT)("are, after $what", async ({ spoil }) => {
    using repo = makeRepo(start);
    const { opened, recorded } = await drafted(repo);
    spoil(repo);
    await opened.ensure(recorded);
    expect(await opened.worktreeTree()).toBe(recorded.tree);
    expect(repo.git("rev-parse", "HEAD")).toBe(recorded.head);
    expect(readFileSync(at(repo, "src/b"), "utf8")).toBe("b\n");
    expect(["empty", "litter", "nested", ".git/MERGE_HEAD"].filter((name) => existsSync(at(repo, name)))).toEqual([]);
    expect(readFileSync(at(repo, "ignored"), "utf8")).toBe("i\n");
  });

  test("are left alone where they are, with what somebody staged", async () => {
    using repo = makeRepo(start);
    const { opened, recorded } = await drafted(repo);
    repo.git("add", "new");
    await opened.ensure(recorded);
    expect(repo.git("status", "--porcelain").split("\n")).toEqual([" M a", "A  new"]);
  });

  test("are those of the head where no tree is recorded", async () => {
    using repo = makeRepo(start);
    const { opened, recorded } = await drafted(repo);
    await opened.ensure({ ...recorded, tree: null });
    expect(repo.git("status", "--porcelain")).toBe("");
  });
});

describe("a commit of what is recorded", () => {
  test.for(SPOILT)("is just that, after $what", async ({ spoil }) => {
    using repo = makeRepo(start);
    const { opened, recorded } = await drafted(repo);
    spoil(repo);
    const plan = await opened.prepareCommit({ message: "m", recorded, ...identity });
    expect(plan).toMatchObject({ tree: recorded.tree, parent: recorded.head, branch: "refs/heads/main" });
  });

  test("still takes what hooks stage", async () => {
    using repo = makeRepo(start);
    const { opened, recorded } = await drafted(repo);
    mkdirSync(at(repo, ".git/hooks"), { recursive: true });
    writeFileSync(at(repo, ".git/hooks/pre-commit"), "#!/bin/sh\necho formatted > a && git add a\n");
    chmodSync(at(repo, ".git/hooks/pre-commit"), 0o755);
    const plan = await opened.prepareCommit({ message: "m", recorded, ...identity });
    if (plan === "nothing" || "refused" in plan) throw new Error("no plan");
    expect(repo.git("cat-file", "blob", `${plan.tree}:a`)).toBe("formatted");
    await opened.carryOut(plan);
    expect(await opened.status()).toBe("clean");
  });

  test("leaves index and head the same, even where somebody staged between plan and commit", async () => {
    using repo = makeRepo(start);
    const { opened, recorded } = await drafted(repo);
    const plan = await opened.prepareCommit({ message: "m", recorded, ...identity });
    if (plan === "nothing" || "refused" in plan) throw new Error("no plan");
    repo.git("rm", "-q", "--cached", "new");
    await opened.carryOut(plan);
    expect(await opened.status()).toBe("clean");
  });
});
