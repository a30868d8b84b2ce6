import type { CompleteReport, LoopEvent, LoopState, Policy } from "@anneal/types";

interface Moment {
  policy: Policy;
  at: number;
  /** Grows by one with every call. */
  n: number;
}

/** How many events one call gives. */
export const QUIET_EVENTS = 17;

/**
 * What happens to a loop between its reviews, over weeks: agents and networks that break and are tried again, people who
 * interrupt, pause, resume and rule on findings, and a forge that tells of checks and comments which change nothing.
 */
export function* quietLife({ stage, head, findings }: LoopState, { policy, at, n }: Moment): Generator<LoopEvent> {
  const said = (signal: "pause" | "resume" | "retry", part: number) => {
    return { type: "signalled", at, id: `q${n}.${part}`, signal, by: "robin" } as const;
  };
  if (stage === "awaiting-feedback") {
    for (let look = 0; look < 13; look += 1) yield feedback(at, head ?? "", look);
    for (const part of [1, 2]) {
      yield said("pause", part);
      yield said("resume", part);
    }
    return;
  }
  if (stage !== "fixing") throw new Error(`nothing is known of a quiet life at the stage ${stage}`);
  const [known] = findings;
  if (known === undefined) throw new Error("a loop that fixes nothing");
  for (let attempt = 1; attempt <= policy.limits.retries + 1; attempt += 1) {
    yield { type: "intended", at, stage, attempt };
    yield { type: "broke", at, usage: {}, stage, reason: "the provider does not answer" };
  }
  yield said("retry", 0);
  yield { type: "intended", at, stage, attempt: 1 };
  yield { type: "abandoned", at, stage };
  for (const part of [1, 2]) {
    yield said("pause", part);
    yield said("resume", part);
  }
  const ruling = {
    type: "finding-disposed",
    at,
    fingerprint: known.fingerprint,
    by: "robin",
    reason: "Later.",
  } as const;
  yield { ...ruling, id: `q${n}.later`, disposition: "deferred" };
  yield { ...ruling, id: `q${n}.now`, disposition: "open" };
}

function feedback(at: number, head: string, look: number): LoopEvent {
  const summary = `Check ${look} of 13 is still running.`;
  const report: CompleteReport = { status: "complete", claim: null, findings: [], summary, rulings: [], notes: [] };
  return { type: "feedback-received", at, head, report, state: "open", checks: "pending" };
}
