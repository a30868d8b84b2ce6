import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRepo } from "@anneal/git";
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeRepo, openTestRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { workspacesOf } from "../index.ts";
import { forgetCopy, noteCopy } from "./reading-copies.ts";
import { foldersToHide, foldersToKeep, isKept } from "./repository.ts";

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "anneal-repository-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function committed(dir: string, ...init: string[]): TestRepo {
  mkdirSync(dir, { recursive: true });
  const repo = openTestRepo(dir);
  repo.git("init", "--quiet", "--initial-branch=main", ...init);
  repo.git("config", "user.name", "Robin Example");
  repo.git("config", "user.email", "robin@example.com");
  repo.commit({ "a.txt": "one\n" });
  return repo;
}

const works = (await probeSandbox()).state === "works";

test.runIf(works).for<{ what: string; make: () => string }>([
  { what: "the usual one", make: () => committed(join(base, "usual")).dir },
  {
    what: "one whose git folder lies elsewhere",
    make: () => committed(join(base, "apart"), `--separate-git-dir=${join(base, "store")}`).dir,
  },
  {
    what: "a submodule",
    make: () => {
      const inner = committed(join(base, "inner"));
      const outer = committed(join(base, "outer"));
      outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "sub");
      return join(outer.dir, "sub");
    },
  },
  {
    what: "one with a damaged record of another worktree",
    make: () => {
      const repo = committed(join(base, "damaged"));
      mkdirSync(join(repo.dir, ".git/worktrees/aaa/gitdir"), { recursive: true });
      return repo.dir;
    },
  },
])("the work tree of whoever asks is kept from readers: $what", async ({ make }) => {
  const asked = make();
  const main = await openRepo(asked);
  const [workspaces, head] = [workspacesOf(main), await main.resolve("HEAD")];
  const lent = await workspaces.copyAt("lent", head);
  const other = await workspaces.copyAt("other", head);
  const folders = (await foldersToKeep(lent.root)) ?? [];
  for (const tree of [asked, lent.root, other.root, main.commonDir]) expect(isKept(folders, tree)).toBe(true);
});

test.runIf(works)("a tree that nothing leads to is not kept, which can be told", async () => {
  using repo = makeRepo({ "a.txt": "one\n" });
  writeFileSync(join(base, "file"), "");
  expect(isKept((await foldersToKeep(repo.dir)) ?? [], base)).toBe(false);
});

test("a reader of a copy sees no workspace, even where this process has asked for none", () => {
  const repo = committed(join(base, "usual"));
  const [copy, workspaces] = [join(base, "copy"), `${repo.dir}.anneal`];
  for (const folder of [copy, workspaces]) mkdirSync(folder);
  noteCopy(copy, repo.dir);
  expect(foldersToHide(copy)).toEqual([repo.dir, workspaces]);
  forgetCopy(copy);
  expect(foldersToHide(copy)).toEqual([]);
});
