import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../../testing/make-repo.ts";
import { untouched } from "./untouched.ts";

const at = ({ dir }: TestRepo) => ({ root: dir, gitDir: join(dir, ".git"), commonDir: join(dir, ".git") });
const FILES = { "a.txt": "1\n", "deep/b.txt": "2\n", "run.sh": "#!/bin/sh\n", ".gitignore": "ignored\n" };

function scene(): TestRepo {
  const repo = makeRepo(FILES);
  chmodSync(join(repo.dir, "run.sh"), 0o755);
  symlinkSync("a.txt", join(repo.dir, "link"));
  repo.git("add", "--all");
  repo.git("commit", "--quiet", "--message", "more");
  return repo;
}

test.for<{ what: string; act: (repo: TestRepo) => void; isUntouched: boolean }>([
  { what: "a work tree as it was committed", act: () => {}, isUntouched: true },
  { what: "packed refs", act: (repo) => repo.git("pack-refs", "--all"), isUntouched: true },
  { what: "a detached head", act: (repo) => repo.git("checkout", "--quiet", "--detach"), isUntouched: true },
  {
    what: "a file that was touched only",
    act: ({ dir }) => utimesSync(join(dir, "a.txt"), 1, 1),
    isUntouched: true,
  },
  { what: "an edit", act: (repo) => repo.write({ "a.txt": "2\n" }), isUntouched: false },
  {
    what: "an edit of the same length whose time was put back",
    act: ({ dir }) => {
      const path = join(dir, "a.txt");
      const { atime, mtime } = statSync(path);
      writeFileSync(path, "2\n");
      utimesSync(path, atime, mtime);
    },
    isUntouched: false,
  },
  { what: "a deleted file", act: ({ dir }) => rmSync(join(dir, "deep/b.txt")), isUntouched: false },
  { what: "a new file", act: (repo) => repo.write({ "new.txt": "" }), isUntouched: false },
  { what: "a new file in a folder", act: (repo) => repo.write({ "deep/new.txt": "" }), isUntouched: false },
  { what: "an ignored file, which only git knows", act: (repo) => repo.write({ ignored: "" }), isUntouched: false },
  { what: "other rights", act: ({ dir }) => chmodSync(join(dir, "a.txt"), 0o755), isUntouched: false },
  {
    what: "another target of a link",
    act: ({ dir }) => {
      rmSync(join(dir, "link"));
      symlinkSync("run.sh", join(dir, "link"));
    },
    isUntouched: false,
  },
  {
    what: "a file in place of a link",
    act: ({ dir }) => {
      rmSync(join(dir, "link"));
      writeFileSync(join(dir, "link"), "a.txt");
    },
    isUntouched: false,
  },
  {
    what: "a repository in it",
    act: ({ dir, git }) => git("init", "--quiet", join(dir, "deep/inner")),
    isUntouched: false,
  },
  {
    what: "a file that git is told to overlook",
    act: (repo) => {
      repo.git("update-index", "--assume-unchanged", "a.txt");
      repo.write({ "a.txt": "2\n" });
    },
    isUntouched: false,
  },
  {
    what: "a conflict",
    act: (repo) => {
      const blob = repo.git("rev-parse", "HEAD:a.txt");
      repo.git("rm", "--quiet", "--cached", "a.txt");
      repo.git("update-index", "--add", "--cacheinfo", `100644,${blob},b.txt`);
    },
    isUntouched: false,
  },
  {
    what: "an index of version 4",
    act: (repo) => repo.git("update-index", "--index-version", "4"),
    isUntouched: false,
  },
  {
    what: "a damaged index",
    act: ({ dir }) => writeFileSync(join(dir, ".git/index"), readFileSync(join(dir, ".git/index")).subarray(0, 90)),
    isUntouched: false,
  },
])("$what: $isUntouched", async ({ act, isUntouched }) => {
  using repo = scene();
  act(repo);
  const found = await untouched(at(repo));
  expect(found !== null).toBe(isUntouched);
  if (found === null) return;
  const head = repo.git("rev-parse", "HEAD");
  expect(found).toEqual({ staged: repo.git("rev-parse", "HEAD^{tree}"), head, refs: [head] });
});

test("what is staged and not committed is told by its tree, unless git has yet to make that", async () => {
  using repo = scene();
  repo.write({ "a.txt": "2\n" });
  repo.git("add", "--all");
  expect(await untouched(at(repo))).toBeNull();
  const staged = repo.git("write-tree");
  expect(await untouched(at(repo))).toMatchObject({ staged });
  expect(staged).not.toBe(repo.git("rev-parse", "HEAD^{tree}"));
});
