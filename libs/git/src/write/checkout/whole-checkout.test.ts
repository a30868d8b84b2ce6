import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workspaceOf } from "../../../../workspace/src/testing/workspace-of.ts";
import { openRepo } from "../../index.ts";
import { makeRepo, openTestRepo, type TestRepo } from "../../testing/make-repo.ts";

const FILES = { "src/a": "a\n", "docs/b": "b\n", top: "t\n" };

async function worktreeOf(repo: TestRepo) {
  const main = await openRepo(repo.dir);
  const tree = await workspaceOf(repo);
  return { main, tree, inside: openTestRepo(tree.root), head: repo.git("rev-parse", "main") };
}

const SPARSE: { what: string; set: (repo: TestRepo) => void }[] = [
  { what: "in cones", set: (repo) => repo.git("sparse-checkout", "set", "--cone", "src") },
  { what: "with a sparse index", set: (repo) => repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "src") },
  {
    what: "in the way of old",
    set: (repo) => {
      repo.git("config", "core.sparseCheckout", "true");
      repo.write({ ".git/info/sparse-checkout": "src/\n" });
      repo.git("read-tree", "-mu", "HEAD");
    },
  },
];

describe("a repository that checks out only some files", () => {
  test.for(SPARSE)("gives worktrees that hold all of them, $what", async ({ set }) => {
    using repo = makeRepo(FILES);
    set(repo);
    const { main, inside } = await worktreeOf(repo);
    expect(Object.keys(FILES).filter((path) => !existsSync(join(inside.dir, path)))).toEqual([]);
    expect(inside.git("ls-files", "-v").split("\n")).toEqual(["H docs/b", "H src/a", "H top"]);
    expect(existsSync(join(repo.dir, "docs"))).toBe(false);
    expect(await main.status()).toBe("clean");
  });

  test.for(SPARSE)("commits what is written where the main work tree has nothing, $what", async ({ set }) => {
    using repo = makeRepo(FILES);
    set(repo);
    const { tree, inside } = await worktreeOf(repo);
    inside.write({ "docs/new": "n\n", "docs/b": "other\n" });
    await tree.commitAll("work");
    expect(inside.git("diff", "--name-only", "main", "one").split("\n")).toEqual(["docs/b", "docs/new"]);
  });
});

describe("what an agent hides from git in its worktree", () => {
  const HIDING: { what: string; hide: (inside: TestRepo) => void; changed: string[] }[] = [
    {
      what: "by a sparse checkout of its own",
      hide: (inside) => {
        inside.git("sparse-checkout", "set", "--cone", "src");
        inside.write({ "docs/new": "n\n" });
      },
      changed: ["docs/new"],
    },
    {
      what: "as left out",
      hide: (inside) => {
        inside.git("update-index", "--skip-worktree", "src/a");
        inside.write({ "src/a": "other\n" });
      },
      changed: ["src/a"],
    },
    {
      what: "as unchanged",
      hide: (inside) => {
        inside.git("update-index", "--assume-unchanged", "src/a", "top");
        inside.write({ "src/a": "other\n", top: null });
      },
      changed: ["src/a", "top"],
    },
  ];

  test.for(HIDING)("is its work all the same: $what", async ({ hide, changed }) => {
    using repo = makeRepo(FILES);
    const { tree, inside } = await worktreeOf(repo);
    hide(inside);
    const files = inside.git("diff", "--name-only", "main", await tree.worktreeTree()).split("\n");
    expect(files).toEqual(changed);
  });

  test.for(HIDING)("is seen again once the worktree is put back: $what", async ({ hide }) => {
    using repo = makeRepo(FILES);
    const { tree, inside, head } = await worktreeOf(repo);
    hide(inside);
    await tree.restore({ head, tree: null });
    expect(Object.keys(FILES).filter((path) => !existsSync(join(inside.dir, path)))).toEqual([]);
    writeFileSync(join(inside.dir, "docs/b"), "other\n");
    writeFileSync(join(inside.dir, "src/a"), "another\n");
    expect(inside.git("status", "--porcelain").split("\n")).toEqual([" M docs/b", " M src/a"]);
  });
});
