import type { LoopEvent, Policy, TicketStatus } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { BY, bad, COVERAGE, clean, finding, WORKED } from "../testing/build.ts";
import { statusesOf, TicketPlay } from "./testing/epic.ts";
import { follow, MOVES, maxRevisions, phaseOf, revisionCount, type TicketLoop, ticketLoop } from "./ticket-loop.ts";

const built = () => new TicketPlay().begin().build();
const failing = (play: TicketPlay, n: number) => play.begin().review(bad("critical", n));
const revised = (play: TicketPlay) => play.begin().mend();

describe("the life of a ticket (seed 002)", () => {
  test.for([
    {
      what: "a review that passes",
      events: () => built().begin().review(clean),
      statuses: "executing validating reviewing completed",
    },
    {
      what: "a review that fails once",
      events: () => revised(failing(built(), 1)).begin().review(clean),
      statuses: "executing validating reviewing needs_revision executing validating reviewing completed",
    },
    {
      what: "reviews that fail until no revision is left",
      events: () => failing(revised(failing(revised(failing(built(), 1)), 2)), 3),
      statuses:
        "executing validating reviewing needs_revision executing validating reviewing needs_revision executing validating reviewing failed",
    },
    {
      what: "checks that fail before the review: still validating while its builder repairs it",
      events: () => new TicketPlay().implement().validate("failed").begin().mend().review(clean),
      statuses: "executing validating reviewing completed",
    },
    {
      what: "checks that fail in a revision",
      events: () => failing(built(), 1).begin().fix().validate("failed").begin().mend().begin().review(clean),
      statuses: "executing validating reviewing needs_revision executing validating reviewing completed",
    },
    {
      what: "a review that breaks: no revision, no other status",
      events: () => built().breaks().breaks().breaks().breaks().signal("retry").review(clean),
      statuses: "executing validating reviewing completed",
    },
    {
      what: "a builder that changes nothing, let go on by a person",
      events: () => new TicketPlay().implement(false).signal("retry").build().review(clean),
      statuses: "executing validating reviewing completed",
    },
    {
      what: "a person who stops it",
      events: () => built().signal("stop"),
      statuses: "executing validating reviewing failed",
    },
    {
      what: "a pause during a revision",
      events: () => revised(failing(built(), 1).begin().signal("pause").signal("resume")).review(clean),
      statuses: "executing validating reviewing needs_revision executing validating reviewing completed",
    },
  ])("$what → $statuses", ({ events, statuses }) => {
    expect(statusesOf(events().events).join(" ")).toBe(statuses);
  });

  test("the moves between review states are the seed's", () => {
    expect(MOVES.validating).toContain("reviewing");
    expect(MOVES.reviewing.filter((to) => to !== "blocked")).toEqual(["completed", "needs_revision", "failed"]);
    expect(MOVES.needs_revision[0]).toBe("executing");
    expect([...MOVES.completed, ...MOVES.failed]).toEqual([]);
  });

  test("a ticket that failed its review needs revision until its builder has begun", () => {
    const play = failing(built(), 1);
    expect(play.loop.status).toBe("needs_revision");
    expect(play.begin().loop.status).toBe("executing");
    expect(play.breaks().loop.status).toBe("executing");
  });

  test.for([
    { what: "a repair", play: () => new TicketPlay().implement().validate("failed"), is: "validating/executing" },
    {
      what: "a review that broke for good",
      play: () => built().breaks().breaks().breaks().breaks(),
      is: "reviewing/blocked",
    },
    { what: "a pause", play: () => new TicketPlay().signal("pause"), is: "executing/blocked" },
    { what: "a review that runs", play: () => built(), is: "reviewing/reviewing" },
  ])("status and phase of $what: $is", ({ play, is }) => {
    const { loop } = play();
    expect(`${loop.status}/${phaseOf(loop)}`).toBe(is);
  });

  test("every review has its own start", () => {
    const play = built();
    const first = play.loop.reviewStartedAt;
    expect(first).toBe(play.events.at(-1)?.at);
    expect(failing(play, 1).loop.reviewStartedAt).toBe(first);
    expect(revised(play).loop.reviewStartedAt).toBe(play.events.at(-1)?.at);
  });
});

describe("MAX_REVISIONS", () => {
  test("is 2: one attempt and two revisions, and data of the policy", () => {
    expect(maxRevisions(POLICIES.scored)).toBe(2);
    expect(maxRevisions({ ...POLICIES.scored, limits: { ...POLICIES.scored.limits, fixes: 1 } })).toBe(1);
  });

  test("revision_count grows when a failed review sends a ticket back, and only then", () => {
    const counts: number[] = [];
    const play = new TicketPlay();
    const note = (after: TicketPlay) => counts.push(revisionCount(after.state));
    note(play.implement().validate("failed"));
    note(play.mend());
    note(play.breaks());
    note(play.review(bad("critical", 1)));
    note(play.fix().validate("failed"));
    note(play.mend());
    note(play.review(bad("critical", 2)));
    note(play.mend());
    note(play.review(bad("critical", 3)));
    expect(counts).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
    expect(play.loop.status).toBe("failed");
  });
});

test("a revision stays counted when a cap has stopped the ticket and a person lets it go on", () => {
  const play = new TicketPlay({ ...POLICIES.scored, caps: { tokens: 50 } }).build();
  play.review(bad("critical", 1), { usage: { inputTokens: 60 } });
  expect(play.where).toBe("waiting: capped");
  expect(revisionCount(play.signal("resume").state)).toBe(1);
  expect(revisionCount(play.mend().review(bad("critical", 2)).state)).toBe(2);
});

