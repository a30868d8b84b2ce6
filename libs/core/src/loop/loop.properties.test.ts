import type { ActiveStage, CompleteReport, LoopEvent, LoopState, Policy, SignalName } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { BY, bad, COVERAGE, clean, finding, report, WORKED } from "../testing/build.ts";
import { advisoryWith } from "../units/testing/plays.ts";
import { earned } from "./exits.ts";
import { advance, replay, start } from "./loop.ts";
import { WORK, workOf } from "./work.ts";

const policy = fc.constantFrom<Policy[]>(...Object.values(POLICIES), advisoryWith(0), advisoryWith(3), {
  ...POLICIES.gate,
  name: "capped",
  caps: { tokens: 500, costUsd: 2, wallMs: 60_000 },
});
const heads = ["c1", "c2", "c3"];
const head = fc.constantFrom(...heads);
const usage = fc.record({ inputTokens: fc.nat(100), costUsd: fc.double({ min: 0, max: 1, noNaN: true }) });
const anyReport: fc.Arbitrary<CompleteReport> = fc.oneof(
  fc.constant(clean),
  fc.integer({ min: 1, max: 4 }).map((n) => bad("high", n)),
  fc.integer({ min: 1, max: 4 }).map((n) => bad("critical", n)),
  fc.constant(report({ claim: "fail" })),
  fc.constant(report({ claim: null })),
  fc.constant(report({ findings: [finding({ severity: "low" })], scores: {} })),
);
const signals: SignalName[] = [
  "skip",
  "retry",
  "refine",
  "ready",
  "approve",
  "accept",
  "take-over",
  "one-more",
  "pause",
  "resume",
  "stop",
];
const stage = fc.constantFrom<ActiveStage[]>(
  "implementing",
  "validating",
  "committing",
  "reviewing",
  "fixing",
  "opening-pr",
  "awaiting-feedback",
  "merging",
);

const started = fc
  .record({
    policy,
    head: fc.option(head),
    needsApproval: fc.boolean(),
    steps: fc.constantFrom<string[][]>([], ["lint"]),
    tasks: fc.constantFrom<string[][]>([], ["1"], ["1", "2"]),
  })
  .map(
    (over): Extract<LoopEvent, { type: "loop-started" }> => ({
      type: "loop-started",
      at: 0,
      loopId: "l",
      item: { kind: "branch", id: "b" },
      because: "property",
      agents: {},
      promptsHash: "",
      base: "base",
      ...over,
    }),
  );

type Regions = { file: string; ranges: [number, number][] }[];
const regions = fc.constantFrom<Regions[]>([], [{ file: "src/cart.ts", ranges: [[1, 4] as [number, number]] }]);
const at = fc.nat(5_000);

const report_ = fc.oneof(anyReport, fc.constant({ status: "inconclusive" as const, reason: "?" }));
const pr = fc.record({ number: fc.constant(1), url: fc.constant("u"), draft: fc.boolean() });
const worked = { tree: fc.constant("t"), output: fc.constant(null), by: fc.constant(BY) };
const is = <T extends LoopEvent["type"]>(type: T) => fc.constant(type);

