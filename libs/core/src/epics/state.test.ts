import { EpicState, type EpicTicketState } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, report } from "../testing/build.ts";
import { type EpicProgress, epicState, mergeEpicState } from "./state.ts";
import { diamond, epic, loopsOf, progress, TicketPlay, ticket } from "./testing/epic.ts";
import { type TicketLoop, ticketLoop } from "./ticket-loop.ts";

const completed = () => new TicketPlay().begin().build().begin().review(clean);
const revising = () => new TicketPlay().begin().build().begin().review(bad("critical", 1));
const revised = () => revising().begin().mend().begin().review(clean);
const failed = () =>
  revising().begin().mend().begin().review(bad("critical", 2)).begin().mend().begin().review(bad("critical", 3));
const broken = () => new TicketPlay().begin().build().breaks().breaks().breaks().breaks("connection refused");

const HOSTILE = "\u001b]8;;http://evil\u0007<script>alert(1)</script>\u001b[31m red \u202Egnp.exe";
const hostile = () =>
  new TicketPlay().build().review(
    report({
      claim: "fail",
      demand: HOSTILE,
      summary: HOSTILE,
      findings: [finding({ severity: "critical", title: HOSTILE, description: HOSTILE, suggestion: HOSTILE })],
    }),
  );

describe("epic-state.json, as golden files", () => {
  test.for<{ name: string; given: () => EpicProgress; status: string; tickets: string }>([
    {
      name: "not-started",
      given: () => progress(),
      status: "pending",
      tickets: "config queued, bucket pending, headers pending, route pending",
    },
    {
      name: "at-work",
      given: () =>
        progress({
          loops: loopsOf({ config: completed(), bucket: revising(), headers: new TicketPlay().begin().build() }),
        }),
      status: "in-progress",
      tickets: "config completed, bucket needs_revision, headers reviewing, route pending",
    },
    {
      name: "revised-and-completed",
      given: () =>
        progress({
          merge: "done",
          loops: loopsOf({ config: completed(), bucket: revised(), headers: completed(), route: completed() }),
        }),
      status: "completed",
      tickets: "config completed, bucket completed, headers completed, route completed",
    },
    {
      name: "critical-ticket-failed",
      given: () => progress({ loops: loopsOf({ config: completed(), bucket: failed(), headers: completed() }) }),
      status: "failed",
      tickets: "config completed, bucket failed, headers completed, route blocked",
    },
    {
      name: "review-broke",
      given: () => progress({ loops: loopsOf({ config: broken() }) }),
      status: "in-progress",
      tickets: "config reviewing, bucket pending, headers pending, route pending",
    },
    {
      name: "hostile-report",
      given: () => progress({ epic: epic([ticket("config")]), loops: loopsOf({ config: hostile() }) }),
      status: "in-progress",
      tickets: "config needs_revision",
    },
  ])("$name: $status; $tickets", async ({ name, given, status, tickets }) => {
    const state = epicState(given());
    expect(state.status).toBe(status);
    expect(
      Object.entries(state.tickets)
        .map(([id, one]) => `${id} ${one.status}`)
        .join(", "),
    ).toBe(tickets);
    expect(EpicState.parse(state)).toEqual(state);
    await expect(`${JSON.stringify(state, null, 2)}\n`).toMatchFileSnapshot(`fixtures/epic-state-${name}.json`);
  });

  test("script, escape sequences and direction overrides of a reviewer are harmless before they are stored", () => {
    const text = JSON.stringify(epicState(progress({ loops: loopsOf({ config: hostile() }) })));
    expect(text).not.toMatch(/\\u001b|\\u0007|\u202e|<script/i);
    expect(text).toContain("&lt;script>alert(1)&lt;/script>");
  });
});

