import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRepo, type Repo } from "@anneal/git";
import { workspacesOf } from "@anneal/workspace";
import { type Files, makeRepo, openTestRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { workspaceOf } from "../../../workspace/src/testing/workspace-of.ts";
import { baselineCheckouts, baselineFiles, type ChecksRequest, type ChecksResult, runChecks } from "../checks/index.ts";

/** A test file for node:test, with its tests by name. */
export function suite(tests: Record<string, "red" | "green">, more: [string, "red" | "green"][] = []): string {
  const lines = [...Object.entries(tests), ...more].map(
    ([name, colour]) => `test(${JSON.stringify(name)}, () => { assert.equal("${colour}", "green"); });`,
  );
  return ['import { test } from "node:test";', 'import assert from "node:assert";', ...lines, ""].join("\n");
}

export interface Project extends Disposable {
  repo: TestRepo;
  worktree: Repo;
  store: string;
  check(request?: Partial<ChecksRequest>): Promise<ChecksResult>;
}

/** What checks a project unless a test says otherwise. */
export const command = [process.execPath, "--test", "--test-reporter=tap"];

/** A project with a base commit, and a workspace with a change over it. */
export async function project(base: Files, change: Files): Promise<Project> {
  const repo = makeRepo({ ...base, ".gitignore": "counter\n" });
  const opened = await openRepo(repo.dir);
  const worktree = await workspaceOf(repo);
  openTestRepo(worktree.root).write(change);
  const store = mkdtempSync(join(tmpdir(), "anneal-baselines-"));
  const baseline = {
    commit: await opened.resolve("main"),
    store: baselineFiles(store),
    checkout: baselineCheckouts(workspacesOf(opened), { setup: [], copy: [] }),
  };
  return {
    repo,
    worktree,
    store,
    check: (request) => runChecks({ worktree, command, timeoutMs: 60_000, baseline, ...request }),
    [Symbol.dispose]: () => {
      repo.remove();
      rmSync(store, { recursive: true, force: true });
    },
  };
}
