import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestRepo, type TestRepo } from "../testing/make-repo.ts";
import { openRepo } from "./index.ts";

let base: string;
let repo: TestRepo;
const request = { path: ".worktrees/7", branch: "seven", startPoint: "main" };

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "anneal-records-")));
  repo = openTestRepo(join(base, "project"));
  mkdirSync(repo.dir);
  repo.git("init", "--quiet", "--initial-branch=main");
  repo.git("config", "user.name", "Robin Example");
  repo.git("config", "user.email", "robin@example.com");
  repo.commit({ a: "1\n" });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const add = async (more: object = {}) => await (await openRepo(repo.dir)).addWorktree({ ...request, ...more });
const records = () => readdirSync(join(repo.dir, ".git/worktrees")).sort();

describe("a person's worktree that is out of reach keeps its record, with its detached commit and what is staged", () => {
  let mine: TestRepo;
  beforeEach(() => {
    repo.git("worktree", "add", "--quiet", "--detach", "../mine");
    mine = openTestRepo(join(base, "mine"));
    mine.commit({ p: "precious\n" });
    mine.write({ s: "staged\n" });
    mine.git("add", "s");
  });

  /** While the worktree is away. */
  async function away(work: () => Promise<unknown>): Promise<void> {
    renameSync(mine.dir, join(base, "off"));
    await work();
    renameSync(join(base, "off"), mine.dir);
    expect(mine.git("show", "HEAD:p")).toBe("precious");
    expect(mine.git("status", "--porcelain")).toBe("A  s");
  }

  test("while one of ours is made anew", async () => {
    const { root } = await add();
    rmSync(root, { recursive: true });
    await away(async () => expect(await (await add()).status()).toBe("clean"));
    expect(records()).toEqual(["7", "mine"]);
  });

  test("while half-made ones are cleared", async () => {
    await away(async () => (await openRepo(repo.dir)).clearHalfMade());
  });

  test("while it has the branch that is wanted, which is refused with what to do", async () => {
    mine.git("switch", "--quiet", "--create", "seven");
    await away(async () => {
      const says = `the branch seven is checked out in ${mine.dir}, which is not there: make it reachable`;
      await expect(add()).rejects.toMatchObject({ kind: "worktree-taken", message: expect.stringContaining(says) });
    });
  });
});

test("one of ours that lost its .git is refused, and keeps its record", async () => {
  const { root } = await add();
  rmSync(join(root, ".git"));
  await expect(add()).rejects.toMatchObject({
    kind: "worktree-taken",
    message: expect.stringContaining(`git -C ${repo.dir} worktree repair`),
  });
  repo.git("worktree", "repair");
  expect(await (await add()).status()).toBe("clean");
});

test("the record of one of ours that is gone does not keep its branch from another path", async () => {
  const { root } = await add({ path: ".worktrees/6" });
  rmSync(root, { recursive: true });
  expect(await (await add()).branchName()).toBe("seven");
  expect(records()).toEqual(["7"]);
});

test("a locked record is never dropped", async () => {
  const { root } = await add();
  repo.git("worktree", "lock", "--reason", "mine", root);
  rmSync(root, { recursive: true });
  await expect(add()).rejects.toThrow("is locked (mine)");
  expect(records()).toEqual(["7"]);
});

describe.for(["moved", "moved to a place – ünïcode"])("after the project's folder is %s", (to) => {
  function move(): void {
    renameSync(repo.dir, join(base, to));
    repo = openTestRepo(join(base, to));
  }

  test("its worktrees are led back with all that is in them", async () => {
    const { root } = await add();
    openTestRepo(root).write({ staged: "s\n", draft: "d\n" });
    repo.git("-C", root, "add", "staged");
    move();
    const again = await add();
    expect(again).toMatchObject({ isNew: false, gitDir: join(repo.dir, ".git/worktrees/7") });
    expect(repo.git("-C", again.root, "status", "--porcelain")).toBe("A  staged\n?? draft");
    expect(repo.git("worktree", "list", "--porcelain")).not.toContain("prunable");
  });

  test("they can be opened, and removed, by their path", async () => {
    await add();
    move();
    const opened = await openRepo(repo.dir);
    expect(await (await opened.openWorktree(".worktrees/7")).branchName()).toBe("seven");
    renameSync(repo.dir, join(base, "again"));
    repo = openTestRepo(join(base, "again"));
    await (await openRepo(repo.dir)).removeWorktree(".worktrees/7");
    expect([existsSync(join(repo.dir, ".worktrees/7")), existsSync(join(repo.dir, ".git/worktrees/7"))]).toEqual([
      false,
      false,
    ]);
  });

  test("one whose folder went meanwhile is made anew", async () => {
    const { root } = await add();
    rmSync(root, { recursive: true });
    move();
    expect(await add()).toMatchObject({ isNew: true });
    expect(records()).toEqual(["7"]);
  });
});

describe("never led to where it does not belong", () => {
  test("a copy of a project, while the first one is there", async () => {
    const { root } = await add();
    const before = openTestRepo(root).git("rev-parse", "--absolute-git-dir");
    cpSync(repo.dir, join(base, "copy"), { recursive: true });
    const copied = async () => (await openRepo(join(base, "copy"))).addWorktree(request);
    await expect(copied()).rejects.toMatchObject({ kind: "worktree-taken" });
    expect(openTestRepo(root).git("rev-parse", "--absolute-git-dir")).toBe(before);
    rmSync(root, { recursive: true });
    await expect(copied()).rejects.toMatchObject({ message: expect.stringContaining("worktree repair") });
    expect(readdirSync(join(base, "copy/.git/worktrees"))).toEqual(["7"]);
    rmSync(repo.dir, { recursive: true });
    expect(await copied()).toMatchObject({ isNew: false });
  });

  test("a worktree under another name", async () => {
    const { root } = await add();
    renameSync(root, join(repo.dir, ".worktrees/8"));
    const other = add({ path: ".worktrees/8", branch: "eight" });
    await expect(other).rejects.toMatchObject({ message: expect.stringContaining("is in the way") });
    expect(records()).toEqual(["7"]);
  });
});
