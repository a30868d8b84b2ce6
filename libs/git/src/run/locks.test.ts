import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@anneal/system/clock";
import { describe, expect, test } from "vitest";
import { workspaceOf } from "../../../workspace/src/testing/workspace-of.ts";
import { openRepo } from "../index.ts";
import { makeRepo, type TestRepo } from "../testing/make-repo.ts";
import { recorded } from "./lock-record.ts";
import type { GitResult } from "./run.ts";

/** A clock whose sleeps end at once, after something has happened. */
function fakeClock(duringSleep: (sleeps: number) => void = () => {}): Clock & { slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => 0,
    sleep: async (ms) => {
      slept.push(ms);
      duringSleep(slept.length);
    },
  };
}

const indexLock = (repo: TestRepo) => join(repo.dir, ".git/index.lock");
const record = (repo: TestRepo) => join(repo.dir, ".git/anneal-git.json");
const longAgo = new Date(Date.now() - 3_600_000);

/** What a killed process of ours leaves: the record of a git that it had started, and that git's lock. */
function leaveBehind(repo: TestRepo, sinceMs: number): void {
  writeFileSync(record(repo), JSON.stringify({ pid: process.pid, start: "another life", sinceMs }));
  writeFileSync(indexLock(repo), "");
}

/** Puts a git first on the path that once, with that verb, takes the lock of the index and is killed then. */
function deadlyGit(repo: TestRepo, verb: string): Disposable {
  const folder = mkdtempSync(join(tmpdir(), "deadly-git-"));
  const path = process.env.PATH;
  const script = `#!/bin/sh
case " $* " in *" ${verb} "*) if [ ! -e ${folder}/died ]; then touch ${folder}/died ${indexLock(repo)}; kill -9 $$; fi;; esac
PATH='${path}' exec git "$@"
`;
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  process.env.PATH = `${folder}:${path}`;
  return {
    [Symbol.dispose]: () => {
      process.env.PATH = path;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Another work tree of a person's. */
function linked(repo: TestRepo): string {
  const path = join(`${repo.dir}.anneal`, "b");
  repo.git("worktree", "add", "--quiet", "-b", "b", path);
  return path;
}

/** Something that looks like a git at work in a folder. */
async function gitAtWorkIn(dir: string): Promise<{ child: ChildProcess } & AsyncDisposable> {
  const child = spawn("git", ["cat-file", "--batch"], { cwd: dir, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write("HEAD\n");
  await once(child.stdout, "data");
  return {
    child,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

describe("a lock of another git", () => {
  test("is waited for with growing pauses, and the work then goes on", async () => {
    using repo = makeRepo({ a: "1\n" });
    writeFileSync(indexLock(repo), "");
    const clock = fakeClock((sleeps) => {
      if (sleeps === 3) rmSync(indexLock(repo));
    });
    repo.write({ a: "2\n" });
    const opened = await openRepo(repo.dir, { clock });
    expect(await opened.commitAll("x")).toMatchObject({ commit: repo.git("rev-parse", "HEAD") });
    expect(clock.slept).toEqual([10, 20, 40]);
  });

  test.for([
    { what: "the index", lock: "index.lock", act: "resetTo" as const },
    { what: "a branch", lock: "refs/heads/main.lock", act: "commitAll" as const },
  ])("that never goes away, on $what, is an error that names it, and it is left there", async ({ lock, act }) => {
    using repo = makeRepo({ a: "1\n" });
    const clock = fakeClock();
    const opened = await openRepo(repo.dir, { clock });
    repo.write({ a: "2\n" });
    const path = join(repo.dir, ".git", lock);
    writeFileSync(path, "");
    const argument = { resetTo: "HEAD", commitAll: "message" }[act];
    await expect(opened[act](argument)).rejects.toMatchObject({
      kind: "locked",
      paths: [path],
      message: expect.stringContaining("remove the file if no git is running"),
    });
    expect(clock.slept.reduce((sum, ms) => sum + ms)).toBeLessThan(20_000);
    expect(existsSync(path)).toBe(true);
  });
});

describe.runIf(process.platform === "linux")("a stale lock", () => {
  test("of our own killed git is removed at once, and its record with it", async () => {
    using repo = makeRepo({ a: "1\n" });
    leaveBehind(repo, Date.now() - 1000);
    const clock = fakeClock();
    await (await openRepo(repo.dir, { clock })).resetTo("HEAD");
    expect(clock.slept).toEqual([]);
    expect([existsSync(indexLock(repo)), existsSync(record(repo))]).toEqual([false, false]);
  });

  test.for(["add", "write-tree"])(
    "of a git %s that is killed together with us is removed by the next life",
    async (verb) => {
      using repo = makeRepo({ a: "1\n" });
      repo.write({ a: "2\n" });
      // What this git dies of it cannot tell apart from the end of us all.
      using _ = deadlyGit(repo, verb);
      const clock = fakeClock();
      const opened = await openRepo(repo.dir, { clock });
      await expect(opened.commitAll("x")).rejects.toMatchObject({ kind: "failed" });
      expect([existsSync(indexLock(repo)), existsSync(record(repo))]).toEqual([true, true]);
      expect(await opened.commitAll("x")).toMatchObject({ commit: repo.git("rev-parse", "HEAD") });
      expect(clock.slept).toEqual([]);
      expect([existsSync(indexLock(repo)), existsSync(record(repo))]).toEqual([false, false]);
    },
  );

  test("stays known as ours while several later gits run at once that do not need it", async () => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir, { clock: fakeClock() });
    const location = {
      root: repo.dir,
      gitDir: join(repo.dir, ".git"),
      commonDir: join(repo.dir, ".git"),
      clock: fakeClock(),
    };
    leaveBehind(repo, Date.now() - 1000);
    const ended: GitResult = { code: 0, end: "exited", stdout: Buffer.of(), stderr: "" };
    const first = Promise.withResolvers<GitResult>();
    const second = Promise.withResolvers<GitResult>();
    const both = [recorded(location, () => first.promise), recorded(location, () => second.promise)];
    first.resolve(ended);
    await both[0];
    second.resolve(ended);
    await both[1];
    await opened.resetTo("HEAD");
    expect([existsSync(indexLock(repo)), existsSync(record(repo))]).toEqual([false, false]);
  });

  test.for(["index", "refs/heads/one"])(
    "in a workspace is removed, as all gits there are killed with us: on %s",
    async (on) => {
      using repo = makeRepo({ a: "1\n" });
      const tree = await workspaceOf(repo);
      const lock = join(tree.gitDir, `${on}.lock`);
      writeFileSync(lock, "");
      writeFileSync(join(tree.root, "a"), "2\n");
      expect(await tree.commitAll("x")).toMatchObject({ commit: expect.any(String) });
      expect(existsSync(lock)).toBe(false);
    },
  );

  test("that was there before our killed git is not ours, and stays", async () => {
    using repo = makeRepo({ a: "1\n" });
    leaveBehind(repo, Date.now() + 60_000);
    const opened = await openRepo(repo.dir, { clock: fakeClock() });
    await expect(opened.resetTo("HEAD")).rejects.toMatchObject({ kind: "locked" });
    expect(existsSync(indexLock(repo))).toBe(true);
  });

  test("is removed when it is old", async () => {
    using repo = makeRepo({ a: "1\n" });
    writeFileSync(indexLock(repo), "");
    utimesSync(indexLock(repo), longAgo, longAgo);
    const clock = fakeClock();
    await (await openRepo(repo.dir, { clock })).resetTo("HEAD");
    expect(clock.slept).toEqual([]);
  });

  test("stays while any git is at work in that tree, however old it is and whoever made it", async () => {
    using repo = makeRepo({ a: "1\n" });
    await using _other = await gitAtWorkIn(repo.dir);
    leaveBehind(repo, Date.now() - 1000);
    utimesSync(indexLock(repo), longAgo, longAgo);
    const opened = await openRepo(repo.dir, { clock: fakeClock() });
    await expect(opened.resetTo("HEAD")).rejects.toMatchObject({ kind: "locked" });
  });

  test("stays while any process has it open", async () => {
    using repo = makeRepo({ a: "1\n" });
    leaveBehind(repo, Date.now() - 1000);
    const holder = spawn("sh", ["-c", `exec 9>>"$0"; echo ready; read _`, indexLock(repo)], { cwd: "/" });
    await once(holder.stdout, "data");
    const opened = await openRepo(repo.dir, { clock: fakeClock() });
    await expect(opened.resetTo("HEAD")).rejects.toMatchObject({ kind: "locked" });
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await opened.resetTo("HEAD");
  });

  test("of one work tree is removed while a git works in another, since the index is its own", async () => {
    using repo = makeRepo({ a: "1\n" });
    const other = linked(repo);
    await using _busy = await gitAtWorkIn(other);
    leaveBehind(repo, Date.now() - 1000);
    await (await openRepo(repo.dir, { clock: fakeClock() })).resetTo("HEAD");
  });

  test("on refs, which all work trees share, stays while a git works in another", async () => {
    using repo = makeRepo({ a: "1\n" });
    const other = linked(repo);
    await using _busy = await gitAtWorkIn(other);
    const lock = join(repo.dir, ".git/refs/heads/main.lock");
    writeFileSync(lock, "");
    utimesSync(lock, longAgo, longAgo);
    repo.write({ a: "2\n" });
    const opened = await openRepo(repo.dir, { clock: fakeClock() });
    await expect(opened.commitAll("x")).rejects.toMatchObject({ kind: "locked" });
  });

  test("on refs that our killed git left is removed, though other gits ran in between and one is at work now", async () => {
    using repo = makeRepo({ a: "1\n" });
    leaveBehind(repo, Date.now() - 20_000);
    rmSync(indexLock(repo));
    const lock = join(repo.dir, ".git/refs/heads/main.lock");
    const then = new Date(Date.now() - 10_000);
    writeFileSync(lock, "");
    utimesSync(lock, then, then);
    const clock = fakeClock();
    const opened = await openRepo(repo.dir, { clock });
    await opened.resetTo(await opened.treeOf("HEAD"));
    expect(existsSync(record(repo))).toBe(true);
    await using _later = await gitAtWorkIn(repo.dir);
    repo.write({ a: "2\n" });
    expect(await opened.commitAll("x")).toMatchObject({ commit: repo.git("rev-parse", "HEAD") });
    expect(clock.slept).toEqual([]);
    expect([existsSync(lock), existsSync(record(repo))]).toEqual([false, false]);
  });

  test("that a git of this process left, killed in the middle, is cleared by the next one", async () => {
    using repo = makeRepo({ a: "1\n", "z.slow": "z\n", ".gitattributes": "*.slow filter=slow\n" });
    repo.git("config", "filter.slow.clean", "kill -9 $PPID");
    repo.write({ "z.slow": "changed\n" });
    const opened = await openRepo(repo.dir, { clock: fakeClock() });
    await expect(opened.prepareCommit({ message: "x" })).rejects.toThrow("git add failed");
    expect(existsSync(indexLock(repo))).toBe(true);
    expect(JSON.parse(readFileSync(record(repo), "utf8"))).toMatchObject({ pid: process.pid });
    repo.git("config", "filter.slow.clean", "cat");
    expect(await opened.commitAll("x")).toMatchObject({ commit: repo.git("rev-parse", "HEAD") });
  });
});
