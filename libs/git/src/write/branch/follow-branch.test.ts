import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { killAt } from "../../testing/kill-at.ts";
import { type Files, makeRepo, openTestRepo, type TestRepo } from "../../testing/make-repo.ts";
import { twoCommits } from "../../testing/two-commits.ts";

/** Everything that somebody could see of a repository: refs, status, and all files but git's own. */
function seen(repo: TestRepo): string[] {
  const files = readdirSync(repo.dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !`${entry.parentPath}/`.includes("/.git/"))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, "utf8")}`;
    });
  return [repo.git("for-each-ref"), repo.git("status", "--porcelain", "--ignored"), ...files.sort()];
}

function expectMoved(repo: TestRepo, to: string, status = ""): void {
  expect(repo.git("rev-parse", "main")).toBe(to);
  expect(repo.git("status", "--porcelain")).toBe(status);
  expect(existsSync(join(repo.dir, ".git/anneal-move.json"))).toBe(false);
  expect(readdirSync(join(repo.dir, ".git")).filter((name) => /\.(lock|tmp)$/.test(name))).toEqual([]);
}

describe("moving a branch forward", () => {
  test.for(["main", "refs/heads/main"])(
    "takes files, index and reflog along where %s is checked out",
    async (branch) => {
      using two = twoCommits();
      const { repo, from, to } = two;
      await (await openRepo(repo.dir)).moveBranch({ branch, from, to, reason: "merge 7" });
      expectMoved(repo, to);
      expect(repo.git("reflog", "-1", "--format=%gs", "HEAD")).toBe("merge 7");
    },
  );

  test("leaves uncommitted changes, untracked and ignored files that are not concerned", async () => {
    using two = twoCommits({ staged: "s\n", removed: "r\n" });
    const { repo, from, to } = two;
    repo.write({
      keep: "mine\n",
      staged: "mine\n",
      removed: null,
      untracked: "u\n",
      ignored: "i\n",
      "new/ignored": "j\n",
    });
    repo.git("add", "staged");
    const opened = await openRepo(repo.dir);
    await opened.moveBranch({ branch: "main", from, to });
    expectMoved(repo, to, " M keep\n D removed\nM  staged\n?? untracked");
    const mine = ["keep", "staged", "untracked", "ignored", "new/ignored"];
    const text = mine.map((name) => readFileSync(join(repo.dir, name), "utf8"));
    expect(text).toEqual(["mine\n", "mine\n", "u\n", "i\n", "j\n"]);
  });

  test("moves a branch that is checked out nowhere, and no file", async () => {
    using two = twoCommits();
    const { repo, from, to } = two;
    repo.git("branch", "epic", from);
    repo.write({ edit: "mine\n" });
    await (await openRepo(repo.dir)).moveBranch({ branch: "epic", from, to });
    expect(repo.git("rev-parse", "epic")).toBe(to);
    expect(repo.git("rev-parse", "main")).toBe(from);
    expect(repo.git("status", "--porcelain")).toBe(" M edit");
  });

  test("takes along every linked worktree that has it checked out, from wherever it is called", async () => {
    using two = twoCommits();
    const { repo, from, to } = two;
    const opened = await openRepo(repo.dir);
    const roots = ["1", "2"].map((name) => join(`${repo.dir}.anneal`, name));
    repo.git("branch", "epic", from);
    for (const root of roots) repo.git("worktree", "add", "-q", "--force", root, "epic");
    await opened.moveBranch({ branch: "epic", from, to });
    for (const root of roots) {
      expect(openTestRepo(root).git("status", "--porcelain")).toBe("");
      expect(openTestRepo(root).git("rev-parse", "HEAD")).toBe(to);
    }
    await (await openRepo(roots[0] ?? "")).moveBranch({ branch: "main", from, to });
    expectMoved(repo, to);
  });

  test("is done once however often it is called, also where the branch has gone on since", async () => {
    using two = twoCommits();
    const { repo, from, to } = two;
    const opened = await openRepo(repo.dir);
    for (const _ of [1, 2]) await opened.moveBranch({ branch: "main", from, to });
    expectMoved(repo, to);
    const later = repo.commit({ later: "l\n" });
    await opened.moveBranch({ branch: "main", from, to });
    expectMoved(repo, later);
  });

  test.for<{ what: string; files: Files }>([
    { what: "the same edit", files: { edit: "one\nzwei\n" } },
    { what: "the same new file", files: { added: "a\n", "deep/er/added": "d\n" } },
    { what: "the same deletion", files: { gone: null, "old/name": null } },
    { what: "the same link", files: { link: { link: "edit" } } },
    { what: "the same folder for a file", files: { file: null, "file/inside": "i\n" } },
    { what: "the same file for a folder", files: { dir: "was a folder\n" } },
  ])("is not stopped by $what that is not committed", async ({ files }) => {
    for (const staged of ["unstaged", "staged"]) {
      using two = twoCommits();
      const { repo, from, to } = two;
      repo.write(files);
      if (staged === "staged") repo.git("add", "--all");
      await (await openRepo(repo.dir)).moveBranch({ branch: "main", from, to });
      expectMoved(repo, to);
    }
  });

  test("is not stopped by files that were only touched", async () => {
    using two = twoCommits();
    const { repo, from, to } = two;
    repo.write({ edit: "one\ntwo\n", gone: "g\n" });
    await (await openRepo(repo.dir)).moveBranch({ branch: "main", from, to });
    expectMoved(repo, to);
  });

  test("holds the branch while the files follow, so that no commit comes in between", async () => {
    using two = twoCommits({ ".gitattributes": "edit filter=meddle\n" });
    const { repo, from, to } = two;
    const said = join(repo.dir, ".git/said");
    const other = repo.git("commit-tree", "-p", "HEAD", "-m", "other", "HEAD^{tree}");
    script(repo, "meddle", `cat; git update-ref refs/heads/main ${other} ${from} 2>${said}; echo "exit $?" >>${said}`);
    await (await openRepo(repo.dir)).moveBranch({ branch: "main", from, to });
    expectMoved(repo, to);
    expect(readFileSync(said, "utf8")).toMatch(/cannot lock ref.*exit 128/s);
  });
});

describe("before anything has moved, it stops", () => {
  const WORK: { what: string; paths: string[]; spoil: (repo: TestRepo) => void }[] = [
    { what: "an edit", paths: ["edit"], spoil: (repo) => repo.write({ edit: "mine\n" }) },
    { what: "a deletion", paths: ["edit"], spoil: (repo) => repo.write({ edit: null }) },
    { what: "an edit of a file that goes", paths: ["gone"], spoil: (repo) => repo.write({ gone: "mine\n" }) },
    {
      what: "an edit of a file that is renamed",
      paths: ["old/name"],
      spoil: (repo) => repo.write({ "old/name": "m\n" }),
    },
    { what: "an edit of a file whose mode changes", paths: ["run"], spoil: (repo) => repo.write({ run: "mine\n" }) },
    {
      what: "a link that points elsewhere",
      paths: ["link"],
      spoil: (repo) => repo.write({ link: { link: "nowhere" } }),
    },
    {
      what: "an edit in a folder that becomes a file",
      paths: ["dir/x"],
      spoil: (repo) => repo.write({ "dir/x": "m\n" }),
    },
    { what: "an edit of a file that becomes a folder", paths: ["file"], spoil: (repo) => repo.write({ file: "m\n" }) },
    {
      what: "a staged edit",
      paths: ["edit"],
      spoil: (repo) => {
        repo.write({ edit: "mine\n" });
        repo.git("add", "edit");
        repo.write({ edit: "one\ntwo\n" });
      },
    },
    { what: "a staged deletion", paths: ["edit"], spoil: (repo) => repo.git("rm", "-q", "edit") },
    {
      what: "a new file that was announced",
      paths: ["added"],
      spoil: (repo) => {
        repo.write({ added: "mine\n" });
        repo.git("add", "--intent-to-add", "added");
      },
    },
    { what: "an untracked file", paths: ["added"], spoil: (repo) => repo.write({ added: "mine\n" }) },
    {
      what: "an ignored file",
      paths: ["added"],
      spoil: (repo) => {
        writeFileSync(join(repo.dir, ".git/info/exclude"), "added\n");
        repo.write({ added: "mine\n" });
      },
    },
    { what: "an untracked file where a folder comes", paths: ["new"], spoil: (repo) => repo.write({ new: "mine\n" }) },
    {
      what: "an ignored file where a folder comes",
      paths: ["new"],
      spoil: (repo) => {
        writeFileSync(join(repo.dir, ".git/info/exclude"), "new\n");
        repo.write({ new: "mine\n" });
      },
    },
    { what: "a link where a folder comes", paths: ["deep"], spoil: (repo) => repo.write({ deep: { link: "old" } }) },
    {
      what: "an untracked folder where a file comes",
      paths: ["added/m"],
      spoil: (repo) => repo.write({ "added/m": "m" }),
    },
    {
      what: "an untracked file in a folder that goes",
      paths: ["dir/deep/m"],
      spoil: (repo) => repo.write({ "dir/deep/m": "" }),
    },
    {
      what: "an ignored file in a folder that goes",
      paths: ["dir/ignored"],
      spoil: (repo) => repo.write({ "dir/ignored": "" }),
    },
    {
      what: "many at once",
      paths: ["edit", "gone", "added"],
      spoil: (repo) => repo.write({ edit: "m", gone: "m", added: "m" }),
    },
  ];

  // One repository for all: what stops leaves everything as it was, so the next can be tried at once.
  test("for each kind of work that would be overwritten, and names it", async () => {
    using two = twoCommits();
    const { repo, from, to } = two;
    const opened = await openRepo(repo.dir);
    for (const { what, paths, spoil } of WORK) {
      spoil(repo);
      const before = seen(repo);
      const error = await opened.moveBranch({ branch: "main", from, to }).catch((thrown) => thrown);
      expect(error, what).toMatchObject({ kind: "in-the-way", message: expect.stringContaining(paths[0]!) });
      expect(error.paths.toSorted(), what).toEqual(paths.toSorted());
      expect(seen(repo), what).toEqual(before);
      expect(existsSync(join(repo.dir, ".git/anneal-move.json"))).toBe(false);
      rmSync(join(repo.dir, ".git/info/exclude"), { force: true });
      repo.git("reset", "-q", "--hard");
      repo.git("clean", "-qfdx");
    }
    await opened.moveBranch({ branch: "main", from, to });
    expectMoved(repo, to);
  });

  test("for work in one of several worktrees that have the branch checked out", async () => {
    using two = twoCommits();
    const { repo, from, to } = two;
    repo.git("worktree", "add", "-q", "--force", join(`${repo.dir}.anneal`, "2"), "main");
    openTestRepo(join(`${repo.dir}.anneal`, "2")).write({ edit: "mine\n" });
    const before = seen(repo);
    await expect((await openRepo(repo.dir)).moveBranch({ branch: "main", from, to })).rejects.toMatchObject({
      kind: "in-the-way",
      message: expect.stringContaining(".anneal/2"),
    });
    expect(seen(repo)).toEqual(before);
  });

  test("for a branch that stands elsewhere, and names both ids", async () => {
    using two = twoCommits();
    const { repo, from, to } = two;
    const other = repo.commit({ other: "o\n" });
    const before = seen(repo);
    const opened = await openRepo(repo.dir);
    const elsewhere = { kind: "moved", moved: { expected: from, found: other } };
    await expect(opened.moveBranch({ branch: "main", from, to })).rejects.toMatchObject(elsewhere);
    const nowhere = { kind: "moved", moved: { expected: from, found: null } };
    await expect(opened.moveBranch({ branch: "none", from, to })).rejects.toMatchObject(nowhere);
    expect(seen(repo)).toEqual(before);
  });

  test("for a target that is no descendant, an invalid id, and an invalid name", async () => {
    using two = twoCommits();
    const { repo, from, to } = two;
    const opened = await openRepo(repo.dir);
    const back = opened.moveBranch({ branch: "side", from: to, to: from });
    await expect(back).rejects.toMatchObject({
      kind: "failed",
      message: expect.stringContaining("only moves forward"),
    });
    await expect(opened.moveBranch({ branch: "main", from, to: "9".repeat(40) })).rejects.toMatchObject({
      kind: "unknown-ref",
    });
    await expect(opened.moveBranch({ branch: "-d", from, to })).rejects.toMatchObject({ kind: "unknown-ref" });
    await expect(opened.moveBranch({ branch: "a b", from, to })).rejects.toMatchObject({ kind: "unknown-ref" });
    expect(repo.git("rev-parse", "main")).toBe(from);
  });

  test("for a merge or a rebase that a person has under way", async () => {
    using repo = makeRepo({ a: "1\n" });
    const from = repo.git("rev-parse", "HEAD");
    repo.git("branch", "other");
    const mine = repo.commit({ a: "mine\n" });
    repo.git("checkout", "-q", "other");
    repo.commit({ a: "other\n" });
    repo.git("checkout", "-q", "main");
    const to = repo.git("commit-tree", "-p", mine, "-m", "to", "HEAD^{tree}");
    const opened = await openRepo(repo.dir);
    for (const verb of ["merge", "rebase"]) {
      expect(() => repo.git(verb, "other")).toThrow();
      await expect(opened.moveBranch({ branch: "main", from: mine, to })).rejects.toMatchObject({ kind: "unmerged" });
      repo.git(verb, "--abort");
    }
    expect(repo.git("rev-parse", "main")).toBe(mine);
    expect(from).not.toBe(mine);
  });
});

const POINTS = ["note.before", "note.after", "files.before", "files.after", "ref.before", "ref.after"];

describe("killed and called again", () => {
  test.for(POINTS)("at git.move.%s, it ends where it would have ended", async (point) => {
    using two = twoCommits();
    const { repo, from, to } = two;
    repo.write({ keep: "mine\n", untracked: "u\n" });
    const move = { branch: "main", from, to };
    const killed = killAt(`git.move.${point}`, repo.dir, `await repo.moveBranch(${JSON.stringify(move)});`);
    expect(killed).toMatchObject({ signal: "SIGKILL" });
    await (await openRepo(repo.dir)).moveBranch(move);
    expectMoved(repo, to, " M keep\n?? untracked");
  });

  // Which file a kill hits depends on git's order, so every number of files that were written is tried.
  test.for([1, 2, 3, 4, 5, 6, 7])("while git writes file %i, it ends where it would have ended", async (nth) => {
    using two = twoCommits({ ".gitattributes": "* filter=deadly\n" });
    const { repo, from, to } = two;
    const counter = join(repo.dir, ".git/counter");
    script(repo, "deadly", `echo >>${counter}; [ "$(wc -l <${counter})" -eq ${nth} ] && kill -9 $PPID; cat`);
    repo.write({ keep: "mine\n" });
    const move = { branch: "main", from, to };
    const opened = await openRepo(repo.dir);
    await expect(opened.moveBranch(move)).rejects.toMatchObject({ kind: "failed" });
    expect(repo.git("rev-parse", "main")).toBe(from);
    await opened.moveBranch(move);
    expectMoved(repo, to, " M keep");
  });

  test.for<{ what: string; tear: (path: (name: string) => string) => void }>([
    { what: "cut short", tear: (path) => truncateSync(path("edit"), 5) },
    { what: "emptied", tear: (path) => truncateSync(path("deep/er/added"), 0) },
    { what: "removed and not yet written", tear: (path) => rmSync(path("edit")) },
  ])("with a file $what, it writes it whole", async ({ tear }) => {
    using two = twoCommits();
    const { repo, from, to } = two;
    const move = { branch: "main", from, to };
    killAt("git.move.files.before", repo.dir, `await repo.moveBranch(${JSON.stringify(move)});`);
    repo.write({
      edit: "one\nzwei\n",
      "deep/er/added": "d\n",
      file: null,
      "file/inside": "i\n",
      dir: "was a folder\n",
    });
    tear((name) => join(repo.dir, name));
    await (await openRepo(repo.dir)).moveBranch(move);
    expectMoved(repo, to);
  });

  test("it still stops for what somebody wrote into a file since", async () => {
    using two = twoCommits();
    const { repo, from, to } = two;
    const move = { branch: "main", from, to };
    killAt("git.move.files.before", repo.dir, `await repo.moveBranch(${JSON.stringify(move)});`);
    repo.write({ edit: "one\nzwei\nand mine\n", added: "mine\n", gone: "mine\n" });
    const before = seen(repo);
    await expect((await openRepo(repo.dir)).moveBranch(move)).rejects.toMatchObject({
      kind: "in-the-way",
      paths: ["edit", "gone", "added"],
    });
    expect(seen(repo)).toEqual(before);
  });
});

/** A program that git runs over each file that it writes; git starts it itself, without a shell in between. */
function script(repo: TestRepo, filter: string, text: string): void {
  const path = join(repo.dir, ".git", filter);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  repo.git("config", `filter.${filter}.smudge`, path);
  repo.git("config", `filter.${filter}.required`, "true");
  repo.git("config", `filter.${filter}.clean`, "cat");
}
