import { POLICIES } from "@anneal/core";
import { estimatedTokens, filesOf, MODEL_BUDGETS, promptBytes } from "@anneal/core/review";
import type { Policy } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { signed } from "../../../../core/src/read/testing/sign-off.ts";
import type { Files } from "../../../../git/src/testing/make-repo.ts";
import { decisionText } from "../testing/decision-text.ts";
import { agentReviewer, type ReviewBrief } from "./agent-reviewer.ts";
import { blocksIn, type PlayedAgent, playedAgent } from "./testing/played-agent.ts";
import { withChange } from "./testing/reviewed.ts";
import { roomIn } from "./testing/without-copies.ts";

const PASS = { verdict: "pass", issues: [], summary: "Fine.", rulings: [], sign_off: signed };
const brief: ReviewBrief = {
  workItem: { title: "Import", description: "Imports the old orders." },
  round: 1,
  earlierFindings: [],
};

interface Case {
  before?: Files;
  after: Files;
  agent: PlayedAgent;
  policy?: Policy;
  more?: object;
}

async function reviewed({ before = { "a.txt": "1\n" }, after, agent, policy = POLICIES["pull-request"], more }: Case) {
  return await withChange(before, after, async (change, repo) => {
    const patch = await repo.patch(change.bounds);
    const reviewer = agentReviewer(agent, policy, roomIn(repo), { ...brief, ...more });
    const answer = await reviewer.review(change, new AbortController().signal);
    return { ...answer, patch, requests: agent.requests };
  });
}

/** What all prompts together show of each file. */
function shownIn(prompts: readonly string[], label = "diff"): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const prompt of prompts) {
    for (const block of blocksIn(prompt, label)) {
      const part = /^diff, part .*?: (.*)$/.exec(block.label)?.[1];
      const files = part === undefined ? filesOf(block.text) : [{ path: part, text: block.text }];
      for (const { path, text } of files) shown[path] = (shown[path] ?? "") + text;
    }
  }
  return shown;
}

const code = (bytes: number, seed: number) =>
  Array.from(
    { length: Math.ceil(bytes / 26) },
    (_, n) => `const value${seed}x${n} = ${(n * 7919 + seed) % 9973};  `,
  ).join("\n");

/** About 3 MB: many files, one that is large by itself, one whose last lines are blank, one that has no text. */
function largeChange(): Files {
  const files: Files = {
    "src/huge.ts": code(900_000, 1),
    "logo.png": new Uint8Array([137, 80, 0, 1]),
    "blank.txt": "x\n \n\t\n",
  };
  for (let n = 0; n < 260; n++) files[`src/f${n % 20}/m${n}.ts`] = `${code(7_000, n)}\n`;
  for (let n = 0; n < 40; n++) files[`src/f${n % 20}/m${n}.test.ts`] = `// Prüfung ${n}\n`;
  return files;
}

test("a change of 3 MB is reviewed in parts: all of it is shown, to the letter, and no prompt is too large", async () => {
  const agent = playedAgent(() => ({ structured: PASS }));
  const after = largeChange();
  const { report, coverage, usage, prompt, patch, requests } = await reviewed({ after, agent });
  expect(patch.length).toBeGreaterThan(3_000_000);
  expect(report).toMatchObject({ status: "complete", claim: "pass" });

  const prompts = requests.map((one) => one.prompt);
  for (const one of prompts) {
    expect(estimatedTokens(Buffer.byteLength(one))).toBeLessThanOrEqual(MODEL_BUDGETS.defaultTokens / 2);
    expect(one).toContain("Imports the old orders.");
  }
  expect(shownIn(prompts)).toEqual(Object.fromEntries(filesOf(patch).map(({ path, text }) => [path, text])));

  const reviewable = Object.keys(after).filter((path) => path !== "logo.png");
  expect(coverage.reviewed.toSorted()).toEqual(reviewable.toSorted());
  expect(coverage.skipped).toEqual([{ file: "logo.png", reason: "binary" }]);
  expect(usage).toEqual({ inputTokens: 10 * prompts.length, outputTokens: prompts.length });
  expect(agent.mostAtOnce).toBe(2);
  for (const one of prompts) expect(prompt).toContain(one);
});

