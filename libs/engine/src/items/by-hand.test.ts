import { certificate } from "@anneal/core/write";
import { systemClock } from "@anneal/system/clock";
import { expect, test } from "vitest";
import { currentLoop, historyOf } from "../history/loop-history.ts";
import { openReader } from "../history/reader.ts";
import { runItems } from "../project/auto-mode.ts";
import { statusOf } from "../project/status.ts";
import { approve, implement, own, project } from "../project/testing/project.ts";

const passing = { steps: [implement, approve] };
const approved = { status: "approved", currentIteration: 1, maxIterations: 3, iterations: [] };

test("what a person marked as done lets its dependents start, and is reported as not reviewed wherever they are", async () => {
  const repo = project({
    marked: { ...passing, status: "verified" },
    elsewhere: { ...passing, status: "completed", codeReviewSpec: approved },
    ran: passing,
    last: { ...passing, dependencies: ["marked", "elsewhere", "ran"] },
  });
  const reported: string[] = [];
  const runtime = await own(repo, { onTrouble: (item, message) => reported.push(`${item}: ${message}`) });
  const { settled, blocked } = await runItems(runtime, { limit: 1, signal: new AbortController().signal });
  expect([[...settled.keys()], blocked]).toEqual([["ran", "last"], []]);
  expect(reported).toEqual([
    "last: this work builds on items that were marked as done by hand, without a review: marked",
  ]);

  const row = currentLoop(runtime.store, "last") ?? expect.fail("no loop");
  const { events, state, started } = historyOf(runtime.store, row);
  expect(started.unreviewed).toEqual(["marked"]);
  const about = { title: "Add last", branch: "feature/last", branchHead: state.head, secrets: [] };
  expect(certificate({ events: events.map(({ event }) => event), state, ...about })).toMatchObject({
    unreviewed: ["marked"],
  });
  using reader = await openReader(repo.dir, systemClock);
  const lines = (await statusOf(reader)).map(({ id, byHand, unreviewed }) => ({ id, byHand, unreviewed }));
  expect(lines).toEqual([
    { id: "elsewhere", byHand: undefined, unreviewed: undefined },
    { id: "last", byHand: undefined, unreviewed: ["marked"] },
    { id: "marked", byHand: true, unreviewed: undefined },
    { id: "ran", byHand: undefined, unreviewed: undefined },
  ]);
});
