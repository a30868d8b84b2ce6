import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo, type TestRepo } from "../../testing/make-repo.ts";

function hook(repo: TestRepo, name: string, script: string): void {
  const path = join(repo.dir, ".git/hooks", name);
  mkdirSync(join(repo.dir, ".git/hooks"), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** A killed process without a parent that waits for it stays listed, as a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

const fixed = { author: { name: "Loop", email: "loop@example.com" }, date: "1700000000 +0000" };

describe("committing everything", () => {
  test("moves the branch to a commit with the message, author and date as given", async () => {
    using repo = makeRepo({ a: "1\n", gone: "x\n" });
    repo.write({ a: "2\n", gone: null, "new file": "n\n" });
    const opened = await openRepo(repo.dir);
    expect(await opened.status()).toBe("changed");
    const result = await opened.commitAll("fix: it\n\nBecause.", fixed);
    expect(result).toEqual({ commit: repo.git("rev-parse", "main") });
    expect(repo.git("log", "-1", "--format=%an %ae %at %cn %ct %B")).toBe(
      "Loop loop@example.com 1700000000 Loop 1700000000 fix: it\n\nBecause.\n",
    );
    expect(repo.git("log", "-1", "--name-status", "--format=")).toBe("M\ta\nD\tgone\nA\tnew file");
    expect(await opened.status()).toBe("clean");
  });

  test("gives the same id again for the same parent, tree, message, author and date", async () => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    const commits = [];
    for (const _ of [1, 2]) {
      repo.write({ a: "2\n" });
      commits.push(await opened.commitAll("fix", fixed));
      repo.git("reset", "--quiet", "--hard", "HEAD~1");
    }
    expect(commits[0]).toEqual(commits[1]);
  });

  test("is nothing where the work tree equals the head", async () => {
    using repo = makeRepo({ a: "1\n", ".gitignore": "x\n" });
    repo.write({ x: "ignored" });
    const opened = await openRepo(repo.dir);
    expect(await opened.status()).toBe("clean");
    expect(await opened.commitAll("none")).toBe("nothing");
  });

  test("works for the first commit and on a detached head", async () => {
    using repo = makeRepo();
    repo.write({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    expect(await opened.commitAll("first")).toEqual({ commit: repo.git("rev-parse", "main") });
    repo.git("checkout", "--quiet", "--detach");
    repo.write({ a: "2\n" });
    expect(await opened.commitAll("second")).toEqual({ commit: repo.git("rev-parse", "HEAD") });
    expect(repo.git("rev-parse", "main")).toBe(repo.git("rev-parse", "HEAD~1"));
  });

  test("is refused with the words of a pre-commit hook that fails, and the branch stays", async () => {
    using repo = makeRepo({ a: "1\n" });
    const head = repo.git("rev-parse", "HEAD");
    hook(repo, "pre-commit", 'git diff --cached --name-only; echo "lint: no" >&2; exit 1');
    repo.write({ a: "2\n" });
    expect(await (await openRepo(repo.dir)).commitAll("x")).toEqual({ refused: "a\nlint: no" });
    expect(repo.git("rev-parse", "HEAD")).toBe(head);
  });

  test("takes what hooks stage and what they make of the message", async () => {
    using repo = makeRepo({ a: "1\n" });
    hook(repo, "pre-commit", "echo formatted > a && git add a");
    hook(repo, "commit-msg", 'echo "Ticket: 7" >> "$1"');
    repo.write({ a: "2\n" });
    await (await openRepo(repo.dir)).commitAll("fix", fixed);
    expect(repo.git("show", "HEAD:a")).toBe("formatted");
    expect(repo.git("log", "-1", "--format=%B")).toBe("fix\nTicket: 7\n");
  });

  test("is refused by a commit-msg hook that fails", async () => {
    using repo = makeRepo({ a: "1\n" });
    hook(repo, "commit-msg", "exit 3");
    repo.write({ a: "2\n" });
    const result = await (await openRepo(repo.dir)).commitAll("x");
    expect(result).toEqual({ refused: expect.stringContaining("commit-msg") });
  });

  test("never loses a commit that came in meanwhile", async () => {
    using repo = makeRepo({ a: "1\n" });
    hook(repo, "pre-commit", "git commit-tree -p HEAD -m other HEAD^{tree} | xargs git update-ref refs/heads/main");
    repo.write({ a: "2\n" });
    await expect((await openRepo(repo.dir)).commitAll("x")).rejects.toThrow("moved during the commit");
    expect(repo.git("log", "-1", "--format=%s")).toBe("other");
  });

  test.for([
    { what: "in the background", start: "sleep 600 &" },
    { what: "in a session of its own", start: "setsid sleep 600 &" },
    { what: "without a trace of who started it", start: "env -i setsid /bin/sleep 20 &" },
  ])("does not wait for what a hook leaves running $what", async ({ start }) => {
    using repo = makeRepo({ a: "1\n" });
    repo.write({ a: "2\n" });
    hook(repo, "pre-commit", `${start}\necho checked`);
    expect(await (await openRepo(repo.dir)).commitAll("m")).toMatchObject({ commit: expect.any(String) });
  });

  test("ends on request, though what a hook started cut all ties", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.write({ a: "2\n" });
    hook(repo, "pre-commit", "setsid sleep 600 & touch .git/begun; wait");
    const stop = new AbortController();
    const commit = (await openRepo(repo.dir)).commitAll("m", { signal: stop.signal });
    await expect.poll(() => existsSync(join(repo.dir, ".git/begun")), { timeout: 20_000 }).toBe(true);
    stop.abort();
    await expect(commit).rejects.toThrow("stopped");
  });

  test("ends on request while a hook hangs, with all that the hook started", async () => {
    using repo = makeRepo({ a: "1\n" });
    hook(repo, "pre-commit", "sleep 60 & echo $! > .git/pid.new; mv .git/pid.new .git/pid; wait");
    repo.write({ a: "2\n" });
    const stop = new AbortController();
    const result = (await openRepo(repo.dir)).commitAll("x", { signal: stop.signal });
    await expect.poll(() => existsSync(join(repo.dir, ".git/pid")), { timeout: 20_000 }).toBe(true);
    const sleeper = Number(readFileSync(join(repo.dir, ".git/pid"), "utf8"));
    stop.abort();
    await expect(result).rejects.toThrow("stopped");
    await expect.poll(() => isRunning(sleeper), { timeout: 20_000 }).toBe(false);
  });
});

describe("resetting", () => {
  test("to a commit puts back branch, index and files, and leaves ignored files", async () => {
    using repo = makeRepo({ a: "1\n", ".gitignore": "ignored\n" });
    const first = repo.git("rev-parse", "HEAD");
    repo.commit({ a: "2\n", b: "b\n" });
    repo.write({ a: "3\n", "dir/untracked": "u\n", ignored: "i\n" });
    const opened = await openRepo(repo.dir);
    await opened.resetTo(first);
    expect(repo.git("rev-parse", "main")).toBe(first);
    expect(await opened.status()).toBe("clean");
    expect(["b", "dir", "ignored"].map((name) => existsSync(join(repo.dir, name)))).toEqual([false, false, true]);
  });

  test("to a recorded tree puts back the files and leaves the head", async () => {
    using repo = makeRepo({ a: "1\n" });
    const head = repo.git("rev-parse", "HEAD");
    repo.write({ a: "2\n", draft: "d\n" });
    const opened = await openRepo(repo.dir);
    const tree = await opened.worktreeTree();
    repo.write({ a: "spoilt\n", draft: null, litter: "l\n" });
    await opened.resetTo(tree);
    expect(readFileSync(join(repo.dir, "a"), "utf8")).toBe("2\n");
    expect(await opened.worktreeTree()).toBe(tree);
    expect(repo.git("rev-parse", "HEAD")).toBe(head);
  });
});

describe("what a fix touched", () => {
  const text = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
  const edited = (edit: (lines: string[]) => void) => {
    const lines = [...text];
    edit(lines);
    return `${lines.join("\n")}\n`;
  };
  const old = edited(() => {});

  test.for<{ what: string; next: string | Uint8Array | null; ranges: [number, number][] }>([
    { what: "changed lines", next: edited((all) => all.splice(4, 2, "x", "y")), ranges: [[5, 6]] },
    {
      what: "two changes in one hunk",
      next: edited((all) => (all[4] = all[6] = "x")),
      ranges: [
        [5, 5],
        [7, 7],
      ],
    },
    { what: "an addition at the end", next: `${old}x\n`, ranges: [[31, 31]] },
    { what: "a removal: the line in its place", next: edited((all) => all.splice(9, 3)), ranges: [[10, 10]] },
    { what: "a removal at the end: the last line", next: edited((all) => all.splice(28, 2)), ranges: [[28, 28]] },
    { what: "binary content: all of it", next: Buffer.from([0]), ranges: [[1, Number.MAX_SAFE_INTEGER]] },
    { what: "a file that is gone: the file, and no line", next: null, ranges: [] },
  ])("$what", async ({ next, ranges }) => {
    using repo = makeRepo({ a: old });
    const head = repo.commit({ a: next });
    const regions = await (await openRepo(repo.dir)).touchedRegions("HEAD~1", head);
    expect(regions).toEqual([{ file: "a", ranges }]);
  });

  test.for([
    { what: "lines put in before a line", next: edited((all) => all.splice(4, 0, "x", "y")), edits: [[5, 0, 5, 2]] },
    { what: "lines taken away", next: edited((all) => all.splice(4, 2)), edits: [[5, 2, 5, 0]] },
    { what: "lines replaced", next: edited((all) => all.splice(0, 1, "x", "y")), edits: [[1, 1, 1, 2]] },
    {
      what: "two edits near each other",
      next: edited((all) => {
        all.splice(9, 1);
        all.splice(4, 0, "x");
      }),
      edits: [
        [5, 0, 5, 1],
        [10, 1, 11, 0],
      ],
    },
    {
      what: "what cannot be read",
      next: Buffer.from([0]),
      edits: [[1, Number.MAX_SAFE_INTEGER, 1, Number.MAX_SAFE_INTEGER]],
    },
    { what: "a file that is gone", next: null, edits: [[1, 30, 1, 0]] },
  ])("where lines went: $what", async ({ next, edits }) => {
    using repo = makeRepo({ a: old, b: "1\n" });
    const head = repo.commit({ a: next, b: "2\n" });
    const { moves } = await (await openRepo(repo.dir)).moves("HEAD~1", head, (file) => file === "a");
    expect(moves).toEqual([{ file: "a", edits }]);
  });

  test("renames are given as new path by old path", async () => {
    using repo = makeRepo({ "old\nname": old, __proto__x: "y" });
    const head = repo.commit({ "old\nname": null, "new name": `${old}more\n` });
    expect(await (await openRepo(repo.dir)).moves("HEAD~1", head, () => false)).toEqual({
      moves: [],
      renames: { "old\nname": "new name" },
    });
  });
});
