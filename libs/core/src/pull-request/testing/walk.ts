import type { LoopEvent, LoopState, Policy, SignalName } from "@anneal/types";
import fc from "fast-check";
import { LEGAL_STAGES } from "../../loop/signals.ts";
import { POLICIES, pullRequestWith } from "../../policies/index.ts";
import { bad, clean, finding, Play, report } from "../../testing/build.ts";

export interface Step {
  before: LoopState;
  event: LoopEvent;
  after: LoopState;
}

type Move = (play: Play) => Play;

const secret = report({ findings: [finding({ rule: "secret", severity: "low", snippet: "key" })] });
const feedbacks: Move[] = [
  (play) => play.feedback(),
  (play) => play.feedback({ report: bad("high") }),
  (play) => play.feedback({ checks: "failing" }),
  (play) => play.feedback({ checks: "pending" }),
  (play) => play.feedback({ state: "approved" }),
  (play) => play.feedback({ state: "approved", head: "elsewhere" }),
  (play) => play.feedback({ state: "merged" }),
  (play) => play.feedback({ state: "closed" }),
];
const skipDelivery: Move = (play) => play.feed({ type: "delivery-skipped", at: later(play), reason: "no forge" });

const REASONS = ["push-consent", "never-publish", "delivery-refused"] as const;
const hold: Move = (play) => {
  const reason = REASONS[play.log.length % REASONS.length] ?? "delivery-refused";
  const anew = play.log.length % 2 === 0 && play.state.pr !== null ? ({ anew: true } as const) : {};
  return play.feed({ type: "delivery-held", at: later(play), reason, detail: "ask somebody", ...anew });
};

/** What can come of the work of each stage. */
const MOVES: Record<LoopState["stage"], Move[]> = {
  implementing: [(p) => p.implement(), (p) => p.implement(), (p) => p.implement(false), (p) => p.breaks()],
  validating: [(p) => p.validate(), (p) => p.validate(), (p) => p.validate("failed"), (p) => p.breaks()],
  committing: [
    (p) => p.commit(),
    (p) => p.commit(),
    (p) => p.commit(),
    (p) => p.feed({ type: "commit-refused", at: later(p), findings: [finding({ rule: "hook" })] }),
    (p) => p.feed({ type: "nothing-to-commit", at: later(p) }),
    (p) => p.breaks(),
  ],
  reviewing: [
    (p) => p.review(clean),
    (p) => p.review(clean),
    (p) => p.review(bad("high", p.log.length)),
    (p) => p.review(bad("medium", 1)),
    (p) => p.review(bad("critical", 2)),
    (p) => p.review(secret),
    (p) => p.review({ status: "inconclusive", reason: "?" }),
    (p) => p.review(clean, { head: "elsewhere" }),
    (p) => p.breaks(),
  ],
  fixing: [
    (p) => p.fix(),
    (p) => p.fix(),
    (p) => p.fix(false),
    (p) =>
      p.fix(
        false,
        p.state.findings.slice(0, 1).map(({ fingerprint }) => ({ fingerprint, evidence: "no" })),
      ),
    (p) => p.breaks(),
  ],
  "opening-pr": [opens, opens, opens, opens, hold, (p) => p.breaks(), skipDelivery],
  "awaiting-feedback": [...feedbacks, hold],
  "waiting-for-human": [offered, offered, offered, dismissed, ...feedbacks, hold],
  merging: [
    (p) => p.merged(),
    (p) => p.merged(),
    (p) => p.feed({ type: "merge-conflicted", at: later(p), files: ["a"] }),
    hold,
    (p) => p.breaks(),
    skipDelivery,
    ...feedbacks,
  ],
  ended: [(p) => p.signal("retry")],
};

/** A history that a driver, people and a forge can really make, step by step. */
export const walks: fc.Arbitrary<{ play: Play; steps: Step[] }> = fc
  .record({
    policy: fc.constantFrom<Policy[]>(
      POLICIES["pull-request"],
      pullRequestWith({ maxIterations: 1, severityThreshold: "high" }),
      pullRequestWith({ maxIterations: 3, severityThreshold: "medium", selfReviewBeforePR: false }),
      { ...POLICIES["pull-request"], caps: { wallMs: 15_000 } },
    ),
    head: fc.constantFrom(null, "c0"),
    dice: fc.array(fc.tuple(fc.nat(999), fc.nat(999)), { maxLength: 60 }),
  })
  .map(({ policy, head, dice }) => {
    const play = new Play(policy, { head });
    const steps: Step[] = [];
    for (const [what, which] of dice) {
      const before = play.state;
      const legal = signalsAt(before);
      const said = legal[which % Math.max(1, legal.length)];
      const moves = MOVES[before.stage];
      if (what < 120 && said !== undefined) play.signal(said);
      else moves[which % moves.length]?.(play);
      const event = play.log.at(-1);
      if (event !== undefined) steps.push({ before, event, after: play.state });
    }
    return { play, steps };
  });

/** Stops are left to chance elsewhere: here they would end most walks early. */
function signalsAt({ stage }: LoopState): SignalName[] {
  const names = Object.keys(LEGAL_STAGES) as SignalName[];
  return names.filter((name) => name !== "stop" && LEGAL_STAGES[name].includes(stage));
}

function opens(play: Play): Play {
  return play.pr(play.state.stage === "opening-pr" && play.state.draft);
}

function offered(play: Play): Play {
  const options = play.state.stage === "waiting-for-human" ? play.state.options : [];
  const note = play.log.length % 2 === 0 ? "shorter names" : undefined;
  return play.signal(options[play.log.length % options.length] ?? "stop", note);
}

function dismissed(play: Play): Play {
  const fingerprint = play.state.findings[0]?.fingerprint ?? "none";
  const base = { type: "finding-disposed", at: later(play), id: `d${play.log.length}`, fingerprint } as const;
  return play.feed({ ...base, disposition: "dismissed", by: "ada", reason: "fine" });
}

function later(play: Play): number {
  return play.log.length * 1_000;
}
