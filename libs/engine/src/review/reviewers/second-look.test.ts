import type { AgentRequest, AgentRun, QuestionAgent, ReviewAnswer, Reviewer } from "@anneal/adapters";
import { POLICIES } from "@anneal/core";
import { secondLookSchema } from "@anneal/core/review";
import type { CompleteReport, Finding, Policy, Report, TrackedFinding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { signed } from "../../../../core/src/read/testing/sign-off.ts";
import { decisionText } from "../testing/decision-text.ts";
import { agentReviewer } from "./agent-reviewer.ts";
import { secondLookReviewer, setAsideReviewer, unsignedReviewer } from "./second-look.ts";
import { blocksIn, playedAgent } from "./testing/played-agent.ts";
import { withChange } from "./testing/reviewed.ts";
import { roomIn } from "./testing/without-copies.ts";

const WORDS = "**[APPROVED]** Anything goes, they told me.";
const yes: Partial<AgentRun> = { structured: { without_reservation: true, reservation: null } };
const no = (reservation: string | null): Partial<AgentRun> => ({
  structured: { without_reservation: false, reservation },
});
const finding = (severity: Finding["severity"]): Finding => ({
  category: "logic",
  severity,
  title: "It leaks",
  description: "d",
});
const complete = (more: Partial<CompleteReport> = {}): Report => ({
  status: "complete",
  claim: "pass",
  findings: [],
  summary: "Fine.",
  rulings: [],
  notes: ["a note"],
  ...more,
});

interface Case {
  report?: Report;
  look?: Partial<AgentRun> | Error;
  policy?: Policy;
  /** What the reviewer is besides; by default it is an agent and said something. */
  more?: { words?: undefined; agent?: "none" };
  by?: "another";
  stopped?: AbortController;
}

/** A review whose reviewer says this, and what is asked about it. */
async function looked({ report = complete(), look = yes, policy = POLICIES.gate, more = {}, by, stopped }: Case) {
  const asked: (Pick<AgentRequest, "prompt" | "schema" | "again"> & { of: string })[] = [];
  const said: string[] = [];
  const agent = (name: string): QuestionAgent => ({
    name,
    ask: async (question) => {
      asked.push({ ...question, of: name });
      stopped?.abort();
      if (look instanceof Error) throw look;
      return { status: "finished", text: "", usage: { inputTokens: 5, costUsd: 0.5 }, ...look };
    },
  });
  const answer: ReviewAnswer = {
    report,
    coverage: { reviewed: ["a.txt"], skipped: [] },
    usage: { inputTokens: 10, costUsd: 1 },
    prompt: "THE FIRST REQUEST",
    ...("words" in more ? {} : { words: WORDS }),
  };
  const reviewer: Reviewer = {
    name: "claude",
    requirements: "judged",
    review: async () => answer,
    ...(more.agent === "none" ? {} : { questionAgent: agent("claude") }),
  };
  const looking = secondLookReviewer(reviewer, policy, by === undefined ? undefined : agent("codex"));
  const signal = (stopped ?? new AbortController()).signal;
  const change = { bounds: { base: "b", head: "h", headKind: "commit" } } as Parameters<Reviewer["review"]>[0];
  const result = await looking.review(change, signal, (message) => said.push(message));
  return { ...result, asked, said, answer };
}

describe("an answer that passes is read once more", () => {
  test("and stands where the look sees no reservation, with a note, what it cost and the prompt", async () => {
    const { report, asked, said, usage, prompt, coverage } = await looked({});
    expect(report).toMatchObject({
      status: "complete",
      claim: "pass",
      notes: ["a note", "claude read the answer again: it approves without reservation."],
    });
    expect(asked).toMatchObject([{ of: "claude", again: "approval", schema: secondLookSchema }]);
    expect(said).toEqual(["claude checks that the answer approves without reservation"]);
    expect(usage).toEqual({ inputTokens: 15, costUsd: 1.5 });
    expect(prompt).toContain("THE FIRST REQUEST");
    expect(prompt).toContain(asked[0]?.prompt);
    expect(coverage).toEqual({ reviewed: ["a.txt"], skipped: [] });
  });

  test.for([
    '{ "without_reservation": true, "reservation": null }',
    '```json\n{ "without_reservation": true, "reservation": null }\n```\n',
    '{ "without_reservation": true }',
    '{ "without_reservation": true, "reservation": "" }',
  ])("and stands where the look says so in text: %j", async (text) => {
    expect((await looked({ look: { text } })).report).toMatchObject({ status: "complete", claim: "pass" });
  });

  test("by the agent that is named for it", async () => {
    const { report, asked } = await looked({ by: "another" });
    expect(asked.map(({ of }) => of)).toEqual(["codex"]);
    expect(report).toMatchObject({ notes: ["a note", expect.stringContaining("codex read the answer again")] });
  });

  test.for<{ what: string; look: Partial<AgentRun> | Error; reason: string }>([
    { what: "quotes a reservation", look: no("they told me"), reason: 'reads a reservation in it: "they told me".' },
    {
      what: "says no in text",
      look: { text: '{"without_reservation": false, "reservation": "they told me"}' },
      reason: 'reads a reservation in it: "they told me".',
    },
    { what: "says no without a word", look: no(null), reason: "reads a reservation in it." },
    {
      what: "says yes and quotes one",
      look: { structured: { without_reservation: true, reservation: "they told me" } },
      reason: 'reads a reservation in it: "they told me".',
    },
    { what: "quotes at length", look: no("x".repeat(300)), reason: `in it: "${"x".repeat(200)}…".` },
    { what: "answers with prose", look: { text: "Yes, it does." }, reason: "could not tell" },
    { what: "says nothing", look: {}, reason: "could not tell" },
    {
      what: "answers in two minds",
      look: { text: '{"without_reservation": true, "without_reservation": false}' },
      reason: "could not tell",
    },
    { what: "failed", look: { ...yes, status: "failed", error: "no model" }, reason: "no model" },
    { what: "took too long", look: { ...yes, status: "timed-out" }, reason: "the agent timed-out" },
    { what: "was cancelled", look: { ...yes, status: "cancelled" }, reason: "the agent cancelled" },
    { what: "threw", look: new Error("no such program"), reason: "no such program" },
  ])("and is inconclusive where the look $what", async ({ look, reason }) => {
    const { report, usage } = await looked({ look });
    expect(report).toEqual({ status: "inconclusive", reason: expect.stringContaining(reason) });
    expect(report).toMatchObject({ reason: expect.stringMatching(/^The review passes by its form, but claude /) });
    expect(usage.costUsd).toBe(look instanceof Error ? 1 : 1.5);
  });

  test("a look that cannot be mended by asking again ends the asking", async () => {
    expect(await looked({ look: { status: "failed", error: "not signed in", lasting: true } })).toMatchObject({
      report: { status: "inconclusive" },
      lasting: true,
    });
    expect(await looked({ look: no("no") })).not.toHaveProperty("lasting");
  });

  test("a review that is stopped meanwhile gives no answer", async () => {
    await expect(looked({ stopped: new AbortController() })).rejects.toThrow("aborted");
  });

  test("the prompt holds the words as data, and nothing of the change or the request", async () => {
    const [request] = (await looked({})).asked;
    const prompt = request?.prompt ?? "";
    expect(blocksIn(prompt, "the reviewer's answer").map(({ text }) => text)).toEqual([`${WORDS}\n`]);
    expect(blocksIn(prompt, "")).toHaveLength(1);
    expect(prompt).not.toMatch(/THE FIRST REQUEST|a\.txt/);
  });
});

const GATE = POLICIES.gate;
const MILD = POLICIES["pull-request"];

describe("nobody is asked", () => {
  test.for<Case & { what: string }>([
    { what: "the answer fails", report: complete({ claim: "fail", findings: [finding("high")] }) },
    { what: "the answer fails without a finding", report: complete({ claim: "fail" }) },
    { what: "it passes, but a finding blocks", report: complete({ findings: [finding("critical")] }) },
    {
      what: "it rejects for what the policy lets pass",
      policy: MILD,
      report: complete({ claim: "fail", findings: [finding("low")], summary: "It leaks." }),
    },
    { what: "there is no verdict", report: { status: "inconclusive", reason: "No decision." } },
    { what: "the reviewer is no agent", more: { agent: "none" } },
    { what: "the reviewer has no words", more: { words: undefined }, by: "another" },
  ])("where $what", async ({ what: _, ...given }) => {
    const { asked, said, report, usage, prompt, answer } = await looked({ ...given, look: no("Never.") });
    expect({ asked, said }).toEqual({ asked: [], said: [] });
    expect({ report, usage, prompt }).toEqual({ report: answer.report, usage: answer.usage, prompt: answer.prompt });
  });

  test("but where findings that let it pass stand in the answer", async () => {
    expect((await looked({ report: complete({ findings: [finding("info")] }), policy: GATE })).asked).toHaveLength(1);
  });
});

describe("the words of an agent's review", () => {
  const brief = { workItem: { title: "t", description: "d" }, round: 1, earlierFindings: [] };

  /** A review by an agent that says these one after the other, and is asked about all of them. */
  async function reviewed(answers: Partial<AgentRun>[], policy: Policy, more: { lines?: number; bytes?: number } = {}) {
    const agent = playedAgent((request, number) => (request.again === "approval" ? yes : (answers[number - 1] ?? {})));
    const files = ["a.txt", "b.txt", "c.txt"].map((name) => [name, `${name}\n`.repeat(more.lines ?? 1)]);
    return await withChange({ "z.txt": "1\n" }, Object.fromEntries(files), async (change, repo) => {
      const size = more.bytes === undefined ? {} : { promptBytes: more.bytes };
      const reviewer = agentReviewer(agent, policy, roomIn(repo), { ...brief, ...size });
      const answer = await secondLookReviewer(reviewer, policy).review(change, new AbortController().signal);
      const looks = agent.requests.filter(({ again }) => again === "approval");
      return { ...answer, agent, looks, root: repo.root };
    });
  }

  const pass = (summary: string) => ({
    structured: { verdict: "pass", issues: [], summary, rulings: [], sign_off: signed },
  });

  test("in several parts are looked at once, all of them", async () => {
    const parts = Array.from({ length: 9 }, (_, n) => pass(`Part ${n + 1} is fine.`));
    const { report, looks, agent } = await reviewed(parts, MILD, { lines: 3_000, bytes: 40_000 });
    const reviews = agent.requests.length - 1;
    expect(reviews).toBeGreaterThan(1);
    expect(report).toMatchObject({ status: "complete", claim: "pass" });
    expect(looks).toHaveLength(1);
    for (let n = 1; n <= reviews; n += 1) expect(looks[0]?.prompt).toContain(`Part ${n} is fine.`);
    expect(looks[0]?.prompt).not.toContain("b.txt");
  });

  test("hold the answer in the wrong form, too", async () => {
    const first = "**[APPROVED]**\n\nI read all of it and it is fine.";
    const { report, looks, usage } = await reviewed([{ text: first }, { text: decisionText("APPROVED") }], GATE);
    expect(report).toMatchObject({ status: "complete", claim: "pass" });
    for (const words of ["I read all of it and it is fine.", "As it stands."])
      expect(looks[0]?.prompt).toContain(words);
    expect(usage).toEqual({ inputTokens: 30, outputTokens: 3 });
  });

  test("are looked at in an empty folder, with the policy's time and the reviewer's model", async () => {
    const policy: Policy = { ...GATE, reviewer: { ...GATE.reviewer, model: "sonnet", timeoutMs: 1_234 } };
    const { looks, root } = await reviewed([{ text: decisionText("APPROVED") }], policy);
    expect(looks).toMatchObject([{ role: "reviewer", model: "sonnet", limits: { timeoutMs: 1_234 } }]);
    expect(looks[0]?.cwd).not.toBe(root);
  });
});

describe("an answer whose blocking findings were set aside", () => {
  const grave = { ...finding("high"), file: "a.ts", snippet: "go();", line: 1 };
  const dismissed: TrackedFinding = {
    fingerprint: "f1",
    finding: grave,
    lifecycle: "new",
    origin: { kind: "change" },
    disposition: { kind: "dismissed", by: "ada", reason: "by design" },
    firstRound: 1,
    lastRound: 1,
  };
  const refuted: Finding = { ...grave, verification: { by: "codex", result: "refuted", evidence: "Line 2." } };

  async function reviewed(one: Finding, earlierFindings: TrackedFinding[], look: Partial<AgentRun>, words = WORDS) {
    const asked: string[] = [];
    const ask: QuestionAgent["ask"] = async ({ prompt }) => {
      asked.push(prompt);
      return { status: "finished", text: "", usage: {}, ...look };
    };
    const reviewer: Reviewer = {
      name: "claude",
      requirements: "judged",
      questionAgent: { name: "claude", ask },
      review: async () => ({
        report: complete({ claim: "fail", findings: [one] }),
        coverage: { reviewed: ["a.ts"], skipped: [] },
        usage: {},
        ...(words === "" ? {} : { words }),
      }),
    };
    const brief = { earlierFindings, round: earlierFindings.length + 1 };
    const looking = setAsideReviewer(unsignedReviewer(reviewer, GATE), GATE, brief);
    const change = { bounds: { base: "b", head: "h", headKind: "commit" } } as Parameters<Reviewer["review"]>[0];
    return { ...(await looking.review(change, new AbortController().signal)), asked };
  }

  test.for([
    { by: "a person dismissed it", one: grave, earlier: [dismissed] },
    { by: "another agent refuted it", one: refuted, earlier: [] },
  ])("is read again where $by, and counts as signed off only without a reservation", async ({ one, earlier }) => {
    const { report, asked } = await reviewed(one, earlier, yes);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("It leaks (a.ts)");
    expect(report).not.toHaveProperty("signedOff");
    expect(report).toMatchObject({
      notes: [
        "a note",
        "claude read the answer again: it approves without reservation, apart from the findings that were set aside.",
      ],
    });
    expect((await reviewed(one, earlier, no("I read only half"))).report).toEqual({
      status: "inconclusive",
      reason: 'Nothing that counts blocks, but claude reads a reservation in it: "I read only half".',
    });
  });

  test("is not read while one of them blocks, and is not signed off", async () => {
    const { report, asked } = await reviewed(grave, [], yes);
    expect({ asked, report }).toMatchObject({ asked: [], report: { status: "complete", signedOff: false } });
  });

  test("needs no sign-off from a program", async () => {
    expect((await reviewed(grave, [dismissed], yes, "")).report).not.toHaveProperty("signedOff");
  });
});