const at = fc.nat(60_000);
const usage = {};
const ANSWERS = {
  implementing: fc.boolean().map((changed): Draft => ({ type: "implemented", usage, changed, ...WORKED })),
  validating: fc
    .constantFrom("passed", "failed")
    .map((result): Draft => ({ type: "validated", result, findings: [finding({ rule: "tests" })] })),
  committing: fc.constantFrom<Draft[]>(
    { type: "committed", head: "new", regions: [] },
    { type: "commit-refused", findings: [finding({ rule: "hook" })] },
    { type: "nothing-to-commit" },
  ),
  reviewing: fc
    .oneof(
      fc.constant(clean),
      fc.integer({ min: 1, max: 9 }).map((n) => bad("critical", n)),
      fc.constant({ status: "inconclusive" as const, reason: "?" }),
    )
    .map(
      (report): Draft => ({
        type: "reviewed",
        usage,
        head: "same",
        report,
        requirementsJudged: true,
        standing: [],
        regions: [],
        renames: {},
        by: BY,
        diff: null,
        coverage: COVERAGE,
      }),
    ),
  fixing: fc.record({ changed: fc.boolean(), refutes: fc.boolean() }).map(
    ({ changed, refutes }): Draft => ({
      type: "fixed",
      usage,
      changed,
      ...WORKED,
      refutations: refutes ? [{ fingerprint: "first", evidence: "e" }] : [],
    }),
  ),
};
type Draft = LoopEvent extends infer E ? (E extends LoopEvent ? Omit<E, "at"> : never) : never;
const SIGNALS = ["retry", "pause", "resume", "stop", "approve", "refine", "skip", "one-more"] as const;
const tight: Policy = { ...POLICIES.scored, name: "tight", caps: { wallMs: 200_000 } };
const unlimited: Policy = {
  ...POLICIES.scored,
  name: "longer",
  limits: { ...POLICIES.scored.limits, reviews: 6, fixes: 5 },
};

const step = fc.record({
  dice: fc.nat(99),
  at,
  crash: fc.boolean(),
  answers: fc.record(ANSWERS),
  word: fc.constantFrom(...SIGNALS),
});

/** The event that a driver or a person would put into the log now. */
function nextEvent(
  { state }: TicketLoop,
  { dice, answers, word }: { dice: number; answers: Record<keyof typeof ANSWERS, Draft>; word: string },
  n: number,
): Draft {
  const spoken = { type: "signalled", id: `s${n}`, signal: word as (typeof SIGNALS)[number], by: "ada" } as const;
  if (state.stage === "waiting-for-human") {
    return { ...spoken, signal: state.options[dice % state.options.length] ?? "retry" };
  }
  if (dice < 5 || !(state.stage in ANSWERS)) return spoken;
  const stage = state.stage as keyof typeof ANSWERS;
  if (dice < 15) return { type: "broke", usage, stage, reason: "net" };
  const answer = answers[stage];
  if (answer.type === "committed") return { ...answer, head: `c${n}` };
  if (answer.type === "reviewed") return { ...answer, head: state.head ?? "none" };
  if (answer.type !== "fixed") return answer;
  return {
    ...answer,
    refutations: answer.refutations.map((one) => ({ ...one, fingerprint: state.findings[0]?.fingerprint ?? "" })),
  };
}

test("every history of a loop moves its ticket as seed 002 allows, and counts revisions and attempts right (property)", () => {
  const reached = new Set<TicketStatus>();
  fc.assert(
    fc.property(
      fc.constantFrom(POLICIES.scored, tight, unlimited),
      fc.array(step, { maxLength: 50 }),
      (policy, steps) => {
        let loop = new TicketPlay(policy).loop;
        let spoken = false;
        const take = (draft: Draft, at: number) => {
          const after = follow(loop, { ...draft, at });
          spoken ||= draft.type === "signalled";
          expectLegal(loop, after, draft.type);
          if (!spoken) expect(revisionCount(after.state)).toBeLessThanOrEqual(maxRevisions(policy));
          for (const [index, round] of after.state.rounds.entries()) expect(round.number - 1).toBe(index);
          if (after.status === "completed") expect(after.state.verdict?.verdict.result).toBe("pass");
          reached.add(after.status);
          loop = after;
        };
        for (const [n, one] of steps.entries()) {
          const { stage } = loop.state;
          if (stage === "ended") break;
          const now = loop.state.lastAt + one.at;
          const event = nextEvent(loop, one, n);
          // A driver remembers before it acts; a crash leaves nothing but that.
          if (stage !== "waiting-for-human" && event.type !== "signalled") {
            take({ type: "intended", stage, attempt: 1 }, now);
            if (one.crash) continue;
          }
          take(event, now);
        }
      },
    ),
    { numRuns: 4_000 },
  );
  expect([...reached].sort()).toEqual([
    "completed",
    "executing",
    "failed",
    "needs_revision",
    "reviewing",
    "validating",
  ]);
});

/** A fixer that only refutes, and a person who sends on what nobody changed, leave the commit that was validated. */
function expectLegal(before: TicketLoop, after: TicketLoop, event: LoopEvent["type"]): void {
  if (before.status === after.status) return;
  const unchanged = after.state.head === before.state.head && (event === "fixed" || event === "signalled");
  if (unchanged && after.status === "reviewing") return;
  expect(MOVES[before.status]).toContain(after.status);
}

test("a log that does not begin with a start has no ticket", () => {
  expect(ticketLoop([])).toBeNull();
});