describe("a ticket that is started anew", () => {
  /** The second loop of a failed ticket; its numbers go on where those of the first ended. */
  const second = (): TicketLoop => {
    const first = failed().loop;
    const [start, ...rest] = revising().events;
    if (start?.type !== "loop-started") throw new Error("a play has a start");
    const loop = ticketLoop([{ ...start, earlierRounds: first.state.rounds.length }, ...rest], first);
    if (loop === null) throw new Error("a play has a start");
    return loop;
  };
  const entry = (loop: TicketLoop) => epicState(progress({ loops: new Map([["config", loop]]) })).tickets.config;

  test("keeps the history of its reviews, and counts its revisions anew, never beyond their maximum", () => {
    const state = entry(second());
    expect(state).toMatchObject({ status: "needs_revision", revision_count: 1, failure_reason: null });
    expect(state?.review_history?.map(({ attempt, status }) => `${attempt} ${status}`)).toEqual([
      "0 fail",
      "1 fail",
      "2 fail",
      "3 fail",
    ]);
    expect(state?.current_review_report?.revision_count).toBe(3);
  });

  test("keeps reviews that only the file knows; what the log says of an attempt holds", () => {
    const state = epicState(progress({ loops: new Map([["config", second()]]) }));
    const old = { attempt: 9, reviewed_at: "2026-01-01T00:00:00Z", status: "pass" as const, overall_score: 80 };
    const more = { ...old, blocking_issues_count: 0, revision_notes: null };
    const { config } = state.tickets;
    if (config === undefined) throw new Error("config is a ticket");
    const before = { ...state, tickets: { config: { ...config, review_history: [{ ...more, attempt: 0 }, more] } } };
    const merged = mergeEpicState(before, state).tickets.config?.review_history ?? [];
    expect(merged.map(({ attempt, status }) => `${attempt} ${status}`)).toEqual([
      "0 fail",
      "1 fail",
      "2 fail",
      "3 fail",
      "9 pass",
    ]);
  });
});

describe("the fields that seed 002 adds", () => {
  const stateOf = (play: TicketPlay): EpicTicketState => {
    const state = epicState(progress({ loops: loopsOf({ config: play }) })).tickets.config;
    if (state === undefined) throw new Error("config is a ticket");
    return state;
  };

  test("before its first review a ticket has all of them, empty", () => {
    expect(stateOf(new TicketPlay())).toMatchObject({
      revision_count: 0,
      review_started_at: null,
      review_completed_at: null,
      review_approved: null,
      review_history: [],
      current_review_report: null,
      failure_reason: null,
    });
  });

  test("entering reviewing records review_started_at; a pass records approval and completed_at", () => {
    const reviewing = new TicketPlay().begin().build();
    expect(stateOf(reviewing)).toMatchObject({
      status: "reviewing",
      review_started_at: "2026-03-02T08:00:04Z",
      review_completed_at: null,
      review_approved: null,
    });
    expect(stateOf(reviewing.begin().review(clean))).toMatchObject({
      status: "completed",
      completed_at: "2026-03-02T08:00:06Z",
      review_started_at: "2026-03-02T08:00:04Z",
      review_completed_at: "2026-03-02T08:00:06Z",
      review_approved: true,
      revision_count: 0,
      review_history: [
        { attempt: 0, status: "pass", overall_score: 95, blocking_issues_count: 0, revision_notes: null },
      ],
      current_review_report: { status: "pass", approved: true, revision_count: 0 },
    });
  });

  test("a fail with revisions left: needs_revision, revision_count + 1, its feedback in history and report", () => {
    expect(stateOf(revising())).toMatchObject({
      status: "needs_revision",
      revision_count: 1,
      review_approved: false,
      completed_at: null,
      failure_reason: null,
      review_history: [{ attempt: 0, status: "fail", blocking_issues_count: 1, revision_notes: expect.any(String) }],
      current_review_report: { status: "fail", blocking_issues: [{ message: expect.any(String) }] },
    });
  });

  test("while a revision is reviewed, the verdict before it is history", () => {
    expect(stateOf(revising().begin().mend())).toMatchObject({
      status: "reviewing",
      revision_count: 1,
      review_completed_at: null,
      review_approved: null,
      review_history: [{ attempt: 0 }],
    });
  });

  test("a fail without revisions left: failed, with every attempt and the reason in the seed's words", () => {
    const state = stateOf(failed());
    expect(state).toMatchObject({
      status: "failed",
      revision_count: 2,
      review_approved: false,
      failure_reason: "Review failed after 2 revisions",
      completed_at: null,
    });
    expect(state.review_history?.map(({ attempt, status }) => `${attempt} ${status}`)).toEqual([
      "0 fail",
      "1 fail",
      "2 fail",
    ]);
  });

  test.for([
    {
      what: "a revision that changes nothing",
      play: () => revising().begin().fix(false),
      reason: "Review failed after 1 revision: the fix changed nothing and refuted nothing",
    },
    {
      what: "a last revision that changes nothing",
      play: () => revising().begin().mend().begin().review(bad("critical", 2)).begin().fix(false),
      reason: "Review failed after 2 revisions: the fix changed nothing and refuted nothing",
    },
    { what: "a person", play: () => new TicketPlay().signal("stop"), reason: "stopped by ada" },
  ])("a ticket that $what ends says why", ({ play, reason }) => {
    expect(stateOf(play())).toMatchObject({ status: "failed", failure_reason: reason });
  });

  test("base, branch and the latest commit are in git_info; a revision keeps its base", () => {
    const base = "base";
    expect(stateOf(new TicketPlay()).git_info).toEqual({
      base_commit: base,
      branch_name: "ticket/config",
      final_commit: null,
    });
    expect(stateOf(completed()).git_info).toMatchObject({ base_commit: base, final_commit: "c1" });
    expect(stateOf(revised()).git_info).toMatchObject({ base_commit: base, final_commit: "c2" });
  });

  test("a review has two minutes and two revisions, as data of the policy", () => {
    expect(POLICIES.scored.reviewer.timeoutMs).toBe(120_000);
    expect(POLICIES.scored.limits).toMatchObject({ reviews: 3, fixes: 2 });
  });
});

