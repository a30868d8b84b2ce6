import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo, type TestRepo } from "../../testing/make-repo.ts";
import { readHead } from "./head-file.ts";

function head(repo: TestRepo) {
  const gitDir = join(repo.dir, ".git");
  return readHead({ root: repo.dir, gitDir, commonDir: gitDir, clock: { now: () => 0, sleep: async () => {} } });
}

describe("the head, read without git", () => {
  test.for<{
    what: string;
    act: (repo: TestRepo) => void;
    branch: string | null;
    commit: "known" | "none" | "unknown";
  }>([
    { what: "on a branch", act: () => {}, branch: "refs/heads/main", commit: "known" },
    { what: "detached", act: (repo) => repo.git("checkout", "-q", "--detach"), branch: null, commit: "known" },
    {
      what: "on a branch with slashes",
      act: (repo) => repo.git("checkout", "-q", "-b", "feature/ä/1"),
      branch: "refs/heads/feature/ä/1",
      commit: "known",
    },
    {
      what: "on a packed branch",
      act: (repo) => repo.git("pack-refs", "--all"),
      branch: "refs/heads/main",
      commit: "known",
    },
    {
      what: "on a branch without commits",
      act: (repo) => repo.git("checkout", "-q", "--orphan", "new"),
      branch: "refs/heads/new",
      commit: "none",
    },
    {
      what: "on a branch without commits beside packed ones",
      act: (repo) => {
        repo.git("pack-refs", "--all");
        repo.git("checkout", "-q", "--orphan", "new");
      },
      branch: "refs/heads/new",
      commit: "none",
    },
    {
      what: "on a name for another branch",
      act: (repo) => {
        repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
        repo.git("symbolic-ref", "HEAD", "refs/heads/alias");
      },
      branch: "refs/heads/alias",
      commit: "unknown",
    },
  ])("$what, agrees with what git says", async ({ act, branch, commit }) => {
    using repo = makeRepo({ a: "1\n" });
    act(repo);
    const found = await head(repo);
    expect(found.branch).toBe(branch);
    expect(found.commit === "unknown" ? "unknown" : found.commit === null ? "none" : "known").toBe(commit);
    if (commit === "known") expect(found.commit).toBe(repo.git("rev-parse", "HEAD"));
    const opened = await openRepo(repo.dir);
    expect(await opened.branchName()).toBe(branch?.replace("refs/heads/", "") ?? null);
    const exists = branch !== "refs/heads/new";
    expect(await opened.headCommit()).toBe(exists ? repo.git("rev-parse", "HEAD") : null);
  });

  test.for<{ what: string; text: string | { link: string } }>([
    { what: "in another storage", text: "ref: refs/heads/.invalid\n" },
    { what: "out of the repository", text: "ref: refs/heads/../../../outside\n" },
    { what: "at something that is no branch", text: "ref: refs/bisect/bad\n" },
    { what: "through a link", text: { link: "refs/heads/main" } },
    { what: "at nonsense", text: "zzz\n" },
  ])("that points $what is a question for git", async ({ text }) => {
    using repo = makeRepo({ a: "1\n" });
    const path = join(repo.dir, ".git/HEAD");
    rmSync(path);
    if (typeof text === "string") writeFileSync(path, text);
    else symlinkSync(text.link, path);
    expect(await head(repo)).toEqual({ branch: "unknown", commit: "unknown" });
  });
});
