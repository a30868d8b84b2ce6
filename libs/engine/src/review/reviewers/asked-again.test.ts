import type { AgentRun } from "@anneal/adapters";
import { assess, POLICIES } from "@anneal/core";
import { read } from "@anneal/core/read";
import { letsPass } from "@anneal/core/review";
import type { Finding, Policy, Report, TrackedFinding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { signed } from "../../../../core/src/read/testing/sign-off.ts";
import { decisionText } from "../testing/decision-text.ts";
import { agentReviewer, type ReviewBrief } from "./agent-reviewer.ts";
import { withRepairedForm } from "./asked-again.ts";
import { playedAgent } from "./testing/played-agent.ts";
import { withChange } from "./testing/reviewed.ts";
import { roomIn } from "./testing/without-copies.ts";

const tracked = (fingerprint: string, over: Partial<Finding> = {}): TrackedFinding => ({
  fingerprint,
  finding: { category: "security", severity: "critical", title: fingerprint, description: "Anybody gets in.", ...over },
  lifecycle: "new",
  origin: { kind: "change" },
  disposition: { kind: "open" },
  firstRound: 1,
  lastRound: 1,
});
const NO_LIMIT = tracked("No rate limit");
const NO_AUDIT = tracked("No audit log", { severity: "high" });
const TYPO = tracked("A typo", { severity: "info" });

const approved = (rulings = "") => decisionText("APPROVED", `None\n${rulings}`, "Does what was asked.");
const rejected = `**[REJECTED]**\n\n### Issues Found\n- **[CODE]** - error: It leaks\n  - Description: d\n  - File: a.txt\n  - Line: 1\n\n### Summary\nNot yet.\n\nEND OF REVIEW\n`;
const rules = (...rulings: ("fixed" | "open" | "refuted" | null)[]) => ({
  structured: {
    rulings: rulings.flatMap((ruling, index) =>
      ruling === null ? [] : [{ finding: index + 1, ruling, evidence: "a.txt:1" }],
    ),
  },
});

interface Case {
  earlier: TrackedFinding[];
  first?: string;
  second?: Partial<AgentRun>;
  policy?: Policy;
}

/** One review of round 2: what was asked, and what a gate makes of the answer. */
async function reviewed({ earlier, first = approved(), second = {}, policy = POLICIES.gate }: Case) {
  const agent = playedAgent(({ again }) => (again === undefined ? { text: first } : second));
  const brief: ReviewBrief = {
    workItem: { title: "Log in", description: "A login with a limit." },
    round: 2,
    earlierFindings: earlier,
    turn: 2,
  };
  return await withChange({ "a.txt": "1\n" }, { "a.txt": "2\n" }, async (change, repo) => {
    const reviewer = agentReviewer(agent, policy, roomIn(repo), brief);
    const answer = await reviewer.review(change, new AbortController().signal);
    const seen = { round: 2, head: "h2", standing: [], regions: [], renames: {}, lastFix: undefined };
    const { report } = answer;
    const after =
      report.status === "complete" ? assess(policy, earlier, { ...seen, report, requirementsJudged: true }) : null;
    return { ...answer, requests: agent.requests, verdict: after?.verdict, findings: after?.findings };
  });
}

describe("an approval that says nothing of an earlier finding", () => {
  test.for<{ what: string; second: Partial<AgentRun>; verdict: string; reason: string }>([
    {
      what: "rules on all of them, asked once more",
      second: rules("fixed", "refuted"),
      verdict: "pass",
      reason: "no findings",
    },
    {
      what: "rules on some",
      second: rules("fixed", null),
      verdict: "fail",
      reason: "approved, but did not rule on 1 earlier finding: No audit log",
    },
    {
      what: "says that one is open",
      second: rules("fixed", "open"),
      verdict: "fail",
      reason: 'approved, but says "No audit log" is still open',
    },
    ...[
      { what: "stays silent", second: { text: "" } },
      { what: "says the same again", second: { text: approved() } },
      { what: "rules on one that there is not", second: rules("fixed", "fixed", "fixed") },
      {
        what: "rules twice on one",
        second: { text: '{"rulings":[{"finding":1,"ruling":"fixed"},{"finding":1,"ruling":"open"}]}' },
      },
      { what: "does not come to an end", second: { status: "timed-out" as const, error: "no answer in time" } },
    ].map((one) => ({
      ...one,
      verdict: "fail",
      reason: "approved, but did not rule on 2 earlier findings: No rate limit; No audit log",
    })),
  ])("$what → $verdict", async ({ second, verdict, reason }) => {
    const { requests, ...answer } = await reviewed({ earlier: [NO_LIMIT, NO_AUDIT], second });
    expect(answer.verdict).toMatchObject({ result: verdict, reason });
    expect(requests).toHaveLength(2);
    expect(requests[1]).toMatchObject({ role: "reviewer", again: "rulings", turn: 2, cwd: requests[0]?.cwd });
    expect(requests[1]?.prompt).toContain("No rate limit");
    expect(requests[1]?.prompt).not.toContain("+2");
    expect(answer.usage).toEqual({ inputTokens: 20, outputTokens: 2 });
    for (const { prompt } of requests) expect(answer.prompt).toContain(prompt);
  });

  test.for<Case & { what: string }>([
    { what: "there is none", earlier: [] },
    { what: "it is of no weight", earlier: [TYPO] },
    { what: "it is ruled on", earlier: [NO_LIMIT], first: approved(`\n### Rulings\n- ${"abcd1234"}: fixed - seen\n`) },
    {
      what: "a person dismissed it",
      earlier: [{ ...NO_LIMIT, disposition: { kind: "dismissed", by: "ada", reason: "r" } }],
    },
    { what: "the review rejects", earlier: [NO_LIMIT], first: rejected },
    { what: "the answer cannot be read", earlier: [NO_LIMIT], first: "Looks fine to me." },
    {
      what: "reviews are fresh",
      earlier: [NO_LIMIT],
      policy: { ...POLICIES.gate, pass: { ...POLICIES.gate.pass, earlierFindings: "fresh" } },
    },
  ])("is not asked about it where $what", async ({ what: _, ...given }) => {
    const earlier = given.earlier.map((entry) => ({ ...entry, fingerprint: "abcd1234" }));
    const { requests } = await reviewed({ ...given, earlier });
    expect(requests.filter(({ again }) => again === "rulings")).toEqual([]);
  });

  test.for([
    { what: "the beginning of its fingerprint", named: "12db33861131", others: [], verdict: "pass" },
    { what: "a beginning that is too short", named: "12db338", others: [], verdict: "fail" },
    { what: "a beginning that two share", named: "12db33861131", others: ["12db33861131ffff"], verdict: "fail" },
  ])("rules on a finding by $what: $verdict", async ({ named, others, verdict }) => {
    const earlier = ["12db3386113100aa", ...others].map((fingerprint) => ({ ...NO_LIMIT, fingerprint }));
    const answer = await reviewed({ earlier, first: approved(`\n### Rulings\n- ${named}: fixed - seen\n`) });
    expect(answer.verdict).toMatchObject({ result: verdict });
  });

  test("one of no weight is asked about along with one that would block", async () => {
    const { requests } = await reviewed({ earlier: [NO_LIMIT, TYPO], second: rules("fixed", "fixed") });
    expect(requests[1]?.prompt).toContain("A typo");
  });
});

describe("an answer whose form is wrong", () => {
  const broken: Report = { status: "inconclusive", reason: "No decision.", problems: ["No decision.", "No summary."] };
  const json = (over: object) =>
    JSON.stringify({ verdict: "pass", issues: [], summary: "Fine.", sign_off: signed, ...over });
  const issue = { severity: "high", category: "logic", description: "It leaks" };

  async function repaired(text: string, second: Partial<AgentRun>, policy: Policy = POLICIES["pull-request"]) {
    const prompts: string[] = [];
    const run = { status: "finished" as const, text, usage: {} };
    const ask = async (prompt: string): Promise<AgentRun> => {
      prompts.push(prompt);
      return { status: "finished", text: "", usage: {}, ...second };
    };
    const brief: ReviewBrief = { workItem: { title: "", description: "" }, round: 1, earlierFindings: [] };
    const answer = await withRepairedForm(
      { policy, brief, ask },
      { prompt: "THE FIRST REQUEST", run, report: broken },
      (one) =>
        one.status === "finished"
          ? read(policy.reviewer.contract, { ...one, finished: true })
          : { status: "inconclusive", reason: one.error ?? one.status },
    );
    return { ...answer, prompts };
  }

  test("is asked for once more with the first request, all that is wrong, the answer and the form", async () => {
    const { report, prompts } = await repaired("Looks fine: { verdict: pass }", { text: json({}) });
    expect(report).toMatchObject({ status: "complete", claim: "pass" });
    expect(prompts).toHaveLength(1);
    for (const part of ["THE FIRST REQUEST", "No decision.", "No summary.", "Looks fine: {", "## Form of the answer"])
      expect(prompts[0]).toContain(part);
  });

  test.for<{ what: string; first: string; second: Partial<AgentRun>; comes: object }>([
    {
      what: "a pass that was meant as one",
      first: '{"verdict": "pass", "issues": []}',
      second: { text: json({}) },
      comes: { claim: "pass" },
    },
    {
      what: "an opinion in no form at all",
      first: "I think this passes.",
      second: { text: json({}) },
      comes: { status: "inconclusive" },
    },
    {
      what: "a rejection that stays one",
      first: '{"verdict": "needs_work"',
      second: { text: json({ verdict: "needs_work", issues: [issue] }) },
      comes: { claim: "fail" },
    },
    {
      what: "a rejection that became a pass",
      first: '{"verdict": "needs_work", "issues": [',
      second: { text: json({}) },
      comes: { status: "inconclusive" },
    },
    {
      what: "a blocking issue that went away",
      first: '{"issues": [{"severity": "critical", "description": "It leaks"}]}',
      second: { text: json({}) },
      comes: { status: "inconclusive" },
    },
    {
      what: "a mild issue that went away",
      first: '{"issues": [{"severity": "low", "description": "A typo"}]}',
      second: { text: json({}) },
      comes: { status: "inconclusive" },
    },
    {
      what: "no form again",
      first: "Fine.",
      second: { text: "Fine!" },
      comes: { status: "inconclusive", reason: expect.stringContaining("Asked to correct it") },
    },
    {
      what: "nothing, for lack of time",
      first: "Fine.",
      second: { status: "timed-out", error: "no answer in time" },
      comes: { status: "inconclusive", reason: expect.stringContaining("no answer in time") },
    },
  ])("comes to $comes where it is $what", async ({ first, second, comes }) => {
    const { report, prompts } = await repaired(first, second);
    expect(report).toMatchObject(comes);
    expect(prompts).toHaveLength(1);
  });

  test.for<[policy: keyof typeof POLICIES, first: string, listed?: number]>([
    ["gate", "**[APPROVED]**\n\n### Issues Found\n\nNone\n"],
    ["gate", "**[APPROVED]**\n\nNo critical issues and no errors, all good."],
    ["gate", "**[APPROVED]**\n\n### Issues Found\n- **[CODE]** - info: A typo", 1],
    ["pull-request", '{"verdict": "pass", "issues": []}'],
    ["pull-request", '{"verdict": "pass", "issues": [{"severity": "low"}]', 1],
    ["scored", '{"status": "pass", "dimension_scores": {"code_quality": {"score": 90, "weight": "important"}}}'],
    ["adversarial", "## Critical Issues\nNone identified.\n\n## Minor Issues\n- A typo\n"],
    ["advisory", '{"passed": true, "issues": []}'],
  ])("of %s lets pass what its repaired form passes: %s", ([policy, first, listed = 0]) => {
    expect(letsPass(POLICIES[policy], first, listed)).toBe(true);
  });

  test.for<[policy: keyof typeof POLICIES, first: string]>([
    ["gate", "[REJECTED] because"],
    ["gate", "I reject this: expired coupons are accepted (src/discount.ts:14)."],
    ["gate", "**[REJECT]**"],
    ["gate", "[Rejected]"],
    ["gate", "❌ Not approved: it leaks."],
    ["gate", "This should not be merged."],
    ["gate", "**[APPROVED]**\n\nThis should not be merged."],
    ["gate", "**[APPROVED]**\n\n- **[CODE]** - critical: It leaks"],
    ["gate", "**[APPROVED]**\n\n1. Expired coupons are accepted (error)"],
    ["gate", "**[APPROVED]**\n\n- unmet: coupons expire"],
    ["gate", "**[APPROVED]**\n\n- **[CODE]** - info: A typo\n- **[CODE]** - info: Another"],
    ["pull-request", '{"verdict":"reject","issues":[]}'],
    ["pull-request", '{"verdict":"needs work"}'],
    ["pull-request", "Verdict: NEEDS WORK. It leaks."],
    ["pull-request", '{"verdict":"fail","issues":[{"severity":"major"}]}'],
    ["pull-request", '{"verdict":"pass","issues":[{"severity":"blocker"}]}'],
    ["scored", '"approved": false'],
    ["scored", '{"status":"rejected"}'],
    ["scored", '{"result":"fail","blocking_issues":[{"required_action":"x"}]}'],
    ["scored", '{"status":"pass","dimension_scores":{"code_quality":{"score":20}}}'],
    ["adversarial", "## Critical Issues (Must Fix)\n\n### 1. [Logic] It leaks\n"],
    ["adversarial", "## Important Issues\n- It leaks\n"],
    ["adversarial", "Critical: SQL injection in src/a.ts"],
    ["adversarial", "## Critical Issues\n\nThe coupon goes into the query as it is.\n"],
    ["adversarial", "## Critical Issues\n\n| 1 | It leaks |\n"],
    ["adversarial", "## Critical Issues\nNone.\n\n## Blocking\n- It leaks\n"],
    ["adversarial", "## Critical Issues\nNone.\n\n- **Recommendation:** Do not merge"],
    ["advisory", '{"passed": "no"}'],
    ["advisory", '{"passed": false'],
    ["advisory", '{"passed": true, "issues": [{"priority":"high"}]}'],
  ])("of %s does not let pass: %s", ([policy, first]) => {
    expect(letsPass(POLICIES[policy], first, 0)).toBe(false);
  });

  test("is mended in one further request, with what its reader found wrong, and without a round", async () => {
    const first = "**[APPROVED]**\n\nI read all of it and it is fine.";
    const { requests, report } = await reviewed({ earlier: [], first, second: { text: approved() } });
    expect(requests.map(({ again }) => again)).toEqual([undefined, "form"]);
    const problems = read("decision-text", { text: first, finished: true });
    for (const problem of problems.status === "inconclusive" ? (problems.problems ?? []) : ["none"])
      expect(requests[1]?.prompt).toContain(problem);
    expect(report).toMatchObject({ status: "complete", claim: "pass" });
  });

  test("is not asked for again where nothing is known to be wrong with it", async () => {
    const brief: ReviewBrief = { workItem: { title: "", description: "" }, round: 1, earlierFindings: [] };
    const ask = () => Promise.reject(new Error("nobody asks"));
    const report: Report = { status: "inconclusive", reason: "The reviewer did not finish its answer." };
    const run: AgentRun = { status: "failed", text: "", usage: {} };
    const terms = { policy: POLICIES.gate, brief, ask };
    expect(await withRepairedForm(terms, { prompt: "", run, report }, () => report)).toEqual({ report });
  });
});
