import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeAtomic } from "../files/atomic.ts";
import { makeRepo, type TestRepo } from "../testing/make-repo.ts";
import { openRepo } from "./index.ts";

const start = { "a.txt": "1\n", "b.txt": "b\n", ".gitignore": ".env\nbuild/\n" };

async function changesBy(act: (repo: TestRepo) => void | Promise<void>): Promise<string[]> {
  using repo = makeRepo(start);
  repo.write({ "b.txt": "under way\n", "new.txt": "n\n", ".env": "KEY=1\n", "build/out": "o" });
  const opened = await openRepo(repo.dir);
  // The first one of a repository hides their folder from git.
  await opened.addWorktree({ path: ".worktrees/0", branch: null, startPoint: "main" });
  const before = await opened.outline();
  await act(repo);
  return await opened.outlineChanges(before);
}

describe("in the work tree of a user it is seen that somebody", () => {
  test.for<{ what: string; act: (repo: TestRepo) => void; seen: string[] }>([
    { what: "edits a file", act: (repo) => repo.write({ "a.txt": "2\n" }), seen: ["a.txt"] },
    { what: "edits one that is under way", act: (repo) => repo.write({ "b.txt": "under_way\n" }), seen: ["b.txt"] },
    { what: "edits an untracked one", act: (repo) => repo.write({ "new.txt": "m\n" }), seen: ["new.txt"] },
    { what: "adds one", act: (repo) => repo.write({ "c/d.txt": "" }), seen: ["c/d.txt"] },
    { what: "edits an ignored file", act: (repo) => repo.write({ ".env": "KEY=2\n" }), seen: [".env"] },
    { what: "stages", act: (repo) => repo.git("add", "new.txt"), seen: ["new.txt"] },
    {
      what: "hides a file from git",
      act: (repo) => repo.git("update-index", "--assume-unchanged", "a.txt"),
      seen: ["hidden a.txt"],
    },
    { what: "switches", act: (repo) => repo.git("checkout", "-q", "--detach"), seen: [".git/HEAD"] },
    {
      what: "begins a merge",
      act: (repo) => writeFileSync(join(repo.dir, ".git/MERGE_HEAD"), `${repo.git("rev-parse", "HEAD")}\n`),
      seen: [".git/MERGE_HEAD"],
    },
    {
      what: "writes settings that would be taken as the user's own",
      act: (repo) => repo.write({ ".automaker/settings.json": "{}" }),
      seen: [".automaker/settings.json"],
    },
    {
      what: "sets a program",
      act: (repo) => repo.git("config", "core.fsmonitor", "evil"),
      seen: [".git/config"],
    },
  ])("$what", async ({ act, seen }) => expect(await changesBy(act)).toEqual(seen));

  test("and nothing where it is only read, built, or written to by loops of ours", async () => {
    const seen = await changesBy(async (repo) => {
      repo.git("status");
      repo.write({ "build/out": "again", "build/more": "m", ".automaker/features/x/feature.json": "{}" });
      mkdirSync(join(repo.dir, ".worktrees/x"), { recursive: true });
      const opened = await openRepo(repo.dir);
      const other = await opened.addWorktree({ path: ".worktrees/1", branch: "other", startPoint: "main" });
      writeFileSync(join(other.root, "a.txt"), "2\n");
      const { commit } = (await other.commitAll("of a loop")) as { commit: string };
      await opened.moveBranch({ branch: "main", from: await opened.resolve("main"), to: commit });
    });
    expect(seen).toEqual([]);
  });
});

test("what this process writes itself meanwhile is no change, until somebody else writes over it", async () => {
  const own = (repo: TestRepo) => writeAtomic(join(repo.dir, "a.txt"), "ours\n");
  expect(await changesBy(own)).toEqual([]);
  const overwritten = async (repo: TestRepo) => {
    await own(repo);
    repo.write({ "a.txt": "theirs\n" });
  };
  expect(await changesBy(overwritten)).toEqual(["a.txt"]);
});
