import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRepo } from "@anneal/git/repo";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Files, makeRepo, openTestRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { type Hidden, type ReadingCopyRequest, readingCopy } from "./reading-copy.ts";

const NOTHING: Hidden = { within: [], hides: () => false };
/** Files of one folder, unless the change is about them, and files of another in any case. */
const HIDDEN: Hidden = {
  within: [".kept", "docs/notes"],
  hides: (path, how) => (path.startsWith(".kept/") ? how === "as-before" : path.startsWith("docs/notes/old-")),
};

let repo: TestRepo;
beforeEach(() => {
  repo = makeRepo({ "a.txt": "one\n", "b/c.txt": "c\n" });
  onTestFinished(() => repo.remove());
});

/** A copy of a change that took two commits, with what git finds in it. */
async function copied(change: Files, request: Partial<ReadingCopyRequest> = {}) {
  const base = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "--quiet", "-b", "topic");
  repo.commit({ "between.txt": "only in between\n", ...change }, "fix: address code review round 1");
  const head = repo.commit({ "between.txt": null }, "and again");
  return await copyOf({ base, head, ...request });
}

async function copyOf(
  request: Pick<ReadingCopyRequest, "base" | "head"> & Partial<ReadingCopyRequest>,
  folder: string = tmpdir(),
) {
  const path = realpathSync(mkdtempSync(join(folder, "anneal-copy-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const names = { branch: "topic", baseBranch: "main", message: "Lend books", hidden: NOTHING };
  const { repo: opened, shown } = await readingCopy(await openRepo(repo.dir), { path, ...names, ...request });
  const { git } = openTestRepo(path);
  const objects = () => git("cat-file", "--batch-all-objects", "--batch", "--unordered");
  const refs = () => git("for-each-ref", "--format=%(refname)").split("\n");
  return { path, git, opened, shown, objects, refs };
}

test("a copy shows the base with its history, and the change as one commit on the branch", async () => {
  repo.commit({ "a.txt": "two\n" }, "before the change");
  const { git, shown, refs, objects, path } = await copied({ "a.txt": "three\n" });
  const [base, head] = [repo.git("rev-parse", "main"), repo.git("rev-parse", "topic")];
  expect(shown).toEqual({ base, head: git("rev-parse", "topic"), hidden: [] });
  expect(git("log", "--format=%s", "topic").split("\n")).toEqual(["Lend books", "before the change", "first"]);
  expect(git("rev-parse", "topic^{tree}")).toBe(repo.git("rev-parse", `${head}^{tree}`));
  expect([git("symbolic-ref", "HEAD"), git("status", "--porcelain")]).toEqual(["refs/heads/topic", ""]);
  expect(git("diff", "main...topic")).toBe(repo.git("diff", "main...topic"));
  expect(git("blame", "-s", "main", "--", "a.txt")).toBe(repo.git("blame", "-s", "main", "--", "a.txt"));
  expect(refs()).toEqual(["refs/heads/main", "refs/heads/topic"]);
  expect([git("fsck", "--full", "--no-progress"), git("reflog", "--all"), git("remote")]).toEqual(["", "", ""]);
  expect(objects()).not.toMatch(/only in between|code review/);
  expect(existsSync(join(path, ".git/objects/info/alternates"))).toBe(false);
  expect(readdirSync(join(path, ".git"))).not.toContain("logs");
});

const deviceOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev;
/** A folder on another disk than the one for temporary files, where there is one. */
const elsewhere = ["/dev/shm", "/var/tmp"].find((path) => ![undefined, deviceOf(tmpdir())].includes(deviceOf(path)));

test.runIf(elsewhere !== undefined)("it may lie on another disk than the repository", async () => {
  const base = repo.git("rev-parse", "HEAD");
  const head = repo.commit({ "a.txt": "two\n" });
  const { git } = await copyOf({ base, head }, elsewhere);
  expect(git("log", "--format=%s", "topic").split("\n")).toEqual(["Lend books", "first"]);
});

test("it holds the same commits however often it is made, also at the same time", async () => {
  const first = await copied({ "a.txt": "two\n" });
  const [base, head] = [repo.git("rev-parse", "main"), repo.git("rev-parse", "topic")];
  const others = await Promise.all([copyOf({ base, head }), copyOf({ base, head })]);
  expect(others.map(({ shown }) => shown)).toEqual([first.shown, first.shown]);
});

test("nothing is written into the repository that it is made from", async () => {
  const state = () => [repo.git("for-each-ref"), repo.git("count-objects", "-v"), repo.git("worktree", "list")].join();
  await copied({ "a.txt": "two\n" });
  const [base, head, before] = [repo.git("rev-parse", "main"), repo.git("rev-parse", "topic"), state()];
  await copyOf({ base, head });
  expect(state()).toBe(before);
});

describe("the names of the base", () => {
  test("are those that it has in the repository, and all stand at the base", async () => {
    const { git } = repo;
    git("update-ref", "refs/remotes/origin/main", git("rev-parse", "main"));
    const { refs, git: inCopy, shown } = await copied({ "a.txt": "two\n" });
    // What the branch took in since then is not part of what is judged.
    expect(refs()).toEqual(["refs/heads/main", "refs/heads/topic", "refs/remotes/origin/main"]);
    expect(inCopy("rev-parse", "main", "origin/main").split("\n")).toEqual([shown.base, shown.base]);
  });

  test.for([
    { what: "no branch of it", baseBranch: "HEAD~1" },
    { what: "the branch itself", baseBranch: "topic" },
    { what: "not known", baseBranch: undefined },
  ])("are left out: $what", async ({ baseBranch }) => {
    expect((await copied({ "a.txt": "two\n" }, { baseBranch })).refs()).toEqual(["refs/heads/topic"]);
  });

  test("give way to the branch where git cannot hold both", async () => {
    repo.git("branch", "deep/base");
    expect((await copied({ "a.txt": "two\n" }, { branch: "deep", baseBranch: "deep/base" })).refs()).toEqual([
      "refs/heads/deep",
    ]);
  });
});

describe("what is hidden is in no commit of a copy", () => {
  const found = ({ git }: { git: TestRepo["git"] }) => git("ls-files").split("\n");

  test("where only the head has it, as a file of the change it is named", async () => {
    const copy = await copied({ "docs/notes/old-1.md": "HIDDEN\n", "docs/notes/new.md": "n\n" }, { hidden: HIDDEN });
    expect(found(copy)).toEqual(["a.txt", "b/c.txt", "docs/notes/new.md"]);
    expect(copy.shown).toMatchObject({ base: repo.git("rev-parse", "main"), hidden: ["docs/notes/old-1.md"] });
    expect(copy.objects()).not.toContain("HIDDEN");
  });

  test.for<{ what: string; before: Files[] }>([
    { what: "the base has it", before: [{ ".kept/x": "HIDDEN\n" }] },
    { what: "the base had it once", before: [{ ".kept/x": "HIDDEN\n" }, { ".kept/x": null }] },
  ])("where $what, the copy begins with the base", async ({ before }) => {
    for (const files of before) repo.commit(files, "HIDDEN too");
    const copy = await copied({ "a.txt": "two\n" }, { hidden: HIDDEN });
    expect(found(copy)).toEqual(["a.txt", "b/c.txt"]);
    expect(copy.git("log", "--format=%s").split("\n")).toEqual(["Lend books", "Base"]);
    expect(copy.git("diff", "--name-only", "main...topic")).toBe("a.txt");
    expect([copy.objects(), copy.shown.hidden]).toEqual([expect.not.stringContaining("HIDDEN"), []]);
  });

  test("where a side branch had it that was merged without it", async () => {
    repo.git("checkout", "--quiet", "-b", "side");
    repo.commit({ ".kept/x": "HIDDEN\n" }, "there");
    repo.commit({ ".kept/x": null, "side.txt": "s\n" }, "gone");
    repo.git("checkout", "--quiet", "main");
    repo.git("merge", "--quiet", "--no-ff", "-m", "merged", "side");
    expect((await copied({ "a.txt": "two\n" }, { hidden: HIDDEN })).objects()).not.toContain("HIDDEN");
  });

  test("but what the change does to it, where that is to be seen", async () => {
    repo.commit({ ".kept/x": "before\n", ".kept/y": "HIDDEN\n" }, "kept");
    const copy = await copied({ ".kept/x": "after\n" }, { hidden: HIDDEN });
    expect(found(copy)).toEqual([".kept/x", "a.txt", "b/c.txt"]);
    expect(copy.git("diff", "main...topic")).toMatch(/-before\n\+after$/);
    expect([copy.objects(), copy.shown.hidden]).toEqual([expect.not.stringContaining("HIDDEN"), []]);
  });
});

describe("a copy begins with the base where there is no history to show", () => {
  test("of a clone that has only some of it", async () => {
    repo.commit({ "a.txt": "two\n" }, "before");
    const whole = repo;
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-shallow-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    whole.git("clone", "--quiet", "--depth=1", `file://${whole.dir}`, join(folder, "clone"));
    repo = openTestRepo(join(folder, "clone"));
    repo.git("config", "user.name", "Robin");
    repo.git("config", "user.email", "robin@example.com");
    const { git } = await copied({ "a.txt": "three\n" });
    expect(git("log", "--format=%s").split("\n")).toEqual(["Lend books", "Base"]);
    expect(git("fsck", "--full", "--no-progress")).toBe("");
  });

  test("of a change that begins with nothing, or is in no commit", async () => {
    const opened = await openRepo(repo.dir);
    repo.write({ "new.txt": "new\n" });
    const { git } = await copyOf({ base: await opened.emptyTree(), head: await opened.worktreeTree() });
    expect(git("diff", "--name-only", "topic^", "topic").split("\n")).toEqual(["a.txt", "b/c.txt", "new.txt"]);
  });
});

test("files are what the commit holds, byte for byte, and no program of the user's runs for them", async () => {
  const settings = join(repo.dir, ".git/global");
  const filter = '[filter "loud"]\n\tsmudge = "touch smudged; cat"\n\tclean = cat\n\trequired = true\n';
  writeFileSync(settings, `${filter}[core]\n\tautocrlf = true\n`);
  vi.stubEnv("GIT_CONFIG_GLOBAL", settings);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { path, git } = await copied({ ".gitattributes": "*.txt text eol=crlf filter=loud\n", "x.txt": "x\n" });
  expect([git("hash-object", "--no-filters", "x.txt"), git("status", "--porcelain")]).toEqual([
    repo.git("rev-parse", "topic:x.txt"),
    "",
  ]);
  expect(existsSync(join(path, "smudged"))).toBe(false);
});

test("a repository with the longer ids has copies with those", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-sha256-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  repo.git("init", "--quiet", "--template=", "--object-format=sha256", "--initial-branch=main", folder);
  repo = openTestRepo(folder);
  repo.git("config", "user.name", "Robin");
  repo.git("config", "user.email", "robin@example.com");
  repo.commit({ "a.txt": "one\n" }, "first");
  const { shown, git } = await copied({ "a.txt": "two\n" });
  expect([shown.head.length, git("diff", "--name-only", "main...topic")]).toEqual([64, "a.txt"]);
});
