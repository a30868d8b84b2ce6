import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestRepo, type TestRepo } from "../testing/make-repo.ts";
import { AT_WORK_NOTE, openRepo, type Repo } from "./index.ts";

let base: string;
let repo: TestRepo;
let main: Repo;
let tree: Repo;
const request = { path: ".worktrees/a", branch: "a", startPoint: "main" };

async function made(folder: string): Promise<void> {
  const dir = join(base, folder, "repo");
  mkdirSync(dir, { recursive: true });
  repo = openTestRepo(dir);
  repo.git("init", "--quiet", "--initial-branch=main");
  repo.git("config", "user.name", "Robin Example");
  repo.git("config", "user.email", "robin@example.com");
  repo.commit({ "a.txt": "one\n" });
  main = await openRepo(dir);
  tree = await main.addWorktree(request);
  repo.write({ "a.txt": "unsaved\n", "untracked.txt": "precious\n" });
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "anneal-pointer-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const DAMAGES: { what: string; damage: (root: string) => void }[] = [
  { what: "is gone", damage: (root) => rmSync(join(root, ".git")) },
  {
    what: "is an empty folder",
    damage: (root) => {
      rmSync(join(root, ".git"));
      mkdirSync(join(root, ".git"));
    },
  },
];

describe.for(["plain", "with:colon"])("in a worktree whose .git is lost (%s)", (folder) => {
  test.for(DAMAGES)("no git works on the tree above it: it $what", async ({ damage }) => {
    await made(folder);
    const head = await main.resolve("main");
    damage(tree.root);
    await expect(tree.resetTo(head)).rejects.toThrow();
    await expect(tree.restore({ head, tree: null })).rejects.toThrow();
    await expect(tree.commitAll("not ours")).rejects.toThrow();
    await expect(tree.worktreeTree()).rejects.toThrow();
    await expect(tree.status()).rejects.toThrow();
    expect(repo.git("status", "--porcelain")).toBe(" M a.txt\n?? untracked.txt");
    expect(repo.git("rev-parse", "main")).toBe(head);
  });
});

test("a folder within a work tree is still opened by the one above, also through a link", async () => {
  await made("plain");
  mkdirSync(join(repo.dir, "sub"));
  symlinkSync(repo.dir, join(base, "link"));
  for (const dir of [join(repo.dir, "sub"), join(base, "link"), join(base, "link/sub")])
    expect(await (await openRepo(dir)).status()).toBe("changed");
});

describe("a worktree that a killed process of ours left without its .git", () => {
  test.for([
    ...DAMAGES,
    {
      what: "leads to the user's own",
      damage: (root: string) => writeFileSync(join(root, ".git"), "gitdir: ../../.git\n"),
    },
  ])("is led back: it $what", async ({ damage }) => {
    await made("plain");
    writeFileSync(join(tree.gitDir, AT_WORK_NOTE), "");
    const pointer = readFileSync(join(tree.root, ".git"), "utf8");
    damage(tree.root);
    const again = await main.addWorktree(request);
    expect(again.gitDir).toBe(tree.gitDir);
    expect(readFileSync(join(tree.root, ".git"), "utf8")).toBe(pointer);
  });

  test("is refused where nobody of ours was at work", async () => {
    await made("plain");
    writeFileSync(join(tree.root, ".git"), `gitdir: ${repo.dir}/.git\n`);
    await expect(main.addWorktree(request)).rejects.toMatchObject({ kind: "worktree-taken" });
  });
});

test("a worktree that leads to the record of another one is never opened", async () => {
  await made("plain");
  const other = await main.addWorktree({ path: ".worktrees/b", branch: "b", startPoint: "main" });
  writeFileSync(join(tree.root, ".git"), `gitdir: ${other.gitDir}\n`);
  await expect(main.openWorktree(tree.root)).rejects.toMatchObject({ kind: "worktree-taken" });
  expect((await main.openWorktree(other.root)).gitDir).toBe(other.gitDir);
  expect(existsSync(join(other.root, "a.txt"))).toBe(true);
});