describe("a state from before", () => {
  const old: EpicState = {
    epic_id: "limits",
    baseline_commit: "0ld",
    epic_branch: "epic/limits",
    status: "executing",
    pr_url: null,
    tickets: {
      config: {
        status: "completed",
        phase: "completed",
        wave: 1,
        git_info: { base_commit: "0ld", branch_name: "ticket/config", final_commit: "d0ne", merged: true },
      },
      bucket: {
        status: "executing",
        started_at: "2026-01-01T00:00:00Z",
        wave: 2,
        git_info: { base_commit: "x", branch_name: "ticket/bucket", final_commit: null },
      },
      gone: { status: "failed", note: "kept" },
    },
  };

  test("a ticket that was completed before there were reviews stays completed and exactly as it was", () => {
    const state = epicState(progress({ earlier: old.tickets }));
    expect(state.tickets.config).toEqual(old.tickets.config);
    expect(state.tickets.bucket?.status).toBe("queued");
  });

  test("keys and tickets that are not ours are kept, at every level", () => {
    const ours = epicState(progress({ earlier: old.tickets, loops: loopsOf({ headers: completed() }) }));
    const merged = mergeEpicState(old, ours);
    expect(merged).toMatchObject({
      pr_url: null,
      status: "in-progress",
      tickets: {
        config: old.tickets.config,
        bucket: {
          status: "queued",
          wave: 2,
          started_at: "2026-01-01T00:00:00Z",
          git_info: { base_commit: "x" },
          revision_count: 0,
        },
        gone: { status: "failed", note: "kept" },
        headers: { status: "completed", git_info: { final_commit: "c1" } },
      },
    });
    expect(EpicState.parse(merged)).toEqual(merged);
  });

  test("keys of others in git_info outlive our own", () => {
    const ours = epicState(progress({ loops: loopsOf({ config: completed() }) }));
    expect(mergeEpicState(old, ours).tickets.config?.git_info).toEqual({
      base_commit: "base",
      branch_name: "ticket/config",
      final_commit: "c1",
      merged: true,
    });
  });

  test("the same state again changes nothing", () => {
    const ours = epicState(progress({ epic: diamond(), loops: loopsOf({ config: revised() }) }));
    expect(mergeEpicState(ours, ours)).toEqual(ours);
  });
});
