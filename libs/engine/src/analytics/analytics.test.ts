import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReviewLoopAnalytics } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemClock } from "../assemble.ts";
import { Follower } from "../history/follow.ts";
import type { LoopNotification } from "../history/notification.ts";
import type { ProjectStore } from "../history/store-log.ts";
import { otherProcess, own, project } from "../project/testing/project.ts";
import { decisionText } from "../review/testing/decision-text.ts";
import { analyticsKeeper } from "./keeper.ts";
import { analyticsOf, rebuildAnalytics } from "./report.ts";

const APPROVE = { role: "reviewer", answer: decisionText("APPROVED", "None") };
const FAULT =
  "- **[CODE]** - error: It lets everybody in\n  - Description: Any word passes.\n  - File: a.js\n  - Line: 1";
const REJECT = { role: "reviewer", answer: decisionText("REJECTED", FAULT) };
const writes = (role: string, content: string) => ({ role, edits: [{ path: "a.js", content }], answer: "Done." });

const TWICE = [writes("implementer", "open();\n"), REJECT, writes("fixer", "shut();\n"), APPROVE];
const ONCE = [writes("implementer", "shut();\n"), APPROVE];

const FILE = ".automaker/analytics/review-loop.json";
const read = (dir: string) => ReviewLoopAnalytics.parse(JSON.parse(readFileSync(join(dir, FILE), "utf8")));

/** A project whose two features have run, and its log. */
async function ran() {
  const repo = project({ one: { steps: ONCE }, two: { steps: TWICE } });
  const troubles: string[] = [];
  const runtime = await own(repo, { onTrouble: (item, message) => troubles.push(`${item}: ${message}`) });
  await runtime.run("one");
  await runtime.run("two");
  await runtime.close();
  return { repo, troubles, store: otherProcess(repo) };
}

describe("the owner keeps the file", () => {
  test("it is there after a run, in words that a person can read, and git does not see it", async () => {
    const { repo, troubles, store } = await ran();
    expect(troubles).toEqual([]);
    const file = read(repo.dir);
    expect(file).toMatchObject({
      version: 1,
      seq: store.lastSeq(),
      summary: {
        loops: 2,
        firstPassRate: 0.5,
        averageIterations: 1.5,
        issuesFound: 1,
        issuesAutoFixed: 1,
        timeSaved: { minutes: 10 },
      },
    });
    rmSync(join(repo.dir, ".gitignore"));
    const seen = execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: repo.dir, encoding: "utf8" });
    expect(seen).not.toContain("analytics");
  });

  test("a folder that leads out of the project is reported; nothing is written there, and the loop is none the worse", async () => {
    const repo = project({ one: { steps: ONCE } });
    const outside = join(tmpdir(), `anneal-outside-${process.pid}`);
    mkdirSync(outside);
    symlinkSync(outside, join(repo.dir, ".automaker/analytics"));
    try {
      const troubles: string[] = [];
      const runtime = await own(repo, { onTrouble: (item, message) => troubles.push(`${item}: ${message}`) });
      expect(await runtime.run("one")).toMatchObject({ stage: "ended", outcome: "passed" });
      await runtime.close();
      expect(troubles).toEqual([expect.stringMatching(/^analytics: .*analytics was not touched: it leads out of/)]);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });
});

describe("asking", () => {
  test("gives the same whatever became of the file, and writes nothing", async () => {
    const { repo, store } = await ran();
    const all = await rebuildAnalytics({ root: repo.dir, store });
    const path = join(repo.dir, FILE);
    const whole = readFileSync(path, "utf8");
    for (const text of [
      whole,
      null,
      "{",
      whole.replace(/"log": "[^"]*"/, '"log": "another 1"').replace(/"loopsStarted": \d+/, '"loopsStarted": 7'),
      whole.replace(/"seq": \d+/, '"seq": 99999'),
    ]) {
      if (text === null) rmSync(path);
      else writeFileSync(path, text);
      expect(await analyticsOf({ root: repo.dir, store })).toEqual(all);
      expect(readOrNull(path)).toBe(text);
    }
  });

  test("the settings say what a finding and a round are worth", async () => {
    const { repo, store } = await ran();
    const path = join(repo.dir, ".automaker/settings.json");
    const settings = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...settings, analytics: { minutesPerFinding: 30, minutesPerRound: 1 } }));
    const { summary } = await analyticsOf({ root: repo.dir, store });
    expect(summary.timeSaved).toEqual({
      minutes: 33,
      formula: { minutesPerFinding: 30, minutesPerRound: 1 },
      text: "1 auto-fixed × 30 min + 3 reviews × 1 min",
    });
  });

  test("before anything ran there is nothing, and no file is made", async () => {
    const repo = project({ one: { steps: [] } });
    expect(await rebuildAnalytics({ root: repo.dir, store: null })).toMatchObject({ seq: 0, days: [] });
    expect(readOrNull(join(repo.dir, FILE))).toBeNull();
  });
});

test("whatever is heard of a log that grows, in whatever order, with whatever gaps and restarts, the file equals one made from the log", async () => {
  const { repo, store } = await ran();
  const notifications = [...new Follower(store, 0).news()];
  const whole = (await rebuildAnalytics({ root: repo.dir, store })).days;
  const troubles: string[] = [];
  const stretch = fc.record({
    events: fc.nat(9),
    hears: fc.func(fc.boolean()),
    after: fc.constantFrom("flush", "restart", "go on"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(stretch, { maxLength: 8 }), async (stretches) => {
      rmSync(join(repo.dir, FILE), { force: true });
      const growing = upTo(store);
      const keeper = () =>
        analyticsKeeper({ root: repo.dir, store: growing.store, onTrouble: (one) => troubles.push(one) });
      let now = keeper();
      let seen = 0;
      for (const { events, hears, after } of [
        ...stretches,
        { events: notifications.length, hears: () => true, after: "flush" },
      ]) {
        const fresh = notifications.slice(seen, seen + events);
        seen += fresh.length;
        growing.reach(fresh.at(-1)?.seq ?? 0);
        for (const { seq, event, before, state } of fresh.toReversed())
          if (hears(seq)) now.received({ seq, event, before, after: state });
        if (after !== "go on") await now.close();
        if (after === "restart") now = keeper();
      }
      // The very last one may have reached no listener.
      const { days } = await analyticsOf({ root: repo.dir, store });
      expect(days).toEqual(whole);
      expect(troubles).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

/** A log of which only the beginning is there yet. */
function upTo(store: ProjectStore) {
  let last = 0;
  const there = ({ seq }: { seq: number }) => seq <= last;
  const shown: ProjectStore = {
    ...store,
    lastSeq: () => last,
    allEvents: (since, limit) => store.allEvents(since, limit).filter(there),
    *events(loop, since) {
      for (const one of store.events(loop, since)) if (there(one)) yield one;
    },
  };
  return {
    store: shown,
    reach(seq: number) {
      last = Math.max(last, seq);
    },
  };
}

test("a log that grows is counted on, event by event", async () => {
  const repo = project({ one: { steps: ONCE } });
  const notifications: LoopNotification[] = [];
  const runtime = await own(repo, { onEvent: (one) => notifications.push(one), clock: systemClock });
  const store = otherProcess(repo);
  const keeper = analyticsKeeper({ root: repo.dir, store, onTrouble: () => {}, everyMs: 0 });
  await runtime.run("one");
  for (const { seq, event, before, state } of notifications) keeper.received({ seq, event, before, after: state });
  await keeper.close();
  expect(read(repo.dir).summary).toMatchObject({ loops: 1, reviews: 1, firstPassRate: 1 });
});

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
