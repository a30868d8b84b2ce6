import { describe, expect, test } from "vitest";
import { clean } from "../testing/build.ts";
import { type EpicProgress, epicState } from "./state.ts";
import { epic, loopsOf, progress, TicketPlay, ticket } from "./testing/epic.ts";

const completed = () => new TicketPlay().begin().build().begin().review(clean);

describe("the status of an epic", () => {
  const all = (over: Record<string, TicketPlay>) =>
    loopsOf({ config: completed(), bucket: completed(), headers: completed(), route: completed(), ...over });
  const stopped = () => new TicketPlay().signal("stop");
  test.for<{ what: string; over: Partial<EpicProgress>; status: string }>([
    { what: "nothing begun", over: {}, status: "pending" },
    { what: "one at work", over: { loops: loopsOf({ config: new TicketPlay() }) }, status: "in-progress" },
    { what: "one done, the next waiting", over: { loops: loopsOf({ config: completed() }) }, status: "in-progress" },
    { what: "all done, not merged", over: { loops: all({}) }, status: "in-progress" },
    { what: "all done and merged", over: { loops: all({}), merge: "done" }, status: "completed" },
    { what: "all done, a merge in conflict", over: { loops: all({}), merge: "conflict" }, status: "failed" },
    {
      what: "a critical ticket failed while others work",
      over: { loops: loopsOf({ config: completed(), bucket: stopped(), headers: new TicketPlay() }) },
      status: "failed",
    },
    {
      what: "a ticket failed that is not critical, and nothing needs it",
      over: {
        epic: epic([ticket("a"), ticket("b", { critical: false })]),
        loops: loopsOf({ a: completed(), b: stopped() }),
        merge: "done",
      },
      status: "completed",
    },
    {
      what: "a critical ticket blocked by one that is not",
      over: { loops: loopsOf({ config: completed(), bucket: completed(), headers: stopped() }) },
      status: "failed",
    },
    {
      what: "nothing completed at all",
      over: { epic: epic([ticket("a", { critical: false })]), loops: loopsOf({ a: stopped() }) },
      status: "failed",
    },
  ])("$what: $status", ({ over, status }) => {
    expect(epicState(progress(over)).status).toBe(status);
  });

  test("a failed ticket blocks all that need it, directly or not, and says which", () => {
    const { tickets } = epicState(progress({ loops: loopsOf({ config: stopped() }) }));
    expect(Object.entries(tickets).map(([id, one]) => `${id}: ${one.failure_reason}`)).toEqual([
      "config: stopped by ada",
      "bucket: it depends on config, which is failed",
      "headers: it depends on config, which is failed",
      "route: it depends on bucket, which is blocked",
    ]);
  });

  test("a failed ticket that is not critical blocks its dependents only", () => {
    const { tickets } = epicState(progress({ loops: loopsOf({ config: completed(), headers: stopped() }) }));
    expect(Object.values(tickets).map(({ status }) => status)).toEqual(["completed", "queued", "failed", "blocked"]);
  });
});
