import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeAtomic } from "../files/atomic.ts";
import { openRepo } from "../git/index.ts";
import { makeRepo, type TestRepo } from "../testing/make-repo.ts";
import { guardGit } from "./git-guard.ts";

let repo: TestRepo;
let tree: string;
let pointer: string;
const at = (path: string) => join(repo.dir, ".git", path);
beforeEach(async () => {
  repo = makeRepo({ "a.txt": "one\n" });
  const main = await openRepo(repo.dir);
  tree = (await main.addWorktree({ path: ".worktrees/a", branch: "a", startPoint: "main" })).root;
  pointer = readFileSync(join(tree, ".git"), "utf8");
});
afterEach(() => repo.remove());

describe("what leads git from a worktree to its repository is put back and named, where", () => {
  test.for<{ what: string; act: () => void; named: string }>([
    { what: "its pointer is gone", act: () => rmSync(join(tree, ".git")), named: ".git" },
    {
      what: "its pointer leads elsewhere",
      act: () => writeFileSync(join(tree, ".git"), `gitdir: ${repo.dir}/.git\n`),
      named: ".git",
    },
    {
      what: "a link stands in its place",
      act: () => {
        rmSync(join(tree, ".git"));
        symlinkSync(at("."), join(tree, ".git"));
      },
      named: ".git",
    },
    { what: "all of the worktree is gone", act: () => rmSync(tree, { recursive: true }), named: ".git" },
    {
      what: "a link stands in the place of the worktree",
      act: () => {
        rmSync(tree, { recursive: true });
        symlinkSync(repo.dir, tree);
      },
      named: ".git",
    },
    {
      what: "git's record of it is gone",
      act: () => rmSync(at("worktrees/a"), { recursive: true }),
      named: ".git/worktrees/a/HEAD",
    },
    {
      what: "git's record names another repository",
      act: () => writeFileSync(at("worktrees/a/commondir"), "/elsewhere\n"),
      named: ".git/worktrees/a/commondir",
    },
  ])("$what", ({ act, named }) => {
    const guard = guardGit(tree, "pointer");
    act();
    expect(guard.putBack()).toContain(named);
    expect(readFileSync(join(tree, ".git"), "utf8")).toBe(pointer);
    expect(repo.git("-C", tree, "symbolic-ref", "HEAD")).toBe("refs/heads/a");
    expect(existsSync(join(repo.dir, "a.txt")), "the user's own files are where they were").toBe(true);
    expect(guard.putBack()).toEqual([]);
  });
});

describe("what can make git start programs is put back, and kept where it may be a person's, where somebody", () => {
  test.for<{ what: string; act: () => void; named: string }>([
    { what: "sets where hooks lie", act: () => repo.git("config", "core.hooksPath", "evil"), named: ".git/config" },
    { what: "adds a hook", act: () => writeFileSync(at("hooks/pre-commit"), "evil"), named: ".git/hooks/pre-commit" },
    {
      what: "names attributes",
      act: () => writeFileSync(at("info/attributes"), "* filter=x"),
      named: ".git/info/attributes",
    },
    {
      what: "makes a hook of an example",
      act: () => chmodSync(at("hooks/mine"), 0o755),
      named: ".git/hooks/mine",
    },
    {
      what: "puts a link in the place of all hooks",
      act: () => {
        rmSync(at("hooks"), { recursive: true });
        symlinkSync(tree, at("hooks"));
      },
      named: ".git/hooks",
    },
    {
      what: "puts a file in the place of all hooks",
      act: () => {
        rmSync(at("hooks"), { recursive: true });
        writeFileSync(at("hooks"), "");
      },
      named: ".git/hooks",
    },
  ])("$what", ({ act, named }) => {
    mkdirSync(at("hooks"), { recursive: true });
    writeFileSync(at("hooks/mine"), "mine", { mode: 0o644 });
    const config = readFileSync(at("config"), "utf8");
    const guard = guardGit(tree, "settings");
    act();
    const names = guard.putBack();
    expect(names.map((name) => name.split(" ")[0])).toContain(named);
    const kept = /kept as (.+)\)$/.exec(names.find((name) => name.startsWith(`${named} `)) ?? "")?.[1] ?? "";
    expect(kept).toContain("/anneal/put-back-");
    expect(readFileSync(at("config"), "utf8")).toBe(config);
    expect(readFileSync(at("hooks/mine"), "utf8")).toBe("mine");
    expect(existsSync(at("hooks/pre-commit"))).toBe(false);
    expect(guard.putBack()).toEqual([]);
  });
});

test.for<{ what: string; act: () => void | Promise<void> }>([
  { what: "commits", act: () => void repo.git("-C", tree, "commit", "-qm", "x", "--allow-empty") },
  {
    what: "makes a branch that follows another",
    act: () => void repo.git("branch", "--track", "b", "main"),
  },
  { what: "is this process, which hides files", act: () => writeAtomic(at("info/exclude"), "/made/\n") },
])("whoever $what has changed nothing of it", async ({ act }) => {
  const guard = guardGit(tree, "settings");
  await act();
  const config = readFileSync(at("config"), "utf8");
  expect(guard.putBack()).toEqual([]);
  expect(readFileSync(at("config"), "utf8")).toBe(config);
});
