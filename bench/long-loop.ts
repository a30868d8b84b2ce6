import { advance, POLICIES, refusal, start } from "@anneal/core";
import type { CompleteReport, LoopEvent, LoopState, Policy } from "@anneal/types";
import { quietLife } from "./quiet-life.ts";

type Started = Extract<LoopEvent, { type: "loop-started" }>;

export interface Step {
  event: LoopEvent;
  before: LoopState | null;
  after: LoopState;
}

/** Where the texts of a loop are kept; gives their hash. */
export interface Texts {
  put(text: string): string;
}

export const POLICY: Policy = POLICIES.gate;
const BY = { agent: "scripted", model: "model-1", provider: "nobody" };
const USAGE = { inputTokens: 12_000, outputTokens: 900, costUsd: 0.05 };
const SECOND_MS = 1_000;
const START_MS = Date.UTC(2030, 0, 1);

export interface Course {
  policy: Policy;
  /** How many reviews it has in all; after the last one it lives on without. For ever more unless told. */
  reviews?: number;
  /** What the last of these reviews says; all others fail. */
  last?: "fail" | "pass";
}

/**
 * A loop that is built, checked, committed, reviewed and fixed, runs out of rounds, and is sent on by a person, until it has
 * had its reviews; it never ends. What it records is of the size that real agents cause.
 */
export function* endlessLoop(item: string, texts: Texts, course: Course = { policy: POLICY }): Generator<Step, never> {
  const { policy, reviews = Number.POSITIVE_INFINITY, last = "fail" } = course;
  const diff = texts.put(
    `diff --git a/src/${item}.ts b/src/${item}.ts\n${"+  const total = items.length;\n".repeat(60)}`,
  );
  const output = texts.put(`I have done what was asked in src/${item}.ts.\n`.repeat(20));
  const started: Started = {
    type: "loop-started",
    at: START_MS,
    loopId: `${item}~1`,
    item: { kind: "feature", id: item },
    policy,
    because: "the default of features",
    agents: { implementer: "scripted", reviewer: "scripted", fixer: "scripted" },
    promptsHash: "0123456789abcdef",
    base: hash(0),
    head: null,
    needsApproval: false,
    steps: [],
  };
  let after = start(started);
  yield { event: started, before: null, after };
  for (let n = 1; ; n += 1) {
    const at = START_MS + n * SECOND_MS;
    const lives = after.rounds.length >= reviews && (after.stage === "fixing" || after.stage === "awaiting-feedback");
    const verdict = after.rounds.length === reviews - 1 ? last : "fail";
    const moment = { policy, at, n, diff, output, item, verdict };
    for (const event of lives ? quietLife(after, moment) : happens(after, moment)) {
      const before = after;
      after = advance(policy, before, event);
      yield { event, before, after };
    }
  }
}

interface Moment {
  policy: Policy;
  verdict: "fail" | "pass";
  at: number;
  n: number;
  diff: string;
  output: string;
  item: string;
}

function* happens(state: LoopState, moment: Moment): Generator<LoopEvent> {
  const { at, n, policy } = moment;
  if (state.stage === "waiting-for-human") {
    const signal = state.options.find((option) => refusal(policy, state, option) === null) ?? "resume";
    return yield { type: "signalled", at, id: `s${n}`, signal, by: "robin", note: "Look at the empty list again." };
  }
  if (state.stage === "ended") throw new Error("this loop was not meant to end");
  yield { type: "intended", at, stage: state.stage, attempt: 1 };
  yield resultOf(state, moment);
}

function resultOf(state: LoopState, { at, n, diff, output, item, verdict }: Moment): LoopEvent {
  const worked = { usage: USAGE, changed: true, tree: hash(n), output, by: BY };
  switch (state.stage) {
    case "implementing":
      return { type: "implemented", at, ...worked };
    case "fixing":
      return { type: "fixed", at, ...worked, refutations: [] };
    case "validating":
      return { type: "validated", at, result: "passed", findings: [] };
    case "committing":
      return state.plan === null
        ? { type: "commit-prepared", at, plan: planOf(state, n) }
        : { type: "committed", at, head: hash(n), regions: [{ file: `src/${item}.ts`, ranges: [[1, 60]] }] };
    case "reviewing":
      return {
        type: "reviewed",
        at,
        usage: USAGE,
        head: state.head,
        report: reportOn(item, verdict),
        requirementsJudged: true,
        standing: [],
        regions: [{ file: `src/${item}.ts`, ranges: [[1, 60]] }],
        renames: {},
        by: BY,
        diff,
        coverage: { reviewed: [`src/${item}.ts`], skipped: [] },
      };
    case "opening-pr":
      return { type: "pr-opened", at, pr: { number: 7, url: "https://forge.example/7", draft: false } };
    default:
      throw new Error(`nothing is known of the stage ${state.stage}`);
  }
}

function planOf({ head, base, tree }: LoopState, n: number) {
  const author = { name: "Robin Example", email: "robin@example.com" };
  const message = "feat: the total\n";
  return { tree: tree ?? hash(n), parent: head ?? base, branch: null, message, author, date: "1893456000 +0000" };
}

function reportOn(item: string, claim: "fail" | "pass"): CompleteReport {
  const problem = (line: number): CompleteReport["findings"][number] => ({
    category: "logic",
    severity: "high",
    title: `The total is wrong in line ${line}`,
    description: "An empty list has no first element, so the sum of its prices is not zero but undefined.",
    file: `src/${item}.ts`,
    line,
    snippet: `const total${line} = items.length;`,
  });
  const failing = {
    findings: [problem(3), problem(30)],
    summary: "The total of an empty list is wrong in two places.",
  };
  const passing = { findings: [], summary: "The total is right." };
  return { status: "complete", claim, ...(claim === "fail" ? failing : passing), rulings: [], notes: [] };
}

/** An id of the form that git gives. */
function hash(n: number): string {
  return n.toString(16).padStart(40, "0");
}
