import { mkdirSync, symlinkSync } from "node:fs";
import { reviewReportText } from "@anneal/core/epics";
import { DamagedFile, InvalidChange, MissingFile, OutsideJail } from "@anneal/system/files/errors";
import type { EpicState, ReviewReport } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { epicStore } from "./state-store.ts";
import { LIMITS, type SampleEpic, sampleEpic } from "./testing/sample-epic.ts";

const STATE = ".epics/limits/artifacts/epic-state.json";
const storeOf = (folder: SampleEpic) => epicStore(folder.file, "limits", folder.dir);
const withState = (text: string) => sampleEpic(LIMITS, { "artifacts/epic-state.json": text });

const FRESH: EpicState = {
  epic_id: "limits",
  baseline_commit: "b45e",
  epic_branch: "epic/limits",
  status: "pending",
  started_at: "2026-03-02T08:00:00Z",
  tickets: { config: { status: "queued", phase: "queued" } },
};

/** A file from before there were reviews, laid out as nobody here would. */
const OLD = `{ "epic_id": "limits",
  "baseline_commit": "0ld", "epic_branch": "epic/limits",
    "status": "executing", "ticket_count": 1e0,
  "tickets": {
    "config": { "status": "completed", "phase": "completed", "wave": 1, "git_info": {"final_commit": "d0ne", "extra": [1,2]} },
    "bucket": { "status": "pending", "depends_on": [ "config" ] }
  }
}
`;

describe("epic-state.json", () => {
  test("is made with its folder where there is none", async () => {
    using folder = sampleEpic();
    const store = storeOf(folder);
    expect(await store.read()).toMatchObject({ ok: false, reason: "missing" });
    await expect(store.update((state) => state)).rejects.toThrow(MissingFile);
    await store.update((state) => state, { whenMissing: FRESH });
    expect(JSON.parse(folder.read(STATE))).toEqual(FRESH);
    expect(await store.read()).toMatchObject({ ok: true, value: FRESH });
  });

  test("of an older version opens, and keeps everything to the byte but what changes", async () => {
    using folder = withState(OLD);
    const store = storeOf(folder);
    expect(await store.read()).toMatchObject({
      ok: true,
      value: { ticket_count: 1, tickets: { config: { wave: 1 } } },
    });
    await store.update((state) => ({
      ...state,
      tickets: {
        ...state.tickets,
        bucket: { ...state.tickets.bucket, status: "executing", revision_count: 0, review_history: [] },
      },
    }));
    expect(folder.read(STATE)).toBe(
      OLD.replace(
        '"bucket": { "status": "pending", "depends_on": [ "config" ] }',
        '"bucket": { "status": "executing", "depends_on": [ "config" ], "revision_count": 0, "review_history": [] }',
      ),
    );
  });

  test("is written only when something changes", async () => {
    using folder = withState(OLD);
    expect((await storeOf(folder).update((state) => ({ ...state }))).changed).toBe(false);
    expect((await storeOf(folder).update(() => null)).changed).toBe(false);
    expect(folder.read(STATE)).toBe(OLD);
  });

  test("gets every one of many changes at once", async () => {
    using folder = withState(OLD);
    const changes = Array.from({ length: 40 }, (_, n) =>
      storeOf(folder).update((state) => ({
        ...state,
        tickets: { ...state.tickets, [`t${n}`]: { status: "pending" } },
      })),
    );
    await Promise.all(changes);
    expect(Object.keys((JSON.parse(folder.read(STATE)) as EpicState).tickets)).toHaveLength(42);
  });

  test.for([
    { what: "a cut file", text: '{\n  "epic_id": "limits",\n  "tick', says: "3:3: a string is not closed" },
    { what: "an empty file", text: "", says: "1:1: the file is empty" },
    { what: "no JSON", text: "status: done\n", says: "1:1: a value is not valid here" },
    {
      what: "a status that nobody knows",
      text: JSON.stringify({ ...FRESH, tickets: { config: { status: "exploded" } } }, null, 2),
      says: '9:17: tickets.config.status: expected one of "pending", "queued", "executing", "validating", "reviewing", "needs_revision", "completed", "failed", "blocked"',
    },
    {
      what: "a report of a wrong form",
      text: JSON.stringify(
        { ...FRESH, tickets: { config: { status: "failed", current_review_report: { status: "ok" } } } },
        null,
        2,
      ),
      says: "10:32: tickets.config.current_review_report.",
    },
    {
      what: "the state of another epic",
      text: JSON.stringify({ ...FRESH, epic_id: "other" }, null, 2),
      says: '2:14: epic_id: expected "limits", the epic in this folder',
    },
    {
      what: "a newer version",
      text: JSON.stringify({ schema_version: 2, ...FRESH }, null, 2),
      says: "2:21: schema_version: written by a newer version; this one knows 1",
    },
    {
      what: "a newer version of another shape",
      text: '{\n  "tickets": [],\n  "schema_version": "3"\n}',
      says: "3:21: schema_version: written by a newer version",
    },
    {
      what: "tickets in another shape",
      text: JSON.stringify({ ...FRESH, tickets: { config: { state: "COMPLETED" } } }, null, 2),
      says: "8:15: tickets.config.status: expected one of",
    },
  ])("with $what is shown with its line, and never overwritten", async ({ text, says }) => {
    using folder = withState(text);
    const store = storeOf(folder);
    const read = await store.read();
    expect(read.ok ? "" : read.error).toContain(`${store.path}:${says}`);
    await expect(store.update((state) => ({ ...state, status: "failed" }), { whenMissing: FRESH })).rejects.toThrow(
      DamagedFile,
    );
    expect(folder.read(STATE)).toBe(text);
  });

  test("of version 1 is read", async () => {
    using folder = withState(JSON.stringify({ ...FRESH, schema_version: 1 }));
    expect((await storeOf(folder).read()).ok).toBe(true);
  });

  test("is left alone by a change whose result would not be valid", async () => {
    using folder = withState(OLD);
    const broken = { config: { status: "exploded" } } as unknown as EpicState["tickets"];
    await expect(storeOf(folder).update((state) => ({ ...state, tickets: broken }))).rejects.toThrow(InvalidChange);
    expect(folder.read(STATE)).toBe(OLD);
  });

  test("is not written through a link out of the project", async () => {
    using outside = sampleEpic();
    using folder = sampleEpic();
    mkdirSync(outside.path("there"));
    symlinkSync(outside.path("there"), folder.path(".epics/limits/artifacts"));
    const before = outside.files();
    await expect(storeOf(folder).update((state) => state, { whenMissing: FRESH })).rejects.toThrow(OutsideJail);
    await expect(storeOf(folder).writeReport(REPORT)).rejects.toThrow(OutsideJail);
    expect(outside.files()).toEqual(before);
    expect(outside.exists("there/reviews")).toBe(false);
  });
});

