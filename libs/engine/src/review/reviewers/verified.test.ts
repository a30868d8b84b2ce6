import { writeFileSync } from "node:fs";
import type { AgentRun, Reviewer } from "@anneal/adapters";
import { POLICIES } from "@anneal/core";
import type { CompleteReport, Finding, Policy } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { review } from "../review.ts";
import { blocksIn, playedAgent } from "./testing/played-agent.ts";
import { withChange } from "./testing/reviewed.ts";
import { roomIn } from "./testing/without-copies.ts";
import { verifiedReviewer } from "./verified.ts";

const FILE = "export function run(x) {\n  if (x === null) return;\n  x.go();\n}\n";
const finding = (more: Partial<Finding> = {}): Finding => ({
  category: "logic",
  severity: "high",
  title: "Null is not checked",
  description: "With null it breaks.",
  file: "a.ts",
  line: 3,
  ...more,
});

function claims(findings: Finding[], more: Partial<CompleteReport> = {}): Reviewer {
  const report: CompleteReport = {
    status: "complete",
    claim: "fail",
    findings,
    summary: "Bad.",
    rulings: [],
    notes: [],
    ...more,
  };
  const coverage = { reviewed: ["a.ts"], skipped: [] };
  return {
    name: "claude",
    requirements: "judged",
    review: async (change) => {
      for await (const _ of change.files());
      return { report, coverage, usage: { inputTokens: 1 }, prompt: "first" };
    },
  };
}

const rulings = (...rulings: object[]) => ({
  structured: {
    rulings: rulings.map((one, index) => ({ finding: index + 1, evidence: "Line 2.", quote: null, ...one })),
  },
});
const refuted = { ruling: "refuted", quote: "if (x === null) return;" };
const confirmed = { ruling: "confirmed" };
const unconfirmed = { ruling: "unconfirmed" };

interface Case {
  reviewer: Reviewer;
  answer: Partial<AgentRun> | ((cwd: string) => Partial<AgentRun>);
  policy?: Policy;
}

async function judged({ reviewer, answer, policy = POLICIES.gate }: Case) {
  const agent = playedAgent(({ cwd }) => (typeof answer === "function" ? answer(cwd) : answer), "codex");
  return await withChange({ "b.ts": "" }, { "a.ts": FILE }, async (change, repo) => {
    const workItem = { title: "Run", description: "Runs it." };
    const verified = verifiedReviewer(reviewer, { agent, policy, room: roomIn(repo), workItem });
    let notes: string[] = [];
    const watching: Reviewer = {
      ...verified,
      review: async (...args) => {
        const answer = await verified.review(...args);
        notes = answer.report.status === "complete" ? answer.report.notes : [];
        return answer;
      },
    };
    const clock = { now: () => 1, sleep: async () => {} };
    const output = await review({ change, policy, reviewer: watching, clock, signal: new AbortController().signal });
    return { ...output, notes, requests: agent.requests };
  });
}

describe("a finding that would block", () => {
  test.for([
    { what: "confirmed", answer: rulings(confirmed), verdict: "fail", result: "confirmed" },
    { what: "refuted with code that is there", answer: rulings(refuted), verdict: "pass", result: "refuted" },
    { what: "not confirmed", answer: rulings(unconfirmed), verdict: "pass", result: "unconfirmed" },
    {
      what: "refuted with code that is not there",
      answer: rulings({ ...refuted, quote: "if (x == null) stop();" }),
      verdict: "fail",
      result: undefined,
    },
    { what: "passed over", answer: { structured: { rulings: [] } }, verdict: "fail", result: undefined },
    { what: "answered with prose", answer: { text: "It is refuted." }, verdict: "fail", result: undefined },
    {
      what: "left alone by an agent that broke",
      answer: { status: "failed", error: "no model" } as const,
      verdict: "fail",
      result: undefined,
    },
    {
      what: "left alone by an agent that took too long",
      answer: { ...rulings(refuted), status: "timed-out" } as const,
      verdict: "fail",
      result: undefined,
    },
  ])("and is $what: $verdict", async ({ answer, verdict, result }) => {
    const output = await judged({ reviewer: claims([finding()]), answer });
    expect(output.verdict).toBe(verdict);
    expect(output.findings[0]?.verification?.result).toBe(result);
    expect(output.findings[0]).toMatchObject({ title: "Null is not checked", severity: "high" });
    expect(output.notes.join()).toMatch(/^codex (?:verified|could not verify the findings, so all of them count)/);
    expect(output.usage.inputTokens).toBe(11);
  });

  test("one confirmed is enough to fail", async () => {
    const two = [finding(), finding({ title: "Other", description: "Another.", line: 1 })];
    const output = await judged({ reviewer: claims(two), answer: rulings(refuted, confirmed) });
    expect(output.verdict).toBe("fail");
    expect(output.summary).toContain("1 finding blocks");
  });

  test("a secret is never asked about, and blocks", async () => {
    const secret = finding({ rule: "secret", category: "security", severity: "critical" });
    const output = await judged({ reviewer: claims([secret, finding()]), answer: rulings(refuted) });
    expect(output).toMatchObject({ verdict: "fail" });
    expect(output.requests[0]?.prompt).not.toContain("secret");
    expect((await judged({ reviewer: claims([secret]), answer: rulings(refuted) })).requests).toEqual([]);
  });

  test("requirements that are unmet still reject, though no finding is confirmed", async () => {
    const reviewer = claims([finding()], { compliance: { met: [], unmet: ["Runs it"] } });
    expect((await judged({ reviewer, answer: rulings(refuted) })).verdict).toBe("fail");
  });

  test("a rejection without any finding still rejects", async () => {
    const output = await judged({ reviewer: claims([]), answer: rulings() });
    expect(output).toMatchObject({ verdict: "fail", requests: [] });
  });
});

test("the agent is an analyst, is shown the finding and the code as data, and its form of answer", async () => {
  const { requests } = await judged({
    reviewer: claims([finding(), finding({ severity: "low", line: 1 })]),
    answer: rulings(confirmed),
  });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ role: "analyst", schema: { required: ["rulings"] } });
  const prompt = requests[0]?.prompt ?? "";
  expect(blocksIn(prompt, "finding 1")[0]?.text).toContain("Place: a.ts:3\n\nWith null it breaks.");
  expect(blocksIn(prompt, "the code there")[0]?.text).toContain("2:   if (x === null) return;\n3:   x.go();");
});

test("many findings are asked about in several calls", async () => {
  const many = Array.from({ length: 45 }, (_, n) => finding({ title: `T${n}`, description: `Case ${n} breaks.` }));
  const agentRulings = (count: number) => rulings(...Array.from({ length: count }, () => unconfirmed));
  let left = 45;
  const output = await judged({
    reviewer: claims(many),
    answer: () => {
      const count = Math.min(20, left);
      left -= count;
      return agentRulings(count);
    },
  });
  expect(output.requests).toHaveLength(3);
  expect(output.verdict).toBe("pass");
});

test("an agent that changes the tree makes the review inconclusive", async () => {
  const output = await judged({
    reviewer: claims([finding()]),
    answer: (cwd) => {
      writeFileSync(`${cwd}/a.ts`, "mine\n");
      return rulings(refuted);
    },
  });
  expect(output).toMatchObject({ verdict: "inconclusive", summary: expect.stringContaining("tampered: codex") });
});
