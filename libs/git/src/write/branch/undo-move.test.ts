import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { killAt } from "../../testing/kill-at.ts";
import type { TestRepo } from "../../testing/make-repo.ts";
import { twoCommits } from "../../testing/two-commits.ts";

function texts(repo: TestRepo): string[] {
  return readdirSync(repo.dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.includes("/.git/"))
    .map((entry) => `${entry.parentPath}/${entry.name} ${readFileSync(join(entry.parentPath, entry.name), "utf8")}`)
    .sort();
}

function expectBack(repo: TestRepo, from: string, before: string[]): void {
  expect(repo.git("rev-parse", "main")).toBe(from);
  expect(repo.git("status", "--porcelain")).toBe(" M keep\n?? untracked");
  expect(texts(repo)).toEqual(before);
  expect(readdirSync(join(repo.dir, ".git")).filter((name) => /\.(lock|tmp)$|^anneal-move/.test(name))).toEqual([]);
}

const POINTS = ["note.after", "files.before", "files.after", "ref.before"];

test.for(POINTS)(
  "a move that was killed at git.move.%s is undone, and work that is not its own stays",
  async (point) => {
    using two = twoCommits();
    const { repo, from, to } = two;
    repo.write({ keep: "mine\n", untracked: "u\n" });
    const before = texts(repo);
    const move = JSON.stringify({ branch: "main", from, to });
    expect(killAt(`git.move.${point}`, repo.dir, `await repo.moveBranch(${move});`)).toMatchObject({
      signal: "SIGKILL",
    });
    await (await openRepo(repo.dir)).undoMove("main");
    expectBack(repo, from, before);
  },
);

test.for(["files.before", "files.after", "files.before:2", "files.after:2"])(
  "an undoing that was killed at git.move.%s itself is undone by the next one",
  async (point) => {
    using two = twoCommits();
    const { repo, from, to } = two;
    repo.write({ keep: "mine\n", untracked: "u\n" });
    const before = texts(repo);
    const move = JSON.stringify({ branch: "main", from, to });
    killAt("git.move.files.after", repo.dir, `await repo.moveBranch(${move});`);
    expect(killAt(`git.move.${point}`, repo.dir, `await repo.undoMove("main");`)).toMatchObject({ signal: "SIGKILL" });
    await (await openRepo(repo.dir)).undoMove("main");
    expectBack(repo, from, before);
  },
);

test.for([
  { path: "edit", mine: "one\nmine\n", left: " M edit" },
  { path: "added", mine: "a\nmine\n", left: "?? added" },
])(
  "a file that a person has changed since stays, and nothing of ours stays staged: $path",
  async ({ path, mine, left }) => {
    using two = twoCommits();
    const { repo, from, to } = two;
    const move = { branch: "main", from, to };
    killAt("git.move.files.after", repo.dir, `await repo.moveBranch(${JSON.stringify(move)});`);
    writeFileSync(join(repo.dir, path), mine);
    const opened = await openRepo(repo.dir);
    await opened.undoMove("main");
    expect(readFileSync(join(repo.dir, path), "utf8")).toBe(mine);
    expect(existsSync(join(repo.dir, ".git/anneal-move.json"))).toBe(false);
    expect([repo.git("rev-parse", "main"), repo.git("status", "--porcelain")]).toEqual([from, left]);
    await expect(opened.moveBranch(move)).rejects.toMatchObject({ kind: "in-the-way", paths: [path] });
    expect(readFileSync(join(repo.dir, path), "utf8")).toBe(mine);
  },
);

test("what a person stages in a file that was half moved stays staged", async () => {
  using two = twoCommits();
  const { repo, from, to } = two;
  killAt("git.move.files.after", repo.dir, `await repo.moveBranch(${JSON.stringify({ branch: "main", from, to })});`);
  writeFileSync(join(repo.dir, "edit"), "mine\n");
  repo.git("add", "edit");
  await (await openRepo(repo.dir)).undoMove("main");
  expect(repo.git("status", "--porcelain")).toBe("M  edit");
});

test("a branch that has arrived, and one that nobody moved, stay as they are", async () => {
  using two = twoCommits();
  const { repo, from, to } = two;
  const opened = await openRepo(repo.dir);
  await opened.undoMove("main");
  expect(repo.git("rev-parse", "main")).toBe(from);
  const move = JSON.stringify({ branch: "main", from, to });
  killAt("git.move.ref.after", repo.dir, `await repo.moveBranch(${move});`);
  await opened.undoMove("main");
  expect([repo.git("rev-parse", "main"), repo.git("status", "--porcelain")]).toEqual([to, ""]);
  await opened.undoMove("none");
});
