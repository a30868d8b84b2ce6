import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { expect, test } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { program } from "../../../system/src/testing/program.ts";
import { run } from "./run.ts";
import { approve, implement, otherProcess, own, project } from "./testing/project.ts";

const CHILD = program("kill-child");

/** Starts feature a in a process of its own, with whatever happens to that. */
function startElsewhere(repo: TestRepo) {
  const script = `scripted:${join(repo.dir, ".automaker/a.script")}`;
  return spawnSync(process.execPath, [CHILD, repo.dir, script, "a"], { encoding: "utf8" });
}

function withSetup(repo: TestRepo, script: string): void {
  writeFileSync(join(repo.dir, ".automaker/setup.sh"), script);
  withWorktree(repo, { setup: [`sh ${join(repo.dir, ".automaker/setup.sh")}`] });
}

function withWorktree(repo: TestRepo, worktree: { setup?: string[]; copy?: string[] }): void {
  const file = join(repo.dir, ".automaker/settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...settings, worktree }));
}

/** Another run of the project's owner, which asks for nothing itself. */
function runOthers(repo: TestRepo) {
  const { signal } = new AbortController();
  const silent = { onEvent: () => {}, onTrouble: () => {}, onOtherOwner: () => {} };
  return run({ root: repo.dir, clock: systemClock, cast: {}, only: [], limit: 3, by: "ada", signal, ...silent });
}

function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/status`;
  return existsSync(path) && !/^State:\s+Z/m.test(readFileSync(path, "utf8"));
}

test("a start that was killed during the set-up of its worktree goes on by itself, and what the set-up left is ended", async () => {
  const repo = project({ a: { steps: [implement, approve] } });
  const at = (name: string) => join(repo.dir, ".automaker", name);
  withSetup(repo, `test -e ${at("pid")} && exit 0; echo $$ > ${at("pid")}; kill -9 $PPID; sleep 600`);
  expect(startElsewhere(repo)).toMatchObject({ signal: "SIGKILL" });
  const pid = Number(readFileSync(at("pid"), "utf8"));
  expect(isRunning(pid)).toBe(true);
  expect((await runOthers(repo)).settled.get("a")).toMatchObject({ outcome: "passed" });
  expect(isRunning(pid)).toBe(false);
  expect(otherProcess(repo).takeInbox()).toEqual([]);
});

test("a start that could not be made is not tried again by itself", async () => {
  const repo = project({ a: { steps: [implement, approve] } });
  withSetup(repo, "exit 3");
  const runtime = await own(repo);
  await expect(runtime.run("a")).rejects.toThrow("the set-up of the workspace failed");
  expect(runtime.store.takeInbox()).toEqual([]);
});

test.for([
  { worktree: { setup: ["echo 'x"] }, says: "a quote or backslash is left open in echo 'x" },
  { worktree: { setup: ["npm ci && npm test"] }, says: "needs a shell: write it as bash -c '…'" },
  { worktree: { copy: ["../../.env"] }, says: "../../.env was not touched" },
])(
  "a set-up that cannot be made is the settings' fault, as a bad test command is: $worktree",
  async ({ worktree, says }) => {
    const repo = project({ a: { steps: [implement, approve] } });
    withWorktree(repo, worktree);
    const message = expect.stringContaining(says);
    await expect((await own(repo)).run("a")).rejects.toMatchObject({ name: "UsageError", message });
  },
);