/** What the outside world can say while no person speaks. */
const SAID = {
  implemented: fc.record({ type: is("implemented"), at, usage, changed: fc.boolean(), ...worked }),
  validated: fc.record({
    type: is("validated"),
    at,
    result: fc.constantFrom("passed" as const, "failed" as const, "not-configured" as const),
    findings: fc.array(fc.constant(finding()), { minLength: 1, maxLength: 1 }),
  }),
  committed: fc.record({ type: is("committed"), at, head, regions }),
  "commit-refused": fc.record({
    type: is("commit-refused"),
    at,
    findings: fc.array(fc.constant(finding({ rule: "hook" })), { minLength: 1, maxLength: 1 }),
  }),
  "nothing-to-commit": fc.record({ type: is("nothing-to-commit"), at }),
  reviewed: fc.record({
    type: is("reviewed"),
    at,
    usage,
    head,
    report: report_,
    requirementsJudged: fc.boolean(),
    standing: fc.constant<string[]>([]),
    regions,
    renames: fc.constant({}),
    by: fc.constant(BY),
    diff: fc.constant(null),
    coverage: fc.constant(COVERAGE),
  }),
  fixed: fc.record({
    type: is("fixed"),
    at,
    usage,
    changed: fc.boolean(),
    ...worked,
    refutations: fc.constant<{ fingerprint: string; evidence: string }[]>([]),
  }),
  broke: fc.record(
    { type: is("broke"), at, usage, stage, reason: fc.constant("net"), outOfTime: fc.constant(true as const) },
    { requiredKeys: ["type", "at", "usage", "stage", "reason"] },
  ),
  capped: fc.record({ type: is("capped"), at, scope: fc.constant("day" as const), detail: fc.constant("all used") }),
  "pr-opened": fc.record(
    { type: is("pr-opened"), at, pr, conflict: fc.record({ files: fc.array(fc.constant("a"), { maxLength: 1 }) }) },
    { requiredKeys: ["type", "at", "pr"] },
  ),
  "delivery-skipped": fc.record({ type: is("delivery-skipped"), at, reason: fc.constant("no forge") }),
  "delivery-held": fc.record({
    type: is("delivery-held"),
    at,
    reason: fc.constantFrom("push-consent" as const, "never-publish" as const, "delivery-refused" as const),
    detail: fc.constant("ask somebody"),
  }),
  merged: fc.record({ type: is("merged"), at, commit: fc.constant("m") }),
  "merge-conflicted": fc.record({
    type: is("merge-conflicted"),
    at,
    files: fc.array(fc.constant("a"), { maxLength: 1 }),
  }),
  "conflict-resolved": fc.record({ type: is("conflict-resolved"), at, base: fc.constant("b2"), head }),
  "feedback-received": fc.record({
    type: is("feedback-received"),
    at,
    head,
    report: anyReport,
    state: fc.constantFrom("open" as const, "approved" as const, "merged" as const, "closed" as const),
    checks: fc.constantFrom("pending" as const, "passing" as const, "failing" as const, "none" as const),
  }),
};
type Said = keyof typeof SAID;
const bookkeeping = fc.oneof(
  fc.record({ type: is("intended"), at, stage, attempt: fc.constant(1) }),
  fc.record({ type: is("abandoned"), at, stage }),
);
const machine: fc.Arbitrary<LoopEvent> = fc.oneof(...Object.values(SAID), bookkeeping);
const person: fc.Arbitrary<LoopEvent> = fc.record({
  type: fc.constant("signalled" as const),
  at,
  id: fc.integer({ min: 0, max: 200 }).map(String),
  signal: fc.constantFrom(...signals),
  by: fc.constant("ada"),
});
const disposal: fc.Arbitrary<LoopEvent> = fc.record({
  type: fc.constant("finding-disposed" as const),
  at,
  id: fc.uuid(),
  fingerprint: fc.constant("x"),
  disposition: fc.constantFrom("dismissed", "open"),
  by: fc.constant("ada"),
  reason: fc.constant("false alarm"),
});
/** Every answer that the driver can give for the work of a stage, so that each step is real progress or a break. */
const ANSWERS: Record<keyof typeof WORK, Said[]> = {
  implementing: ["implemented", "broke", "capped"],
  validating: ["validated", "broke"],
  committing: ["committed", "commit-refused", "nothing-to-commit", "broke"],
  reviewing: ["reviewed", "broke", "capped"],
  fixing: ["fixed", "broke", "capped"],
  "opening-pr": ["pr-opened", "conflict-resolved", "delivery-skipped", "delivery-held", "broke"],
  "awaiting-feedback": ["feedback-received", "delivery-held", "merge-conflicted"],
  "waiting-for-human": [],
  merging: ["merged", "merge-conflicted", "conflict-resolved", "delivery-skipped", "delivery-held", "broke"],
};

