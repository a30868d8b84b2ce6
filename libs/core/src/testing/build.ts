import type { BoundChecks, CompleteReport, Finding, LoopEvent, LoopState, Policy, Severity } from "@anneal/types";
import { advance, start } from "../loop/loop.ts";
import { scored } from "../policies/scored.ts";

type Of<T extends LoopEvent["type"]> = Extract<LoopEvent, { type: T }>;

/** A finding with sensible defaults. In one file, other words make it another defect. */
export function finding(over: Partial<Finding> = {}): Finding {
  return {
    category: "logic",
    severity: "high",
    title: "Total is wrong for an empty cart",
    description: "reduce() without a start value throws on an empty list",
    file: "src/cart.ts",
    line: 10,
    snippet: "return items.reduce((a, b) => a + b);",
    ...over,
  };
}

export const BY = { agent: "scripted", model: null, provider: null };
export const COVERAGE = { reviewed: ["src/cart.ts"], skipped: [] };
export const WORKED = { tree: "t1", output: null, by: BY };

export const PERFECT_SCORES = Object.fromEntries(
  Object.keys(scored.pass.scorecard.dimensions).map((name) => [name, 95]),
);

export function report(over: Partial<CompleteReport> = {}): CompleteReport {
  return {
    status: "complete",
    claim: "pass",
    findings: [],
    summary: "Looks right.",
    scores: PERFECT_SCORES,
    rulings: [],
    notes: [],
    ...over,
  };
}

export const clean = report();

/** Words that no other number has: in one file, other words make another defect. */
export function unlike(n: number): string {
  return Array.from({ length: 16 }, (_, at) => `w${n}x${at}`).join(" ");
}

/** One of many defects, with code and words of its own. */
export function defect(n: number, over: Partial<Finding> = {}): Finding {
  const words = n === 1 ? {} : { title: `Defect${n}`, description: unlike(n) };
  return finding({ snippet: `broken(${n});`, line: n, ...words, ...over });
}

/** A report that fails under every policy: critical blocks everywhere. */
export function bad(severity: Severity = "critical", n = 1): CompleteReport {
  const findings = [defect(n, { severity })];
  return report({ claim: "fail", findings, summary: "Not yet." });
}

/** Plays a loop by saying what happens next; time moves one second per event. */
export class Play {
  state: LoopState;
  readonly policy: Policy;
  readonly log: LoopEvent[] = [];
  private commits = 0;

  constructor(
    policy: Policy,
    options: {
      head?: string | null;
      needsApproval?: boolean;
      steps?: string[];
      tasks?: string[];
      earlierRounds?: number;
      documents?: "due";
      checks?: BoundChecks;
    } = {},
  ) {
    this.policy = policy;
    const { head = null, needsApproval = false } = options;
    const item = { kind: "branch", id: "topic" } as const;
    const event = {
      type: "loop-started",
      at: 0,
      loopId: "l1",
      item,
      policy,
      steps: options.steps ?? [],
      tasks: options.tasks ?? [],
      earlierRounds: options.earlierRounds ?? 0,
      because: "test",
      agents: {},
    } as const;
    const { documents, checks } = options;
    const bound = { ...(documents === undefined ? {} : { documents }), ...(checks === undefined ? {} : { checks }) };
    const started: Of<"loop-started"> = { ...event, promptsHash: "p", base: "base", head, needsApproval, ...bound };
    this.log.push(started);
    this.state = start(started);
  }

  feed(event: LoopEvent): this {
    this.log.push(event);
    this.state = advance(this.policy, this.state, event);
    return this;
  }

  private get at(): number {
    return this.log.length * 1_000;
  }

  implement(changed = true): this {
    return this.feed({ type: "implemented", at: this.at, usage: {}, changed, ...WORKED });
  }

  validate(result: "passed" | "failed" | "not-configured" = "passed"): this {
    const findings = result === "failed" ? [finding({ rule: "tests", title: "2 tests fail" })] : [];
    return this.feed({ type: "validated", at: this.at, result, findings });
  }

  commit(): this {
    this.commits += 1;
    return this.feed({ type: "committed", at: this.at, head: `c${this.commits}`, regions: [] });
  }

  /** Implementation up to the first review. */
  build(): this {
    return this.implement().validate().commit();
  }

  review(
    answer: CompleteReport | { status: "inconclusive"; reason: string },
    over: Partial<Of<"reviewed">> = {},
  ): this {
    const head = this.state.head ?? "none";
    return this.feed({
      type: "reviewed",
      at: this.at,
      usage: {},
      head,
      report: answer,
      requirementsJudged: true,
      standing: [],
      regions: [],
      renames: {},
      by: BY,
      diff: null,
      coverage: COVERAGE,
      ...over,
    });
  }

  fix(changed = true, refutations: Of<"fixed">["refutations"] = []): this {
    return this.feed({ type: "fixed", at: this.at, usage: {}, changed, refutations, ...WORKED });
  }

  /** A fix that is validated and committed. */
  mend(): this {
    return this.fix().validate().commit();
  }

  breaks(reason = "connection refused"): this {
    const { stage } = this.state;
    if (stage === "waiting-for-human" || stage === "ended") return this;
    return this.feed({ type: "broke", at: this.at, usage: {}, stage, reason });
  }

  /** The day's use is at its cap. */
  cap(detail = "900 of 800 tokens are used today"): this {
    return this.feed({ type: "capped", at: this.at, scope: "day", detail });
  }

  signal(signal: Of<"signalled">["signal"], note?: string): this {
    const id = `s${this.log.length}`;
    const base = { type: "signalled", at: this.at, id, signal, by: "ada" } as const;
    return this.feed(note === undefined ? base : { ...base, note });
  }

  pr(draft = false): this {
    return this.feed({ type: "pr-opened", at: this.at, pr: { number: 7, url: "https://forge/pr/7", draft } });
  }

  merged(): this {
    return this.feed({ type: "merged", at: this.at, commit: "m1" });
  }

  feedback(over: Partial<Of<"feedback-received">> = {}): this {
    const head = this.state.head ?? "none";
    return this.feed({
      type: "feedback-received",
      at: this.at,
      head,
      report: clean,
      state: "open",
      checks: "passing",
      ...over,
    });
  }

  /** Where the loop stands, in one word, as the tables state it. */
  get where(): string {
    if (this.state.stage === "ended") return `ended: ${this.state.outcome}`;
    if (this.state.stage === "waiting-for-human") return `waiting: ${this.state.reason}`;
    return this.state.stage;
  }
}
