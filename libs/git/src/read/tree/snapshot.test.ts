import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo, type TestRepo } from "../../testing/make-repo.ts";

const EMPTY = ["folder .", "folder d", "folder d/e"];
const start = { a: "1\n", b: "b\n", ".gitignore": "ignored*\n" };

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Every git that is started from now on, by its command. */
function listenToGit({ dir }: TestRepo): () => string[] {
  const [bin, heard] = [join(dir, ".git/bin"), join(dir, ".git/heard")];
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$*" >> ${heard}\nexec /usr/bin/git "$@"\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  return () => (existsSync(heard) ? readFileSync(heard, "utf8") : "").split("\n").filter(Boolean);
}

test.for<{ what: string; first?: (repo: TestRepo) => void; act?: (repo: TestRepo) => void; asksGit: boolean }>([
  { what: "nobody has touched a file", asksGit: false },
  { what: "one was written again", act: (repo) => repo.write({ a: "1\n" }), asksGit: false },
  { what: "one was touched", act: (repo) => chmodSync(join(repo.dir, "a"), 0o644), asksGit: false },
  { what: "a repository lies in the tree", first: nest, asksGit: true },
  { what: "a file is ignored", first: (repo) => repo.write({ ignored: "i" }), asksGit: true },
])("where $what, git is asked: $asksGit", async ({ first, act, asksGit }) => {
  using repo = makeRepo(start);
  first?.(repo);
  const opened = await openRepo(repo.dir);
  const heard = listenToGit(repo);
  const before = await opened.snapshot();
  act?.(repo);
  expect(await opened.sameAs(before)).toEqual([]);
  expect(heard().some((line) => line.includes(" add --all"))).toBe(asksGit);
  if (!asksGit) expect(heard()).toEqual([]);
});

test("objects that are gone are seen where git is not asked", async () => {
  using repo = makeRepo(start);
  const opened = await openRepo(repo.dir);
  const before = await opened.snapshot();
  rmSync(join(repo.dir, ".git/objects"), { recursive: true });
  expect(await opened.sameAs(before)).toEqual(["objects"]);
});

function stageEdit(repo: TestRepo): void {
  repo.write({ a: "2\n" });
  repo.git("add", "a");
}

/** A repository in the tree, whose own folder of git lies elsewhere. */
function nest(repo: TestRepo): void {
  repo.git("init", "-q", "--separate-git-dir", join(repo.dir, ".git/elsewhere"), "sub");
  commitIn(repo);
}

function commitIn(repo: TestRepo): void {
  const who = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
  repo.git("-C", join(repo.dir, "sub"), ...who, "commit", "-q", "--allow-empty", "-m", "x");
}

