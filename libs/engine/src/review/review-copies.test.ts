import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { POLICIES } from "@anneal/core";
import { openRepo } from "@anneal/git";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeRepo, openTestRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { reviewerNamed } from "../assemble.ts";
import { boundsOf } from "./bounds.ts";
import { temporaryCopies } from "./review-copies.ts";

/** A folder for temporary files that is this test's own, so that what is left in it can be counted. */
function ownTmp(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-passing-")));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** On `main`, with a secret that git ignores, work under way, and a commit elsewhere. */
function busyRepo(): TestRepo {
  const repo = makeRepo({ "a.txt": "main\n", ".gitignore": ".env\n" });
  onTestFinished(() => repo.remove());
  repo.git("checkout", "--quiet", "-b", "topic");
  repo.commit({ "a.txt": "topic\n", "b.txt": "only there\n" });
  repo.git("checkout", "--quiet", "main");
  repo.write({ ".env": "PASSWORD=hunter-2222\n", "staged.txt": "staged\n" });
  repo.git("add", "staged.txt");
  repo.write({ "staged.txt": "later\n", "untracked.txt": "new\n" });
  return repo;
}

/** All that a reader finds in the tree that it gets, and what git shows it as the change. */
async function seenBy(repo: TestRepo, selection: Parameters<typeof boundsOf>[1]) {
  const opened = await openRepo(repo.dir);
  const { bounds } = await boundsOf(opened, selection);
  return await temporaryCopies(opened).lend(bounds.head, async ({ root }) => {
    const tree = openTestRepo(root);
    const names = readdirSync(root).filter((name) => name !== ".git");
    const files = Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(root, name), "utf8")]));
    return {
      root,
      files,
      changed: tree.git("diff", "--name-only", bounds.base).split("\n"),
      of: tree.git("status", "--porcelain"),
    };
  });
}

describe("a review outside of loops reads in a tree of its own", () => {
  const base = { ".gitignore": ".env\n", "a.txt": "main\n" };

  test.for([
    {
      what: "a commit that is not checked out",
      selection: { base: "main", head: "topic" },
      files: { ...base, "a.txt": "topic\n", "b.txt": "only there\n" },
      changed: ["a.txt", "b.txt"],
    },
    {
      what: "what is staged",
      selection: { uncommitted: "staged" as const },
      files: { ...base, "staged.txt": "staged\n" },
      changed: ["staged.txt"],
    },
    {
      what: "the working tree",
      selection: { uncommitted: "worktree" as const },
      files: { ...base, "staged.txt": "later\n", "untracked.txt": "new\n" },
      changed: ["staged.txt", "untracked.txt"],
    },
  ])("with exactly $what in it, and nothing that git ignores", async ({ selection, files, changed }) => {
    const repo = busyRepo();
    const tmp = ownTmp();
    const before = [repo.git("status", "--porcelain=v2", "--ignored", "--branch"), repo.git("for-each-ref")];
    const seen = await seenBy(repo, selection);
    expect(seen).toMatchObject({ files, changed, of: "" });
    expect(seen.root.startsWith(tmp)).toBe(true);
    expect(readdirSync(tmp), "nothing is left of it").toEqual([]);
    expect([repo.git("status", "--porcelain=v2", "--ignored", "--branch"), repo.git("for-each-ref")]).toEqual(before);
  });

  test("in a repository without commits too", async () => {
    ownTmp();
    using repo = makeRepo();
    repo.write({ "first.txt": "1\n" });
    const opened = await openRepo(repo.dir);
    const { bounds } = await boundsOf(opened, { uncommitted: "worktree" });
    await temporaryCopies(opened).lend(bounds.head, async ({ root }) => {
      expect(readdirSync(root).sort()).toEqual([".git", "first.txt"]);
    });
  });

  test("whoever named the reviewer: an agent is started there", async () => {
    const repo = busyRepo();
    const tmp = ownTmp();
    const opened = await openRepo(repo.dir);
    const { bounds } = await boundsOf(opened, { base: "main", head: "topic" });
    const script = `const { readFileSync: read, existsSync } = require("fs"); read(0);
      console.error(process.cwd() + " has " + read("a.txt", "utf8").trim() + ", secret: " + existsSync(".env")); process.exit(3);`;
    const command = [process.execPath, "-e", script] as [string, ...string[]];
    const reviewer = await reviewerNamed("peeker", {
      policy: POLICIES.adversarial,
      repo: opened,
      brief: { workItem: { title: "t", description: "d" }, round: 1, earlierFindings: [] },
      agents: { setups: { peeker: { kind: "command", command, unsandboxed: "allowed" } } },
    });
    const change = opened.change(bounds);
    onTestFinished(() => change.close());
    const { report } = await reviewer.review(change, new AbortController().signal);
    expect(report).toMatchObject({ reason: expect.stringMatching(/anneal-review-\S* has topic, secret: false/) });
    expect(readdirSync(tmp)).toEqual([]);
  });
});

const [TREES, GIT] = ["./review-copies.ts", "@anneal/git"].map((name) => import.meta.resolve(name));

test.runIf(process.platform === "linux")("what a killed review left is gone after the next one began", async () => {
  const repo = busyRepo();
  const tmp = ownTmp();
  const code = `const [{ temporaryCopies }, { openRepo }, { spawn }] = await Promise.all([import("${TREES}"), import("${GIT}"), import("node:child_process")]);
    const { runCommand } = await import("${import.meta.resolve("@anneal/system/programs/command")}");
    const repo = await openRepo(${JSON.stringify(repo.dir)});
    await temporaryCopies(repo).lend(await repo.resolve("topic"), async ({ root }) => {
      runCommand(["sh", "-c", "echo $$; exec sleep 600"], { cwd: "/", timeoutMs: 600000, onOutput: (text) => {
        console.log(root + " " + text); process.kill(process.pid, "SIGKILL");
      } });
      await new Promise(() => {});
    });`;
  const args = ["--input-type=module", "-e", code];
  const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });
  expect(signal, stderr).toBe("SIGKILL");
  const [left = "", pid = ""] = stdout.trim().split(" ");
  expect([existsSync(left), isRunning(pid)]).toEqual([true, true]);

  await seenBy(repo, { base: "main", head: "topic" });
  expect([existsSync(left), isRunning(pid)]).toEqual([false, false]);
  expect(readdirSync(tmp)).toEqual([]);
});

/** A killed process without a parent that waits for it stays listed, as a zombie. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