const usageNone = {};
const STARTED = {
  type: "loop-started" as const,
  at: 0,
  loopId: "l",
  because: "",
  agents: {},
  promptsHash: "",
  base: "b",
  head: null,
  needsApproval: false,
  item: { kind: "branch" as const, id: "b" },
  steps: [],
};
const BROKE: LoopEvent = { type: "broke", at: 0, usage: usageNone, stage: "merging", reason: "down" };
const REVIEWED = {
  type: "reviewed" as const,
  at: 0,
  usage: usageNone,
  head: "",
  requirementsJudged: true,
  standing: [],
  regions: [],
  renames: {},
  by: BY,
  diff: null,
  coverage: COVERAGE,
};
const FEEDBACK = { type: "feedback-received" as const, at: 0, head: "", state: "open" as const };

/** Stubborn answers for each stage: all their combinations are tried. */
const WORLDS: Partial<Record<LoopState["stage"], LoopEvent[]>> = {
  implementing: [{ type: "implemented", at: 0, usage: usageNone, changed: true, ...WORKED }, BROKE],
  validating: [
    { type: "validated", at: 0, result: "passed", findings: [] },
    { type: "validated", at: 0, result: "failed", findings: [finding()] },
    BROKE,
  ],
  committing: [
    { type: "committed", at: 0, head: "c", regions: [] },
    { type: "commit-refused", at: 0, findings: [finding({ rule: "hook" })] },
    { type: "nothing-to-commit", at: 0 },
    BROKE,
  ],
  reviewing: [
    { ...REVIEWED, report: clean },
    { ...REVIEWED, report: bad("high") },
    { ...REVIEWED, report: bad("critical") },
    { ...REVIEWED, report: { status: "inconclusive", reason: "?" } },
  ],
  fixing: [
    { type: "fixed", at: 0, usage: usageNone, changed: true, ...WORKED, refutations: [] },
    { type: "fixed", at: 0, usage: usageNone, changed: false, ...WORKED, refutations: [] },
    BROKE,
  ],
  "opening-pr": [
    { type: "pr-opened", at: 0, pr: { number: 1, url: "u", draft: false } },
    { type: "delivery-skipped", at: 0, reason: "none" },
    BROKE,
  ],
  "awaiting-feedback": [
    { ...FEEDBACK, report: bad("high"), checks: "passing" },
    { ...FEEDBACK, report: clean, checks: "failing" },
    { ...FEEDBACK, report: clean, checks: "passing" },
  ],
  merging: [{ type: "merged", at: 0, commit: "m" }, { type: "merge-conflicted", at: 0, files: [] }, BROKE],
};

/** An upper bound on the driver's steps without a person: every fix, repair, break and feedback is limited. */
function bound({ limits }: Policy): number {
  const tries = limits.retries + 1;
  const repairs = 3 * tries * (limits.repairs + 1);
  const cycle = (limits.reviews + limits.fixes + 2) * (tries + repairs);
  return (cycle + 4 * tries) * (limits.feedback + 2);
}

function settled(state: LoopState): boolean {
  return state.stage === "ended" || state.stage === "waiting-for-human";
}

/** A stage answered by its own kind of event: what a driver feeds, whatever the agents do. */
function fitting(event: LoopEvent, state: LoopState): LoopEvent | null {
  if (state.stage === "ended" || !ANSWERS[state.stage].some((type) => type === event.type)) return null;
  if (event.type === "broke" && state.stage !== "waiting-for-human") return { ...event, stage: state.stage };
  // The driver reports on the head that it was given, except when something moved it.
  if ((event.type === "reviewed" || event.type === "feedback-received") && event.at % 4 !== 0)
    return { ...event, head: state.head ?? "c1" };
  return event;
}

/**
 * A history of a loop: mostly the answers that a driver would give, mixed with unexpected events, repeats, people and the forge,
 * so that the interesting depths are reached and nothing is assumed about good manners.
 */
