import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advance, POLICIES, start } from "@anneal/core";
import { epicStatus, ticketProgress } from "@anneal/core/epics";
import type { LoopEvent, WaitingMerge } from "@anneal/types";
import { describe, expect, onTestFinished, test } from "vitest";
import { diamond, TicketPlay } from "../../../../core/src/epics/testing/epic.ts";
import { bad, clean } from "../../../../core/src/testing/build.ts";
import { type ProjectStore, storeLog } from "../../history/store-log.ts";
import { openStore } from "../../log/index.ts";
import { epicLog } from "./log.ts";

const epic = diamond();
const passed = () => new TicketPlay().build().review(clean).events;
const failed = () => {
  const play = new TicketPlay().build().review(bad("critical", 1)).mend().review(bad("critical", 2)).mend();
  return play.review(bad("critical", 3)).events;
};

/** A project's log, how to write into it, and how many events somebody read from it. */
function watchedLog() {
  const root = mkdtempSync(join(tmpdir(), "anneal-epic-log-"));
  const store: ProjectStore = openStore({ gitDir: root }, { clock: { now: () => 0 } });
  onTestFinished(() => {
    store.close();
    rmSync(root, { recursive: true });
  });
  let read = 0;
  const watched: ProjectStore = {
    ...store,
    *events(loop, since) {
      for (const event of store.events(loop, since)) {
        read += 1;
        yield event;
      }
    },
  };
  const log = epicLog(watched);
  return {
    /** Appends a loop as its engine does. */
    play(kind: "ticket" | "epic", item: string, [first, ...rest]: readonly LoopEvent[]) {
      if (first?.type !== "loop-started") throw new Error("a loop has a start");
      const loopId = `${kind}:${item}~${store.loops({ item: { kind, id: item } }).length + 1}`;
      const { policy } = first;
      const into = storeLog(store, { loopId, kind, item, title: item, branch: null, policy });
      const started = { ...first, loopId, item: { kind, id: item }, baseline: "b45e11ne" };
      let state = start(started);
      into.append(started, state);
      for (const event of rest) {
        state = advance(policy, state, event);
        into.append(event, state);
      }
      return (event: LoopEvent) => {
        state = advance(policy, state, event);
        into.append(event, state);
      };
    },
    account: (lost: string[] | "gone" = []) =>
      log.account({ epic, state: null }, lost === "gone" ? lost : { commits: new Set(lost), by: "reset" }),
    eventsRead(work: () => unknown): number {
      read = 0;
      work();
      return read;
    },
  };
}

function merging(merges: WaitingMerge[], events: LoopEvent[]): LoopEvent[] {
  const [first] = passed();
  if (first?.type !== "loop-started") throw new Error("a loop has a start");
  return [{ ...first, policy: POLICIES.scored, merges }, ...events];
}

describe("an epic in the log", () => {
  test("a step of a ticket costs the reading of one event, however long the log is", () => {
    const { play, account, eventsRead } = watchedLog();
    play("ticket", "limits/config", passed());
    const next = play("ticket", "limits/bucket", new TicketPlay().build().events);
    expect(eventsRead(() => account())).toBeGreaterThan(8);
    // Only where the epic began is looked up again, in the first event of its first loop.
    expect(eventsRead(() => account())).toBe(1);
    next({ type: "intended", at: 9_000, stage: "reviewing", attempt: 1 });
    expect(eventsRead(() => account())).toBe(2);
  });

  test("tickets are open until they are completed, lost, or behind one that is lost; then the completed ones are merged", () => {
    const { play, account } = watchedLog();
    expect(account()).toMatchObject({ open: ["config", "bucket", "headers", "route"], unmerged: [] });
    play("ticket", "limits/config", passed());
    play("ticket", "limits/bucket", failed());
    expect(account()).toMatchObject({ open: ["headers"] });
    play("ticket", "limits/headers", passed());
    const { open, unmerged, progress } = account();
    expect([open, unmerged]).toEqual([
      [],
      [
        { id: "config", commit: "c1" },
        { id: "headers", commit: "c1" },
      ],
    ]);
    expect(progress).toMatchObject({ baselineCommit: "b45e11ne", merge: "pending" });
    expect(epicStatus(progress, ticketProgress(progress))).toBe("failed");
  });

  test.for<{ what: string; events: LoopEvent[]; lost?: string[]; merge: string; unmerged: number }>([
    { what: "not begun", events: [], merge: "pending", unmerged: 1 },
    { what: "made", events: [{ type: "merged", at: 1, commit: "m1" }], merge: "done", unmerged: 0 },
    {
      what: "made, and lost again",
      events: [{ type: "merged", at: 1, commit: "m1" }],
      lost: ["c1"],
      merge: "pending",
      unmerged: 1,
    },
    {
      what: "in conflict",
      events: [{ type: "merge-conflicted", at: 1, files: ["a"] }],
      merge: "conflict",
      unmerged: 1,
    },
    {
      what: "taken over by a person",
      events: [
        { type: "merge-conflicted", at: 1, files: ["a"] },
        { type: "signalled", at: 2, id: "s", signal: "take-over", by: "ada" },
      ],
      merge: "conflict",
      unmerged: 1,
    },
  ])("a merge that is $what leaves $unmerged unmerged", ({ events, lost = [], merge, unmerged }) => {
    const { play, account } = watchedLog();
    play("ticket", "limits/config", passed());
    play("epic", "limits", merging([{ id: "config", commit: "c1" }], events));
    expect(account(lost)).toMatchObject({ progress: { merge }, lost: lost.map(() => "config") });
    expect(account(lost).unmerged).toHaveLength(unmerged);
  });

  test("a branch that is gone has lost what was merged, unless that was all; what is merged again is not lost", () => {
    const { play, account } = watchedLog();
    const both = [
      { id: "config", commit: "c1" },
      { id: "bucket", commit: "c2" },
    ];
    play("ticket", "limits/config", passed());
    play("ticket", "limits/bucket", new TicketPlay().build().review(bad("critical", 1)).mend().review(clean).events);
    const merged: LoopEvent = { type: "merged", at: 1, commit: "m1" };
    const conflicted: LoopEvent = { type: "merge-conflicted", at: 2, files: ["a"] };
    const first = play("epic", "limits", merging(both, [merged, conflicted]));
    expect(account()).toMatchObject({
      unmerged: both.slice(1),
      lost: [],
      waits: true,
      progress: { merge: "conflict" },
    });
    const lost = { unmerged: both, lost: ["config"], waits: true, conflict: null, progress: { merge: "pending" } };
    expect(account("gone")).toMatchObject(lost);
    first({ type: "signalled", at: 3, id: "s", signal: "stop", by: "ada" });
    expect(account("gone")).toMatchObject({ ...lost, waits: false });
    const next = play("epic", "limits", merging(both, [{ ...conflicted, at: 4 }]));
    expect(account()).toMatchObject({ unmerged: both, lost: [], waits: true, progress: { merge: "conflict" } });
    next({ type: "signalled", at: 5, id: "t", signal: "retry", by: "ada" });
    next({ ...merged, at: 6 });
    next({ ...merged, at: 7 });
    expect(account("gone")).toMatchObject({ unmerged: [], lost: [], progress: { merge: "done" } });
  });
});
