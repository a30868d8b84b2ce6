import { systemClock } from "@anneal/adapters/clock";
import { openRepo } from "@anneal/adapters/git";
import { expect, onTestFinished, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { collectGarbage } from "./gc.ts";
import { initProject } from "./init.ts";
import { openProject } from "./reader.ts";
import { own } from "./testing/project.ts";

/** Everybody who writes into a project. */
const opened: Record<string, (repo: TestRepo) => Promise<unknown>> = {
  "an owner": async (repo) => (await own(repo)).close(),
  "somebody who leaves a message": async (repo) => (await openProject(repo.dir, systemClock))[Symbol.dispose](),
  "a collection of garbage": async (repo) => {
    repo.write({ ".automaker/settings.json": "{}\n" });
    await collectGarbage(await openRepo(repo.dir), { clock: systemClock, dryRun: false });
  },
  "a project that is made ready": async (repo) => initProject(await openRepo(repo.dir)),
};

const STATE = [
  ...["anneal.db", "anneal.db-wal", "anneal.db-shm", "anneal.db.backup-v3-20260109", "anneal.lock"],
  ...["anneal.lock-journal", "anneal.owner.json", "anneal-files.lock", "blobs/ab/cdef"],
  ...[".settings.json.7-0a1b2c3d4e5f.tmp", "features/a/.feature.json.7-0a1b2c3d4e5f.tmp", "blobs.7-0a.anneal-tmp"],
];

test.for(Object.entries(opened))("no branch shows the log to git once %s was there", async ([, open]) => {
  const repo = makeRepo({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  repo.git("checkout", "--quiet", "-b", "topic");
  await open(repo);
  repo.write(Object.fromEntries(STATE.map((name) => [`.automaker/${name}`, "state\n"])));
  repo.commit({ "b.txt": "b\n" }, "everything that git shows");
  repo.git("checkout", "--quiet", "main");
  expect(repo.git("status", "--short", "--untracked-files=all")).toBe("");
  expect(repo.git("ls-tree", "-r", "--name-only", "topic", ".automaker")).not.toMatch(/anneal|blobs|tmp/);
});