const history = fc
  .tuple(
    started,
    fc.array(fc.tuple(fc.nat(99), fc.record(SAID), fc.oneof(machine, person, disposal)), { maxLength: 60 }),
  )
  .map(([first, raw]) => {
    let state = start(first);
    const events: LoopEvent[] = [];
    for (const [dice, byType, stray] of raw) {
      const types = state.stage === "ended" ? [] : ANSWERS[state.stage];
      const type = types[dice % Math.max(1, types.length)];
      const answer = type === undefined || dice >= 85 ? null : fitting(byType[type], state);
      const offered = state.stage === "waiting-for-human" ? state.options[dice % state.options.length] : undefined;
      const word: LoopEvent = {
        type: "signalled",
        at: dice,
        id: `h${events.length}`,
        signal: offered ?? "stop",
        by: "ada",
      };
      const event = answer ?? (offered !== undefined && dice < 70 ? word : stray);
      events.push(event);
      state = advance(first.policy, state, event);
    }
    return { first, events };
  });

const RUNS = { numRuns: 5_000 };

describe("advance", () => {
  test("any sequence of answers ends, or asks a person, within the caps", () => {
    fc.assert(
      fc.property(started, fc.infiniteStream(machine), (first, stream) => {
        let state = start(first);
        let steps = 0;
        for (const event of stream) {
          if (settled(state)) break;
          const fits = fitting(event, state);
          if (fits === null) continue;
          // A forge that says nothing new is not a step of the loop.
          if (state.stage === "awaiting-feedback" && advance(first.policy, state, fits).stage === "awaiting-feedback")
            continue;
          state = advance(first.policy, state, fits);
          steps += 1;
          expect(steps).toBeLessThanOrEqual(bound(first.policy));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a world that always gives the same answers, however bad, is left within the caps", () => {
    const kinds = Object.entries(WORLDS) as [keyof typeof WORLDS, LoopEvent[]][];
    const worlds = kinds.reduce<Record<string, LoopEvent>[]>(
      (all, [stageName, answers]) =>
        all.flatMap((world) => answers.map((answer) => ({ ...world, [stageName]: answer }))),
      [{}],
    );
    for (const policy of [...Object.values(POLICIES), advisoryWith(3)]) {
      for (const world of worlds) {
        let state = start({ ...STARTED, policy });
        for (let steps = 0; !settled(state); steps++) {
          const answer = world[state.stage];
          if (answer === undefined || steps > bound(policy))
            throw new Error(`${policy.name} never leaves ${state.stage}`);
          const head =
            answer.type === "committed" ? { head: `c${steps}` } : "head" in answer ? { head: state.head } : {};
          const stage = answer.type === "broke" ? { stage: state.stage } : {};
          state = advance(policy, state, { ...answer, ...head, ...stage, at: steps } as LoopEvent);
        }
      }
    }
  });

  test("no cycle makes more reviews or fixes than the policy allows, whoever says what", () => {
    fc.assert(
      fc.property(history, ({ first, events }) => {
        const { limits } = first.policy;
        let state = start(first);
        for (const event of events) {
          state = advance(first.policy, state, event);
          expect(state.cycle.reviews).toBeLessThanOrEqual(limits.reviews + state.cycle.granted);
          expect(state.cycle.fixes).toBeLessThanOrEqual(limits.fixes + state.cycle.granted);
          if (limits.hardReviews !== undefined) expect(state.rounds.length).toBeLessThanOrEqual(limits.hardReviews);
        }
      }),
      RUNS,
    );
  });

  test("no path to a pass without a conclusive passing report for the current head", () => {
    fc.assert(
      fc.property(history, ({ first, events }) => {
        let state = start(first);
        for (const event of events) state = advance(first.policy, state, event);
        if (state.stage === "ended" && state.outcome === "passed") {
          expect(earned(state)).toBe(true);
          const last = state.rounds.at(-1);
          expect(last?.head).toBe(state.head);
          expect(last?.verdict.result).toBe("pass");
          expect(last?.report.status).toBe("complete");
        }
      }),
      RUNS,
    );
  });

  test("nothing is merged unless it passed, a person approved it, or the policy always merges", () => {
    fc.assert(
      fc.property(history, ({ first, events }) => {
        let state = start(first);
        let spoken = false;
        for (const event of events) {
          spoken ||= event.type === "signalled" && (event.signal === "approve" || event.signal === "retry");
          spoken ||= event.type === "feedback-received" && ["approved", "merged"].includes(event.state);
          state = advance(first.policy, state, event);
        }
        const always = first.policy.exits.roundsRunOut.to === "merging";
        if (state.stage === "ended" && state.outcome === "merged") expect(earned(state) || spoken || always).toBe(true);
      }),
      RUNS,
    );
  });

  test("an open critical finding or secret never reaches a push", () => {
    fc.assert(
      fc.property(history, ({ first, events }) => {
        let state = start(first);
        for (const event of events) {
          const next = advance(first.policy, state, event);
          if (next.stage === "opening-pr" && state.stage !== "opening-pr" && state.stage !== "waiting-for-human") {
            expect(
              next.findings.filter((f) => f.disposition.kind === "open" && f.finding.severity === "critical"),
            ).toEqual([]);
          }
          state = next;
        }
      }),
      RUNS,
    );
  });

  test("every stage that is not ended has exactly one kind of work", () => {
    fc.assert(
      fc.property(history, ({ first, events }) => {
        let state = start(first);
        for (const event of events) {
          state = advance(first.policy, state, event);
          expect(workOf(state) === null).toBe(state.stage === "ended");
        }
      }),
      { numRuns: 500 },
    );
    expect(new Set(Object.values(WORK)).size).toBe(Object.keys(WORK).length);
  });

  test("replaying a log gives the same state, and a prefix of a log the state at that point", () => {
    fc.assert(
      fc.property(history, fc.nat(60), ({ first, events }, cut) => {
        const states = [start(first)];
        for (const event of events) states.push(advance(first.policy, states.at(-1) ?? states[0]!, event));
        const stored: LoopEvent[] = JSON.parse(JSON.stringify([first, ...events]));
        expect(replay(stored)?.state).toEqual(states.at(-1));
        const at = Math.min(cut, events.length);
        expect(replay(stored.slice(0, at + 1))?.state).toEqual(states[at]);
      }),
      { numRuns: 500 },
    );
  });

  test("an ended loop never moves again, and no state is ever changed in place", () => {
    fc.assert(
      fc.property(history, ({ first, events }) => {
        let state = start(first);
        for (const event of events) {
          const frozen = JSON.stringify(state);
          const next = advance(first.policy, state, event);
          expect(JSON.stringify(state)).toBe(frozen);
          if (state.stage === "ended") expect(next).toBe(state);
          state = next;
        }
      }),
      { numRuns: 500 },
    );
  });

  test("the day's cap holds paid work back and nothing else; a person's word goes on with it, and no account starts afresh", () => {
    fc.assert(
      fc.property(history, SAID.capped, fc.constantFrom("resume", "retry"), ({ first, events }, capped, signal) => {
        const { state: raw } = replay([first, ...events]) ?? { state: start(first) };
        const state = { ...raw, lastAt: Math.max(raw.lastAt, capped.at) };
        const held = advance(first.policy, raw, capped);
        if (state.stage !== "implementing" && state.stage !== "reviewing" && state.stage !== "fixing") {
          expect(held.stage).toBe(raw.stage);
          return;
        }
        expect(held).toMatchObject({ stage: "waiting-for-human", reason: "capped", backTo: state.stage });
        const word: LoopEvent = { type: "signalled", at: state.lastAt, id: "on", signal, by: "ada" };
        const on = advance(first.policy, held, word);
        const cleared = signal === "retry" ? { breaks: 0, repairs: 0 } : {};
        expect(on).toEqual({ ...state, ...cleared, notBefore: null, signals: [...state.signals, "on"] });
      }),
      RUNS,
    );
  });

  test("a signal with the same id counts once", () => {
    fc.assert(
      fc.property(history, person, ({ first, events }, signal) => {
        let state = start(first);
        for (const event of events) state = advance(first.policy, state, event);
        const once = advance(first.policy, state, signal);
        if (once.signals.length > state.signals.length) expect(advance(first.policy, once, signal)).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });
});
