import { chmodSync, existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { openRepo } from "@anneal/git";
import { systemClock } from "@anneal/system/clock";
import { workspacesOf } from "@anneal/workspace";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Files, makeRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { openProject, openReader } from "../history/reader.ts";
import { logFolderOf } from "../log/index.ts";
import { projectAt, refuseUnwritable } from "./project-at.ts";

const repository = (files: Files = { "a.txt": "a\n" }): TestRepo => {
  const repo = makeRepo(files);
  onTestFinished(() => repo.remove());
  return repo;
};

describe("the log lies in the git folder of the work tree", () => {
  /** `opened`: where somebody stands; `log`: where the log then lies. Both from the folder of the repository. */
  test.for<{ what: string; make: (repo: TestRepo) => void; opened: string; log: string }>([
    { what: "itself", make: () => {}, opened: ".", log: ".git/anneal" },
    {
      what: "that a folder is part of",
      make: ({ dir }) => mkdirSync(join(dir, "src")),
      opened: "src",
      log: ".git/anneal",
    },
    {
      what: "that linked ones belong to",
      make: ({ git }) => git("worktree", "add", "--quiet", "linked"),
      opened: "linked",
      log: ".git/anneal",
    },
    {
      what: "itself, where a linked one belongs to none",
      make: ({ git }) => {
        git("clone", "--quiet", "--bare", ".", "bare.git");
        git("-C", "bare.git", "worktree", "add", "--quiet", "../linked", "main");
      },
      opened: "linked",
      log: "bare.git/worktrees/linked/anneal",
    },
    {
      what: "wherever that is",
      make: ({ git }) => git("clone", "--quiet", "--separate-git-dir=own.git", ".", "apart"),
      opened: "apart",
      log: "own.git/anneal",
    },
    {
      what: "of a submodule",
      make: (repo) => {
        repo.git("clone", "--quiet", ".", "source");
        repo.git("submodule", "--quiet", "add", "./source", "part");
      },
      opened: "part",
      log: ".git/modules/part/anneal",
    },
  ])("$what", async ({ make, opened, log }) => {
    const repo = repository();
    make(repo);
    using project = await openProject(join(repo.dir, opened), systemClock);
    expect(logFolderOf(project.repo).folder).toBe(join(realpathSync(repo.dir), log));
    expect(existsSync(join(repo.dir, log, "log.db"))).toBe(true);
  });
});

test.for<{ what: string; commands: string[][] }>([
  { what: "git clean", commands: [["clean", "-ffdxq"]] },
  { what: "a stash of everything", commands: [["stash", "push", "--quiet", "--all"]] },
  { what: "another branch", commands: [["switch", "--quiet", "other"]] },
  {
    what: "a branch without any file",
    commands: [
      ["switch", "--quiet", "--orphan", "empty"],
      ["clean", "-ffdxq"],
    ],
  },
  {
    what: "git gc",
    commands: [
      ["reflog", "expire", "--expire=now", "--all"],
      ["gc", "--quiet", "--prune=now"],
    ],
  },
])("$what leaves the log as it was, also under a process that has it open", async ({ commands }) => {
  const repo = repository();
  repo.git("branch", "other");
  using project = await openProject(repo.dir, systemClock);
  project.store.post({ id: "before", loop: null, body: {} });
  repo.write({ "litter.txt": "l\n" });
  for (const command of commands) repo.git(...command);
  project.store.post({ id: "after", loop: null, body: {} });
  using beside = await openReader(repo.dir, systemClock);
  expect(beside.store?.takeInbox().map(({ id }) => id)).toEqual(["before", "after"]);
});

test("whoever opens a project leaves nothing in the work tree that git would commit", async () => {
  const repo = repository();
  using _project = await openProject(repo.dir, systemClock);
  repo.write({ ".automaker/anneal-files.lock": "", ".automaker/features/a/.feature.json.7-0a1b2c3d4e5f.tmp": "{" });
  expect(repo.git("status", "--porcelain", "--untracked-files=all")).toBe("");
});

test.for(["in the work tree", "in the commit"])(
  "a log of an earlier Anneal %s is refused, with the way out",
  async (where) => {
    const files = { ".automaker/anneal.db": "theirs\n" };
    const repo = repository({ "a.txt": "a\n", ...(where === "in the commit" ? files : {}) });
    repo.write(files);
    for (const open of [openReader, openProject]) {
      await expect(open(repo.dir, systemClock)).rejects.toMatchObject({
        ...{ name: "StoreError", kind: "earlier" },
        message: `${join(repo.dir, ".automaker/anneal.db")} is the log of an earlier Anneal, which this version does not read. Finish its loops with the Anneal that wrote it, or remove the file; then run this again.`,
      });
    }
    expect(existsSync(join(repo.dir, ".git/anneal"))).toBe(false);
  },
);

test.skipIf(process.getuid?.() === 0).for([".", ".automaker", ".git", ".git/anneal"])(
  "where nothing can be written to %s, it is said before anything begins",
  async (path) => {
    const repo = repository();
    using project = await openReader(repo.dir, systemClock);
    const folder = join(repo.dir, path);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    expect(() => refuseUnwritable(project.repo)).toThrow(`cannot write to ${folder}: `);
  },
);

test("a clone has no log: what was said of reviews elsewhere does not come with it", async () => {
  const repo = repository();
  (await openProject(repo.dir, systemClock))[Symbol.dispose]();
  repo.git("clone", "--quiet", ".", "copy");
  using cloned = await openReader(join(repo.dir, "copy"), systemClock);
  expect(cloned.store).toBeNull();
});

test("in a workspace of a loop it is the project that the loop works for", async () => {
  const repo = repository();
  repo.commit({ "src/a.txt": "a\n" });
  const workspaces = workspacesOf(await openRepo(repo.dir));
  const { root } = await workspaces.prepare({ name: "a", branch: "main", isOurs: true });
  for (const dir of [root, join(root, "src")]) expect((await projectAt(dir)).root).toBe(repo.dir);
});