describe("a part", () => {
  const after = {
    "a/one.ts": code(6_000, 1),
    "b/two.ts": code(6_000, 2),
    "b/two.test.ts": "t\n",
    "c.ts": code(6_000, 3),
  };
  const small = { promptBytes: 20_000 };

  test("lists the files of the others, and keeps a source with its test", async () => {
    const agent = playedAgent(() => ({ structured: PASS }));
    const { requests } = await reviewed({ after, agent, more: small });
    const seen = requests.map(({ prompt }) => ({
      shown: Object.keys(shownIn([prompt])).toSorted(),
      others: blocksIn(prompt, "files of the change that are in other parts")[0]?.text.trim().split("\n").toSorted(),
    }));
    const all = Object.keys(after).toSorted();
    for (const { shown, others = [] } of seen) expect([...shown, ...others].toSorted()).toEqual(all);
    expect(seen.filter(({ shown }) => shown.includes("b/two.ts") !== shown.includes("b/two.test.ts"))).toEqual([]);
    expect(seen.length).toBeGreaterThan(1);
  });

  test("that comes to nothing makes the review inconclusive; no more are begun, and what was not judged is listed", async () => {
    const agent = playedAgent((_, number) =>
      number === 1 ? { status: "failed", error: "no model" } : { structured: PASS },
    );
    const { report, coverage, requests } = await reviewed({ after, agent, more: small });
    expect(report).toMatchObject({
      status: "inconclusive",
      reason: expect.stringMatching(/^part 1 of \d \(.*\): no model$/),
    });
    expect(requests.length).toBeLessThanOrEqual(2);
    expect(coverage.reviewed.length + coverage.skipped.length).toBe(Object.keys(after).length);
    expect(coverage.skipped[0]?.reason).toMatch(/^part 1 of \d returned no report$/);
  });

  test("that touches the tree makes the review tampered", async () => {
    const { writeFileSync } = await import("node:fs");
    const agent = playedAgent(({ cwd }, number) => {
      if (number === 2) writeFileSync(`${cwd}/c.ts`, "mine\n");
      return { structured: PASS };
    });
    const { report } = await reviewed({ after, agent, more: small });
    expect(report).toMatchObject({ status: "inconclusive", reason: expect.stringContaining("tampered") });
  });

  test("adds its findings to those of the others", async () => {
    const issue = (file: string) => ({
      severity: "high",
      category: "logic",
      file,
      lineStart: 1,
      lineEnd: 1,
      description: `Wrong in ${file}`,
      suggestedFix: null,
    });
    const agent = playedAgent(({ prompt }) => {
      const files = Object.keys(shownIn([prompt]));
      return { structured: { ...PASS, verdict: "needs_work", issues: files.map(issue) } };
    });
    const { report } = await reviewed({ after, agent, more: small });
    expect(report).toMatchObject({ claim: "fail" });
    expect(report.status === "complete" && report.findings.map(({ file }) => file).toSorted()).toEqual(
      Object.keys(after).toSorted(),
    );
  });
});

test("in a later round both diffs are split, each file's together, and both are shown whole", async () => {
  const agent = playedAgent(() => ({
    text: decisionText("APPROVED", "None", "Fine."),
  }));
  const after = { "a.ts": code(9_000, 1), "b.ts": code(9_000, 2) };
  const roundPatch = "diff --git a/b.ts b/b.ts\nindex 1..2 100644\n--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-x\n+y\n";
  const { report, patch, requests } = await reviewed({
    after,
    agent,
    policy: POLICIES.gate,
    more: { round: 2, roundPatch, promptBytes: 22_000 },
  });
  expect(report).toMatchObject({ status: "complete", claim: "pass" });
  const prompts = requests.map(({ prompt }) => prompt);
  expect(prompts.length).toBeGreaterThan(1);
  const shown = shownIn(prompts);
  expect(shown["a.ts"]).toBe(filesOf(patch)[0]?.text);
  expect(shown["b.ts"]?.length).toBe(roundPatch.length + (filesOf(patch)[1]?.text.length ?? 0));
});

test("a file with a line that no prompt has room for is skipped by name, not cut", async () => {
  const agent = playedAgent(() => ({ structured: PASS }));
  const after = { "a.ts": code(9_000, 1), "min.js": `${"x".repeat(300_000)}\n`, "z.ts": "z\n" };
  const { coverage } = await reviewed({ after, agent, more: { promptBytes: 20_000 } });
  expect(coverage).toEqual({
    reviewed: ["a.ts", "z.ts"],
    skipped: [{ file: "min.js", reason: "a line is too long for the reviewer" }],
  });
});

test("a request that leaves no room for the change is inconclusive, and asking again cannot help", async () => {
  const agent = playedAgent(() => ({ structured: PASS }));
  const workItem = { title: "T", description: "very long. ".repeat(5_000) };
  const answer = await reviewed({ after: { "a.ts": "x\n" }, agent, more: { workItem, promptBytes: 20_000 } });
  expect(answer).toMatchObject({ report: { status: "inconclusive" }, lasting: true, requests: [] });
  expect(answer.coverage.skipped).toEqual([{ file: "a.ts", reason: "no room in the prompt" }]);
});

test("a change that fits is one call, with the schema of the contract, as large as the model allows", async () => {
  const agent = playedAgent(() => ({ structured: PASS }));
  const after = { "a.ts": code(200_000, 1) };
  const { requests } = await reviewed({ after, agent, more: { model: "claude-sonnet-4-5" } });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ model: "claude-sonnet-4-5", schema: { type: "object" } });
  expect(requests[0]?.prompt).not.toContain("## Part ");
  expect(promptBytes(["claude-sonnet-4-5"])).toBeGreaterThan(200_000);
});

test.for(["gate", "adversarial"] as const)("a contract of text has no schema: %s", async (name) => {
  const agent = playedAgent(() => ({ text: "" }));
  const { requests } = await reviewed({ after: { "a.ts": "x\n" }, agent, policy: POLICIES[name] });
  expect(requests[0]).not.toHaveProperty("schema");
});
