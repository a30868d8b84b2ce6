import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepo } from "../index.ts";
import { makeRepo, openTestRepo, type TestRepo } from "../testing/make-repo.ts";

const refs = (repo: TestRepo) =>
  repo.git("for-each-ref", "--format=%(refname) %(objectname)").split("\n").filter(Boolean);

/** A remote whose main has moved on, and which has a tag and another branch. */
function behind() {
  const repo = makeRepo({ a: "1\n" });
  const folder = join(repo.dir, ".git/there");
  mkdirSync(folder);
  openTestRepo(folder).git("init", "--quiet", "--bare", "--initial-branch=main");
  const start = repo.git("rev-parse", "main");
  const there = repo.commit({ a: "2\n" });
  repo.git("tag", "v1");
  repo.git("push", "--quiet", folder, "main", "main:other", "v1");
  repo.git("reset", "--quiet", "--hard", start);
  repo.git("tag", "--delete", "v1");
  repo.git("remote", "add", "origin", folder);
  return { repo, folder, start, there, [Symbol.dispose]: () => repo.remove() };
}

describe("fetching a branch", () => {
  test("moves its remote-tracking ref and nothing else, whatever the settings map", async () => {
    using location = behind();
    const { repo, start, there } = location;
    repo.git("config", "remote.origin.fetch", "+refs/*:refs/*");
    repo.git("config", "remote.origin.tagOpt", "--tags");
    repo.git("config", "fetch.prune", "true");
    repo.git("update-ref", "refs/remotes/origin/gone", start);
    const opened = await openRepo(repo.dir);
    expect(await opened.fetchBranch({ remote: "origin", branch: "main" })).toEqual({ commit: there });
    expect(refs(repo)).toEqual([
      `refs/heads/main ${start}`,
      `refs/remotes/origin/gone ${start}`,
      `refs/remotes/origin/main ${there}`,
    ]);
  });

  test("for who only looks brings the commits and moves no ref", async () => {
    using location = behind();
    const { repo, there } = location;
    const before = refs(repo);
    const opened = await openRepo(repo.dir);
    expect(await opened.fetchBranch({ remote: "origin", branch: "main", keeps: "nothing" })).toEqual({ commit: there });
    expect(repo.git("cat-file", "-t", there)).toBe("commit");
    expect(refs(repo)).toEqual(before);
    const none = opened.fetchBranch({ remote: "origin", branch: "none", keeps: "nothing" });
    await expect(none).rejects.toMatchObject({ kind: "unknown-ref" });
  });

  test("follows a branch that was put elsewhere there", async () => {
    using location = behind();
    const { repo, folder, start } = location;
    const opened = await openRepo(repo.dir);
    await opened.fetchBranch({ remote: "origin", branch: "main" });
    repo.git("push", "--quiet", "--force", folder, `${start}:refs/heads/main`);
    expect(await opened.fetchBranch({ remote: "origin", branch: "main" })).toEqual({ commit: start });
  });

  test.for([
    { what: "a branch that is not there", branch: "none", url: null, kind: "unknown-ref", says: "has no branch none" },
    {
      what: "a remote that is not there",
      branch: "main",
      url: "/nowhere/at/all",
      kind: "unreachable",
      says: "git remote -v",
    },
  ])("says what is wrong with $what, and changes nothing", async ({ branch, url, kind, says }) => {
    using location = behind();
    const { repo } = location;
    if (url !== null) repo.git("remote", "set-url", "origin", url);
    const before = refs(repo);
    const fetched = (await openRepo(repo.dir)).fetchBranch({ remote: "origin", branch });
    await expect(fetched).rejects.toMatchObject({ kind, message: expect.stringContaining(says) });
    expect(refs(repo)).toEqual(before);
  });

  test("ends where the remote does not answer", async () => {
    using location = behind();
    const { repo } = location;
    const silent = join(repo.dir, ".git/silent");
    writeFileSync(silent, "#!/bin/sh\nexec cat >/dev/null\n");
    chmodSync(silent, 0o755);
    repo.git("config", "remote.origin.uploadpack", silent);
    const asked = { remote: "origin", branch: "main", timeoutMs: 1 };
    const fetched = (await openRepo(repo.dir)).fetchBranch(asked);
    await expect(fetched).rejects.toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining("did not answer"),
    });
  });
});

describe("fetching a commit", () => {
  test("brings it here though no branch leads to it, and moves no ref", async () => {
    using location = behind();
    const { repo, folder, start, there } = location;
    repo.git("push", "--quiet", "--force", folder, `${start}:refs/heads/main`, ":other", ":v1");
    repo.git("reflog", "expire", "--expire=all", "--all");
    repo.git("gc", "--quiet", "--prune=now");
    const before = refs(repo);
    const opened = await openRepo(repo.dir);
    await opened.fetchCommit({ remote: "origin", commit: there });
    expect(await opened.mergeBase(start, there)).toBe(start);
    expect(refs(repo)).toEqual(before);
    repo.git("remote", "set-url", "origin", "/nowhere/at/all");
    await opened.fetchCommit({ remote: "origin", commit: there });
  });

  test.for([
    { what: "one that the remote does not have", commit: "0".repeat(39).concat("1"), url: null, kind: "unknown-ref" },
    { what: "a refspec", commit: "+refs/heads/main:refs/heads/other", url: null, kind: "unknown-ref" },
    {
      what: "a remote that is not there",
      commit: "0".repeat(39).concat("1"),
      url: "/nowhere/at/all",
      kind: "unreachable",
    },
  ])("says what is wrong with $what, and changes nothing", async ({ commit, url, kind }) => {
    using location = behind();
    const { repo } = location;
    if (url !== null) repo.git("remote", "set-url", "origin", url);
    const before = refs(repo);
    const fetched = (await openRepo(repo.dir)).fetchCommit({ remote: "origin", commit });
    await expect(fetched).rejects.toMatchObject({ kind });
    expect(refs(repo)).toEqual(before);
  });
});