const REPORT: ReviewReport = {
  ticket_id: "config",
  reviewed_at: "2026-03-02T08:05:00Z",
  reviewer: "code-review-agent",
  status: "fail",
  overall_score: 65,
  revision_count: 1,
  dimension_scores: {
    requirement_adherence: { score: 60, weight: "critical" },
    coordination_compliance: { score: 90, weight: "critical" },
    code_quality: { score: 70, weight: "important" },
    pattern_consistency: { score: 55, weight: "important" },
    test_quality: { score: 40, weight: "important" },
    security_performance: { score: 80, weight: "moderate" },
  },
  findings: [],
  blocking_issues: [{ dimension: "test_quality", message: "The burst path has no test", required_action: "Test it" }],
  revision_notes: "Cover the burst path.",
  approved: false,
  pass_criteria_met: {
    all_critical_dimensions_pass: false,
    no_blocking_issues: false,
    overall_score_above_threshold: false,
  },
};

describe("stored review reports", () => {
  test("have a file per ticket and attempt, and read back equal", async () => {
    using folder = sampleEpic();
    const store = storeOf(folder);
    await store.writeReport(REPORT);
    expect(JSON.parse(folder.read(".epics/limits/artifacts/reviews/config-attempt-1.json"))).toEqual(REPORT);
    expect(await store.readReport("config", 1)).toMatchObject({ ok: true, value: REPORT });
    expect(await store.readReport("config", 0)).toMatchObject({ ok: false, reason: "missing" });
  });

  test("script, escape sequences and control characters are harmless in the file and when shown", async () => {
    using folder = sampleEpic();
    const evil = "\u001b[2J\u0007<script>steal()</script><a href='javascript:x'>\u202e";
    await storeOf(folder).writeReport({
      ...REPORT,
      revision_notes: evil,
      blocking_issues: [{ dimension: "test_quality", message: evil, required_action: evil }],
    });
    const stored = folder.read(".epics/limits/artifacts/reviews/config-attempt-1.json");
    const read = await storeOf(folder).readReport("config", 1);
    const shown = read.ok ? reviewReportText(read.value) : "";
    for (const text of [stored, shown]) {
      for (const harmful of ["\u001b", "\\u001b", "\\u0007", "<script", "<a href", "\u202e", "javascript:x"])
        expect(text).not.toContain(harmful);
      expect(text).toContain("&lt;script>steal()");
    }
  });

  test.for(["../../x", "a/b", "", ".."])("a ticket called %j is refused", async (ticket_id) => {
    using folder = sampleEpic();
    const before = folder.files();
    await expect(storeOf(folder).writeReport({ ...REPORT, ticket_id })).rejects.toThrow(OutsideJail);
    expect(folder.files()).toEqual(before);
  });

  test("what a killed process left half-written is swept", async () => {
    using folder = sampleEpic();
    folder.write(".epics/limits/artifacts/.epic-state.json.999999999-0123456789ab.tmp", "{");
    folder.write(".epics/limits/artifacts/reviews/.x.json.999999999-0123456789ab.tmp", "{");
    await storeOf(folder).sweep();
    expect(Object.keys(folder.files())).toEqual([".epics/limits/limits.epic.yaml"]);
  });
});
