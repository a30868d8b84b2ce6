import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepo } from "../index.ts";
import { killAt } from "../testing/kill-at.ts";
import { makeRepo, openTestRepo, type TestRepo } from "../testing/make-repo.ts";

interface Pair extends Disposable {
  repo: TestRepo;
  remote: TestRepo;
}

function withRemote(): Pair {
  const repo = makeRepo({ a: "1\n" });
  const folder = join(repo.dir, ".git/there");
  mkdirSync(folder);
  const remote = openTestRepo(folder);
  remote.git("init", "--quiet", "--bare", "--initial-branch=main");
  repo.git("remote", "add", "origin", folder);
  return { repo, remote, [Symbol.dispose]: () => repo.remove() };
}

const refs = (repo: TestRepo) =>
  repo.git("for-each-ref", "--format=%(refname) %(objectname)").split("\n").filter(Boolean);

describe("pushing", () => {
  test("puts exactly one branch there, however often", async () => {
    using pair = withRemote();
    const { repo, remote } = pair;
    repo.git("tag", "-a", "-m", "v", "v1");
    repo.git("config", "push.followTags", "true");
    repo.git("branch", "other");
    const opened = await openRepo(repo.dir);
    const commit = repo.git("rev-parse", "main");
    for (const branch of ["main", "refs/heads/main"]) {
      expect(await opened.push({ remote: "origin", branch })).toEqual({ commit });
      expect(refs(remote)).toEqual([`refs/heads/main ${commit}`]);
    }
  });

  test("can push a commit other than the branch's head, so that nothing newer goes along", async () => {
    using pair = withRemote();
    const { repo, remote } = pair;
    const reviewed = repo.git("rev-parse", "main");
    repo.commit({ a: "not reviewed\n" });
    await (await openRepo(repo.dir)).push({ remote: "origin", branch: "main", commit: reviewed });
    expect(refs(remote)).toEqual([`refs/heads/main ${reviewed}`]);
  });

  test("moves the remote's branch forward, and never back or sideways without a word", async () => {
    using pair = withRemote();
    const { repo, remote } = pair;
    const opened = await openRepo(repo.dir);
    await opened.push({ remote: "origin", branch: "main" });
    const there = repo.commit({ a: "2\n" });
    await opened.push({ remote: "origin", branch: "main" });
    repo.git("reset", "-q", "--hard", "HEAD~1");
    repo.commit({ a: "3\n" });
    await expect(opened.push({ remote: "origin", branch: "main" })).rejects.toMatchObject({
      kind: "moved",
      moved: { expected: null, found: there },
      message: expect.stringContaining("fetch it"),
    });
    expect(refs(remote)).toEqual([`refs/heads/main ${there}`]);
  });

  test("replaces the remote's branch only where it stands as expected", async () => {
    using pair = withRemote();
    const { repo, remote } = pair;
    const opened = await openRepo(repo.dir);
    const asked = { remote: "origin", branch: "main" };
    await opened.push({ ...asked, expected: null });
    const first = repo.git("rev-parse", "main");
    repo.git("commit", "-q", "--amend", "-m", "amended");
    const amended = repo.git("rev-parse", "main");
    for (const expected of [null, amended.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))]) {
      const refused = { kind: "moved", moved: { expected, found: first } };
      await expect(opened.push({ ...asked, expected })).rejects.toMatchObject(refused);
      expect(refs(remote)).toEqual([`refs/heads/main ${first}`]);
    }
    for (const _ of ["once", "again"]) {
      expect(await opened.push({ ...asked, expected: first })).toEqual({ commit: amended });
      expect(refs(remote)).toEqual([`refs/heads/main ${amended}`]);
    }
  });

  test.for(["git.push.before", "git.push.after"])("killed at %s, is simply run again", async (point) => {
    using pair = withRemote();
    const { repo, remote } = pair;
    const request = { remote: "origin", branch: "main", expected: null };
    const killed = killAt(point, repo.dir, `await repo.push(${JSON.stringify(request)});`);
    expect(killed).toMatchObject({ signal: "SIGKILL" });
    const { commit } = await (await openRepo(repo.dir)).push(request);
    expect(refs(remote)).toEqual([`refs/heads/main ${commit}`]);
  });
});

