import { cpSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { killAt } from "../../testing/kill-at.ts";
import { type Files, makeRepo, openTestRepo, type TestRepo } from "../../testing/make-repo.ts";

const FILES = {
  "src/a": "a\n",
  "docs/b": "b\n",
  "docs/deep/c": "c\n",
  "docs/deep/d": "d\n",
  "lib/e": "e\n",
  "zone/z": "z\n",
  top: "t\n",
};

const SPARSE: { what: string; set: (repo: TestRepo) => void }[] = [
  { what: "in cones", set: (repo) => repo.git("sparse-checkout", "set", "--cone", "src") },
  { what: "with a sparse index", set: (repo) => repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "src") },
];

const CHANGES: { does: string; files: Files }[] = [
  { does: "changes a file", files: { "docs/b": "other\n" } },
  { does: "changes files inside and outside", files: { "src/a": "x\n", "docs/deep/c": "x\n", "docs/deep/d": "y\n" } },
  // Behind all other entries of the index, where git itself forgets to look inside a folder.
  { does: "changes the last file", files: { "zone/z": "other\n" } },
  { does: "adds a last file", files: { "zone/zz": "other\n" } },
  { does: "removes the last file and adds one", files: { "zone/z": null, "zone/zz/z": "z\n" } },
  { does: "adds files", files: { "docs/new": "n\n", "docs/deep/new": "n\n", "fresh/new": "n\n" } },
  { does: "removes files", files: { "docs/deep/c": null, "lib/e": null } },
  { does: "makes a folder of a file", files: { "docs/b": null, "docs/b/in": "i\n" } },
];

const cases = SPARSE.flatMap((sparse) => CHANGES.map((change) => ({ ...sparse, ...change })));

/** A main branch that checks out only src, and a commit on another one that it is to move to. */
function sparse(set: (repo: TestRepo) => void, files: Files) {
  const repo = makeRepo(FILES);
  const from = repo.git("rev-parse", "main");
  repo.git("checkout", "--quiet", "-b", "fix");
  const to = repo.commit(files, "fix");
  repo.git("checkout", "--quiet", "main");
  set(repo);
  return { repo, from, to };
}

function expectSound(repo: TestRepo, to: string): void {
  expect(repo.git("rev-parse", "main")).toBe(to);
  expect(repo.git("status", "--porcelain")).toBe("");
  expect(repo.git("write-tree")).toBe(repo.git("rev-parse", `${to}^{tree}`));
  const listed = repo.git("ls-files").split("\n");
  expect(listed).toEqual([...new Set(listed)]);
  repo.git("fsck", "--strict", "--no-dangling");
  repo.write({ "src/mine": "mine\n" });
  repo.git("add", "src/mine");
  repo.git("commit", "--quiet", "-m", "mine");
  expect(repo.git("diff", "--name-only", to, "main")).toBe("src/mine");
}

describe("a branch whose work tree checks out only some files moves to a commit that", () => {
  test.for(cases)("$does, $what", async ({ set, files }) => {
    const { repo, from, to } = sparse(set, files);
    using _ = repo;
    await (await openRepo(repo.dir)).moveBranch({ branch: "main", from, to });
    expectSound(repo, to);
  });

  test.for(cases)("$does, or goes back, after a kill, $what", async ({ set, files }) => {
    const { repo, from, to } = sparse(set, files);
    using _ = repo;
    killAt("git.move.ref.before", repo.dir, `await repo.moveBranch(${JSON.stringify({ branch: "main", from, to })});`);
    cpSync(repo.dir, `${repo.dir}-other`, { recursive: true });
    using other = openTestRepo(`${repo.dir}-other`);
    await (await openRepo(repo.dir)).moveBranch({ branch: "main", from, to });
    expectSound(repo, to);
    await (await openRepo(other.dir)).undoMove("main");
    expectSound(other, from);
  });
});