describe("a visitor that was to change nothing", () => {
  test("is clean where it only read, rewrote the same bytes, or refreshed the index", async () => {
    using repo = makeRepo(start);
    repo.write({ ignored: "i", untracked: "u" });
    const opened = await openRepo(repo.dir);
    const before = await opened.snapshot();
    writeFileSync(join(repo.dir, "a"), readFileSync(join(repo.dir, "a")));
    repo.git("status");
    repo.git("log");
    expect(await opened.sameAs(before)).toEqual([]);
  });

  test.for<{ what: string; act: (repo: TestRepo) => void; seen: string[] }>([
    { what: "edits a file", act: (repo) => repo.write({ a: "2\n" }), seen: ["file a"] },
    { what: "edits a file and stages it", act: stageEdit, seen: ["file a", "index"] },
    { what: "removes a file", act: (repo) => repo.write({ b: null }), seen: ["file b"] },
    { what: "adds a file", act: (repo) => repo.write({ c: "c" }), seen: ["file c"] },
    { what: "adds an ignored file", act: (repo) => repo.write({ ignored: "i" }), seen: ["ignored ignored"] },
    { what: "makes a file executable", act: (repo) => chmodSync(path(repo, "a"), 0o755), seen: ["file a"] },
  ])("is seen when it $what in a tree that is as it was committed", async ({ act, seen }) => {
    using repo = makeRepo(start);
    const opened = await openRepo(repo.dir);
    const before = await opened.snapshot();
    act(repo);
    expect(await opened.sameAs(before)).toEqual(seen);
  });

  const path = (repo: TestRepo, name: string) => join(repo.dir, name);
  test.for<{ what: string; first?: (repo: TestRepo) => void; act: (repo: TestRepo) => void; seen: string[] }>([
    { what: "edits a file", act: (repo) => repo.write({ a: "2\n" }), seen: ["file a"] },
    { what: "edits an untracked file again", act: (repo) => repo.write({ untracked: "v" }), seen: ["file untracked"] },
    { what: "commits in a repository that lies there", first: nest, act: commitIn, seen: ["file sub"] },
    { what: "removes a file", act: (repo) => repo.write({ b: null }), seen: ["file b"] },
    { what: "adds a file", act: (repo) => repo.write({ c: "c" }), seen: ["file c"] },
    { what: "makes a file executable", act: (repo) => chmodSync(path(repo, "a"), 0o755), seen: ["file a"] },
    { what: "edits an ignored file", act: (repo) => repo.write({ ignored: "ii" }), seen: ["ignored ignored"] },
    {
      what: "touches an ignored file",
      act: (repo) => utimesSync(path(repo, "ignored"), 1, 1),
      seen: ["ignored ignored"],
    },
    { what: "adds an ignored file", act: (repo) => repo.write({ ignored2: "" }), seen: ["ignored ignored2"] },
    { what: "stages", act: (repo) => repo.git("add", "untracked"), seen: ["index"] },
    {
      what: "hides a file from git",
      act: (repo) => repo.git("update-index", "--assume-unchanged", "a"),
      seen: ["index"],
    },
    { what: "makes a branch", act: (repo) => repo.git("branch", "x"), seen: ["ref refs/heads/x"] },
    {
      what: "makes a branch, and packs all of them",
      act: (repo) => {
        repo.git("branch", "x");
        repo.git("pack-refs", "--all");
      },
      seen: ["ref refs/heads/x"],
    },
    {
      what: "puts a pipe among the branches",
      act: (repo) => execFileSync("mkfifo", [path(repo, ".git/refs/heads/pipe")]),
      seen: ["ref refs/heads/pipe"],
    },
    {
      what: "commits",
      act: (repo) => repo.git("commit", "-q", "--allow-empty", "-m", "x"),
      seen: ["ref refs/heads/main"],
    },
    { what: "switches", act: (repo) => repo.git("checkout", "-q", "--detach"), seen: ["HEAD"] },
    { what: "sets config", act: (repo) => repo.git("config", "x.y", "z"), seen: [".git/config"] },
    {
      what: "adds a hook",
      act: (repo) => writeFileSync(path(repo, ".git/hooks/pre-commit"), ""),
      seen: [".git/hooks/pre-commit"],
    },
    {
      what: "excludes",
      act: (repo) => appendFileSync(path(repo, ".git/info/exclude"), "zzz\n"),
      seen: [".git/info/exclude"],
    },
    { what: "makes a pipe", act: (repo) => execFileSync("mkfifo", [path(repo, "pipe")]), seen: ["folder ."] },
    { what: "makes an empty folder", act: (repo) => mkdirSync(path(repo, "d/e"), { recursive: true }), seen: EMPTY },
    { what: "takes away rights", act: (repo) => chmodSync(path(repo, "a"), 0o400), seen: ["folder ."] },
    {
      what: "puts a pipe where everybody reads",
      act: (repo) => {
        rmSync(path(repo, ".git/HEAD"));
        execFileSync("mkfifo", [path(repo, ".git/HEAD")]);
      },
      seen: [".git kinds"],
    },
    { what: "removes its rules", act: (repo) => rmSync(path(repo, ".git/info/exclude")), seen: [".git/info/exclude"] },
  ])("is seen when it $what", async ({ first, act, seen }) => {
    using repo = makeRepo(start);
    repo.write({ ignored: "i", untracked: "u" });
    first?.(repo);
    const opened = await openRepo(repo.dir);
    const before = JSON.parse(JSON.stringify(await opened.snapshot()));
    act(repo);
    expect(await opened.sameAs(before)).toEqual(seen);
  });

  test("works before the first commit", async () => {
    using repo = makeRepo();
    const opened = await openRepo(repo.dir);
    const before = await opened.snapshot();
    expect(await opened.sameAs(before)).toEqual([]);
    repo.write({ a: "a" });
    expect(await opened.sameAs(before)).toEqual(["file a"]);
  });
});