describe("a push that cannot be made says what to do", () => {
  test.for<{ what: string; spoil: (pair: Pair) => void; kind: string; words: RegExp }>([
    {
      what: "no such remote",
      spoil: ({ repo }) => repo.git("remote", "rename", "origin", "elsewhere"),
      kind: "no-remote",
      words: /no remote "origin": add it/,
    },
    {
      what: "nothing at its address",
      spoil: ({ repo }) => repo.git("remote", "set-url", "origin", "/nowhere/at/all"),
      kind: "unreachable",
      words: /origin could not be reached \(.*\): check the address/,
    },
    {
      what: "a hook there says no",
      spoil: ({ remote }) => {
        writeFileSync(join(remote.dir, "hooks/pre-receive"), "#!/bin/sh\necho protected >&2\nexit 1\n");
        chmodSync(join(remote.dir, "hooks/pre-receive"), 0o755);
      },
      kind: "failed",
      words: /origin refused refs\/heads\/main \(.*pre-receive hook declined/,
    },
    {
      what: "a password is asked for",
      spoil: ({ repo }) => {
        const helper = join(repo.dir, ".git/git-remote-asking");
        const asking = 'printf "protocol=https\\nhost=example.com\\n\\n" | git credential fill >/dev/null || exit 1';
        writeFileSync(helper, `#!/bin/sh\necho "fatal: from https://me:hush@example.com" >&2\n${asking}\n`);
        chmodSync(helper, 0o755);
        repo.git("remote", "set-url", "origin", "asking::x");
        repo.git("config", "protocol.asking.allow", "always");
      },
      kind: "unreachable",
      words: /from https:\/\/example.com: set up a credential helper/,
    },
  ])("$what", async ({ spoil, kind, words }) => {
    using pair = withRemote();
    const { repo, remote } = pair;
    spoil(pair);
    const path = process.env.PATH;
    process.env.PATH = `${join(repo.dir, ".git")}:${path}`;
    try {
      const opened = await openRepo(repo.dir);
      const attempt = opened.push({ remote: "origin", branch: "main" });
      await expect(attempt).rejects.toMatchObject({ kind, message: expect.stringMatching(words) });
      const error = await attempt.catch((thrown) => thrown);
      expect(`${error.message} ${error.cause}`).not.toContain("hush");
      expect(refs(remote)).toEqual([]);
    } finally {
      process.env.PATH = path;
    }
  });

  test("a name that could be an option, and a branch that does not exist", async () => {
    using pair = withRemote();
    const opened = await openRepo(pair.repo.dir);
    await expect(opened.push({ remote: "--all", branch: "main" })).rejects.toMatchObject({ kind: "no-remote" });
    await expect(opened.push({ remote: "origin", branch: "--all" })).rejects.toMatchObject({ kind: "unknown-ref" });
    await expect(opened.push({ remote: "origin", branch: "none" })).rejects.toMatchObject({ kind: "unknown-ref" });
  });
});

describe("asking about a remote", () => {
  test("gives its address, or null where there is none", async () => {
    using pair = withRemote();
    const opened = await openRepo(pair.repo.dir);
    expect(await opened.remoteUrl("origin")).toBe(pair.remote.dir);
    expect(await opened.remoteUrl("upstream")).toBeNull();
    expect(await opened.remoteUrl("--help")).toBeNull();
  });

  test("gives where a branch stands there, and takes no other that only ends alike", async () => {
    using pair = withRemote();
    const { repo } = pair;
    const opened = await openRepo(repo.dir);
    const commit = repo.git("rev-parse", "main");
    repo.git("branch", "x/refs/heads/main");
    await opened.push({ remote: "origin", branch: "x/refs/heads/main" });
    expect(await opened.remoteHead("origin", "main")).toBeNull();
    await opened.push({ remote: "origin", branch: "main" });
    expect(await opened.remoteHead("origin", "main")).toBe(commit);
    expect(await opened.remoteHead("origin", "none")).toBeNull();
    await expect(opened.remoteHead("upstream", "main")).rejects.toMatchObject({ kind: "no-remote" });
    repo.git("remote", "remove", "origin");
    await expect(opened.remoteHead("origin", "main")).rejects.toMatchObject({ kind: "no-remote" });
  });
});
