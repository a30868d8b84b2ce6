import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../testing/make-repo.ts";
import { AT_WORK_NOTE, openRepo, type Repo } from "./index.ts";

let repo: TestRepo;
let main: Repo;
beforeEach(async () => {
  repo = makeRepo({ "a.txt": "one\n", "b.txt": "two\n" });
  main = await openRepo(repo.dir);
});
afterEach(() => repo.remove());

const KINDS = [
  { kind: "on a branch", branch: "a" },
  { kind: "detached", branch: null },
];

const DAMAGES: { what: string; damage: (path: string) => void }[] = [
  { what: "is empty", damage: (path) => writeFileSync(path, "") },
  { what: "is gone", damage: (path) => rmSync(path) },
  { what: "is no such file", damage: (path) => writeFileSync(path, "junk\n") },
  {
    what: "is a folder",
    damage: (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  },
  {
    what: "is a link to elsewhere",
    damage: (path) => {
      rmSync(path);
      symlinkSync("/dev/null", path);
    },
  },
];

/** What git takes for a HEAD, though there is no such commit. */
const NO_COMMITS: typeof DAMAGES = [
  { what: "names nothing", damage: (path) => writeFileSync(path, `${"0".repeat(40)}\n`) },
  { what: "names a commit that is not there", damage: (path) => writeFileSync(path, `${"12".repeat(20)}\n`) },
  { what: "goes on after a name", damage: (path) => writeFileSync(path, `${"12".repeat(20)}junk\n`) },
];

describe.for(KINDS)("the worktree $kind, asked for again", ({ branch }) => {
  const request = { path: ".worktrees/a", branch, startPoint: "main" };

  /** With a commit of its own, and an edit that no commit has. */
  async function worked(): Promise<{ tree: Repo; head: string }> {
    const tree = await main.addWorktree(request);
    writeFileSync(join(tree.root, "a.txt"), "one more\n");
    await tree.commitAll("more");
    const head = repo.git("-C", tree.root, "rev-parse", "HEAD");
    writeFileSync(join(tree.root, "b.txt"), "edited\n");
    return { tree, head };
  }

  test.for([...DAMAGES, ...NO_COMMITS])("has its HEAD again where that $what", async ({ damage }) => {
    const { tree, head } = await worked();
    const before = readFileSync(join(tree.gitDir, "HEAD"), "utf8");
    damage(join(tree.gitDir, "HEAD"));
    const again = await main.addWorktree(request);
    expect(again.gitDir).toBe(tree.gitDir);
    expect(readFileSync(join(tree.gitDir, "HEAD"), "utf8")).toBe(before);
    expect(await again.headCommit()).toBe(head);
    expect(repo.git("-C", tree.root, "status", "--porcelain")).toBe(" M b.txt");
  });

  test.for(DAMAGES)("has an index again where that $what", async ({ damage }) => {
    const { tree, head } = await worked();
    damage(join(tree.gitDir, "index"));
    const again = await main.addWorktree(request);
    expect(await again.headCommit()).toBe(head);
    expect(repo.git("-C", tree.root, "status", "--porcelain")).toBe(" M b.txt");
  });

  test.for(DAMAGES)("has both again where each $what", async ({ damage }) => {
    const { tree, head } = await worked();
    for (const name of ["HEAD", "index"]) damage(join(tree.gitDir, name));
    const again = await main.addWorktree(request);
    expect(await again.headCommit()).toBe(head);
    expect(repo.git("-C", tree.root, "status", "--porcelain")).toBe(" M b.txt");
  });

  test("is reset while its index is damaged", async () => {
    const { tree, head } = await worked();
    writeFileSync(join(tree.gitDir, "index"), "");
    await tree.restore({ head, tree: null });
    expect(repo.git("-C", tree.root, "status", "--porcelain")).toBe("");
  });

  test("keeps what is staged where nothing is damaged", async () => {
    const { tree } = await worked();
    repo.git("-C", tree.root, "add", "b.txt");
    await main.addWorktree(request);
    expect(repo.git("-C", tree.root, "status", "--porcelain")).toBe("M  b.txt");
  });
});

describe("a commit that a person made on a detached head of a branch's worktree", () => {
  const request = { path: ".worktrees/a", branch: "a", startPoint: "main" };

  async function detached(): Promise<{ tree: Repo; mine: string }> {
    const tree = await main.addWorktree(request);
    const inTree = (...args: string[]) => repo.git("-C", tree.root, ...args);
    inTree("checkout", "--quiet", "--detach");
    inTree("commit", "--quiet", "--allow-empty", "--message", "mine");
    return { tree, mine: inTree("rev-parse", "HEAD") };
  }

  test.for([
    { what: "is empty", text: "" },
    { what: "names nothing", text: `${"0".repeat(40)}\n` },
  ])("is at stake where work was cut off and HEAD $what", async ({ text }) => {
    const { tree, mine } = await detached();
    writeFileSync(join(tree.gitDir, AT_WORK_NOTE), "");
    const head = join(tree.gitDir, "HEAD");
    writeFileSync(head, text);
    expect(await (await main.addWorktree(request)).atStake()).toContain(mine);
    expect(readFileSync(head, "utf8")).toBe(`${mine}\n`);
  });

  test("keeps the worktree from being taken at rest, as without the damage", async () => {
    const { tree, mine } = await detached();
    const asBefore = { kind: "worktree-taken", message: expect.stringContaining("is a worktree on a detached head") };
    await expect(main.addWorktree(request)).rejects.toMatchObject(asBefore);
    rmSync(join(tree.gitDir, "HEAD"));
    await expect(main.addWorktree(request)).rejects.toMatchObject(asBefore);
    expect(await tree.headCommit()).toBe(mine);
  });

  test("is no reason against the branch once another one has it", async () => {
    const { tree } = await detached();
    repo.git("-C", tree.root, "switch", "--quiet", "--create", "mine");
    rmSync(join(tree.gitDir, "HEAD"));
    await main.addWorktree(request);
    expect(readFileSync(join(tree.gitDir, "HEAD"), "utf8")).toBe("ref: refs/heads/a\n");
  });

  test.for([
    { where: "is damaged", head: "0".repeat(40) },
    { where: "names a branch that is not there", head: "ref: refs/heads/nowhere" },
  ])("is at stake where the HEAD $where while the worktree is open", async ({ head }) => {
    const { tree, mine } = await detached();
    writeFileSync(join(tree.gitDir, "HEAD"), `${head}\n`);
    expect(await tree.atStake()).toContain(mine);
  });
});

test("a HEAD that is lost with its branch leads to it again: where it stood is the log's to say", async () => {
  const request = { path: ".worktrees/a", branch: "a", startPoint: "main" };
  const tree = await main.addWorktree(request);
  repo.git("-C", tree.root, "commit", "--quiet", "--allow-empty", "--message", "more");
  for (const path of [join(repo.dir, ".git/refs/heads/a"), join(tree.gitDir, "HEAD")]) rmSync(path);
  await main.addWorktree(request);
  expect(readFileSync(join(tree.gitDir, "HEAD"), "utf8")).toBe("ref: refs/heads/a\n");
});

test("a detached worktree goes to where it was asked for if git has no log of it", async () => {
  const request = { path: ".worktrees/a", branch: null, startPoint: "HEAD" };
  const tree = await main.addWorktree(request);
  writeFileSync(join(tree.gitDir, "HEAD"), "");
  writeFileSync(join(tree.gitDir, "logs/HEAD"), "");
  expect(await (await main.addWorktree(request)).headCommit()).toBe(repo.git("rev-parse", "main"));
});

test("an index that is damaged, on a branch that is gone, is empty until the worktree is reset", async () => {
  const request = { path: ".worktrees/a", branch: "a", startPoint: "main" };
  const tree = await main.addWorktree(request);
  repo.git("update-ref", "-d", "refs/heads/a");
  writeFileSync(join(tree.gitDir, "index"), "");
  await main.addWorktree(request);
  await tree.restore({ head: await main.resolve("main"), tree: null });
  expect(repo.git("-C", tree.root, "status", "--porcelain")).toBe("");
});

test.for(DAMAGES)(
  "an ignored file that is tracked stays in what was changed, where the index $what",
  async ({ damage }) => {
    repo.write({ ".gitignore": "*.env\n", "a.env": "tracked\n" });
    repo.git("add", "--force", ".");
    repo.git("commit", "--quiet", "--message", "ignored");
    const tree = await main.addWorktree({ path: ".worktrees/a", branch: "a", startPoint: "main" });
    writeFileSync(join(tree.root, "new.txt"), "new\n");
    damage(join(tree.gitDir, "index"));
    const files = await tree.worktreeTree({ since: await main.resolve("main") });
    expect(repo.git("diff", "--name-status", "main", files)).toBe("A\tnew.txt");
    expect(repo.git("-C", tree.root, "status", "--porcelain")).toBe("?? new.txt");
  },
);

test("a HEAD that was lost does not take the branch from the work tree that has it by now", async () => {
  const tree = await main.addWorktree({ path: ".worktrees/a", branch: "a", startPoint: "main" });
  writeFileSync(join(tree.gitDir, "HEAD"), "");
  repo.git("worktree", "add", "--quiet", join(repo.dir, "elsewhere"), "a");
  const again = main.addWorktree({ path: ".worktrees/a", branch: "a", startPoint: "main" });
  await expect(again).rejects.toMatchObject({ kind: "worktree-taken", message: expect.stringContaining("elsewhere") });
});

test("a HEAD that leads to a branch in git's old way is no damage", async () => {
  const request = { path: ".worktrees/a", branch: "a", startPoint: "main" };
  const tree = await main.addWorktree(request);
  const head = join(tree.gitDir, "HEAD");
  rmSync(head);
  symlinkSync("refs/heads/a", head);
  await main.addWorktree(request);
  expect(() => readFileSync(head)).toThrow();
});

test("a worktree without a HEAD can be opened by its path, so that what is wrong is told when git is asked", async () => {
  const tree = await main.addWorktree({ path: ".worktrees/a", branch: "a", startPoint: "main" });
  writeFileSync(join(tree.gitDir, "HEAD"), "");
  const again = await main.openWorktree(tree.root);
  expect(again.gitDir).toBe(tree.gitDir);
  await expect(again.status()).rejects.toMatchObject({ kind: "failed" });
});
