import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { beforeEach, expect, test, vi } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import type { StartMessage } from "../history/store-log.ts";
import { type RunArgs, run } from "./run.ts";
import { approve, hang, implement, otherProcess, own, project, reject } from "./testing/project.ts";

/** Every path that a file system call of this process was given, with the watches apart. */
const touched = vi.hoisted(() => ({ paths: new Set<string>(), watched: new Set<string>() }));
vi.mock("node:fs", async (load) => {
  const fs = await load<typeof import("node:fs")>();
  const noting =
    <A extends unknown[], R>(call: (...args: A) => R, into = touched.paths) =>
    (...args: A): R => {
      into.add(String(args[0]));
      return call(...args);
    };
  const openSync = noting(fs.openSync);
  const readFileSync = noting(fs.readFileSync);
  const readdirSync = noting(fs.readdirSync as (...args: unknown[]) => unknown);
  const watch = noting(fs.watch as (...args: unknown[]) => unknown, touched.watched);
  return { ...fs, openSync, readFileSync, readdirSync, watch };
});

beforeEach(() => {
  touched.paths.clear();
  touched.watched.clear();
});

const AT = ".automaker/features";
const passing = { steps: [implement, approve] };
const hanging = { steps: [hang] };

function runHere(repo: TestRepo, args: Partial<RunArgs>) {
  const nothing = { onTrouble: () => {}, onOtherOwner: () => {}, onEvent: () => {} };
  const signal = new AbortController().signal;
  return run({ root: repo.dir, clock: systemClock, cast: {}, limit: 2, by: "ada", signal, ...nothing, ...args });
}

/** The features whose folders are among these paths. */
function featuresIn(repo: TestRepo, paths: ReadonlySet<string>): string[] {
  const inside = [...paths].map((path) => relative(join(repo.dir, AT), path)).filter((path) => path !== "");
  return [...new Set(inside.map((path) => path.split(sep)[0] ?? ""))].filter((id) => id !== "..").sort();
}

/** As editors save: a new file in place of the old one. */
function edit(repo: TestRepo, id: string, status: string): void {
  const path = join(repo.dir, AT, id, "feature.json");
  writeFileSync(`${path}~`, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), status }));
  renameSync(`${path}~`, path);
}

test.for<{ what: string; only?: string[]; reads: string[]; watches: string[] }>([
  { what: "one feature", only: ["one"], reads: ["one", "waits"], watches: ["one", "waits"] },
  {
    what: "one that depends on another",
    only: ["stacked"],
    reads: ["done", "stacked", "waits"],
    watches: ["stacked", "waits"],
  },
  { what: "what was interrupted", only: [], reads: ["waits"], watches: ["waits"] },
  {
    what: "everything",
    reads: ["done", "one", "other", "stacked", "waits"],
    watches: ["done", "one", "other", "stacked", "waits"],
  },
])("a run of $what reads these features and those with an open loop only: $reads", async ({ only, reads, watches }) => {
  const repo = project({
    one: passing,
    other: passing,
    done: { ...passing, status: "verified" },
    stacked: { ...passing, dependencies: ["done"] },
    waits: { steps: [implement, reject, reject, reject] },
  });
  const before = await own(repo);
  await before.run("waits");
  await before.close();
  touched.paths.clear();
  touched.watched.clear();
  await runHere(repo, only === undefined ? {} : { only });
  expect(featuresIn(repo, touched.paths)).toEqual(reads);
  expect(featuresIn(repo, touched.watched)).toEqual(watches);
});

test("a run of one feature hears edits of it, and of what others ask for meanwhile", async () => {
  const repo = project({ one: hanging, other: hanging });
  const begun = Object.fromEntries(["one", "other"].map((id) => [id, Promise.withResolvers<void>()]));
  const running = runHere(repo, {
    only: ["one"],
    onEvent: ({ item, event }) => {
      if (event.type === "intended") begun[item]?.resolve();
    },
  });
  await begun.one?.promise;
  const body: StartMessage = { kind: "start", item: "other", by: "robin" };
  otherProcess(repo).post({ id: "asked", loop: null, body });
  await begun.other?.promise;
  for (const id of ["one", "other"]) edit(repo, id, "backlog");
  const { settled, forOthers } = await running;
  for (const id of ["one", "other"]) expect(settled.get(id)).toMatchObject({ stage: "ended", outcome: "stopped" });
  expect([...forOthers]).toEqual(["other"]);
});
