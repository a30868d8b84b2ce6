import { existsSync, readdirSync } from "node:fs";
import type { AgentRun, Reviewer } from "@anneal/adapters";
import { builtinReviewer } from "@anneal/adapters/builtin/reviewer";
import { POLICIES, track } from "@anneal/core";
import { openRepo } from "@anneal/git";
import type { Finding, LoopEvent, LoopState, Policy, TrackedFinding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { Play } from "../../../../core/src/testing/build.ts";
import { makeRepo } from "../../../../git/src/testing/make-repo.ts";
import { reviewRound } from "../../work/loop-review.ts";
import type { LoopWorkArgs, ReviewRound } from "../../work/loop-work.ts";
import { agentReviewer } from "./agent-reviewer.ts";
import { ensembleReviewer } from "./ensemble.ts";
import { type PlayedAgent, playedAgent } from "./testing/played-agent.ts";
import { roomIn } from "./testing/without-copies.ts";

const WAS: Finding = {
  category: "logic",
  severity: "high",
  title: "Out of order responses",
  description: "A slow request for an old query may answer after a fast one for the new query.",
  file: "a.txt",
  line: 2,
  snippet: "two",
};
const NOW = {
  title: "Stale results can win the race",
  description: "Typing quickly shows hits of what was typed before.",
};

const rejects = ({ title, description }: typeof NOW) =>
  `**[REJECTED]**\n\n### Issues Found\n- **[CODE]** - error: ${title}\n  - Description: ${description}\n  - File: a.txt\n  - Line: 3\n\n### Summary\nNot yet.\n\nEND OF REVIEW\n`;
const document = ({ title, description }: typeof NOW) =>
  `# Code Review Findings\n\n## Critical Issues\n\nNone identified.\n\n## Important Issues\n\n### 1. [Logic] ${title}\n- **File:** a.txt\n- **Line:** 3\n- **Issue:** ${description}\n- **Impact:** Wrong hits.\n- **Recommendation:** Drop what is old.\n\n## Minor Issues\n\nNone identified.\n`;
const says = (same: boolean) => ({ text: JSON.stringify({ pairs: [{ earlier: "E1", now: "N1", same }] }) });

type Reviewed = Extract<LoopEvent, { type: "reviewed" }>;

/** The second round of a loop that has this finding; the code of the finding still stands there. */
async function secondRound(
  reviewer: (round: ReviewRound, room: ReturnType<typeof roomIn>) => Reviewer,
  { policy = POLICIES.gate, ledger = [WAS] }: { policy?: Policy; ledger?: Finding[] } = {},
) {
  using repo = makeRepo({ "a.txt": "one\n" });
  const base = repo.git("rev-parse", "HEAD");
  const first = repo.commit({ "a.txt": "one\ntwo\n" });
  const head = repo.commit({ "a.txt": "one\ntwo\nthree\n" });
  const seen = { round: 1, head: first, standing: [], regions: [], renames: {}, lastFix: undefined };
  const report = { status: "complete", claim: "fail", findings: ledger, summary: "", rulings: [], notes: [] } as const;
  const findings = track([], { ...seen, report: { ...report, rulings: [], notes: [] } });
  const opened = await openRepo(repo.dir);
  const blobs: string[] = [];
  const args: Partial<LoopWorkArgs> = {
    policy,
    repo: opened,
    workItem: { title: "T", description: "D" },
    players: {
      implementer: { name: "nobody", implement: () => Promise.reject(new Error("nothing to implement")) },
      reviewer: (round) => reviewer(round, roomIn(opened)),
      fixer: { name: "nobody", fix: () => Promise.reject(new Error("nothing to fix")) },
    },
    blobs: { put: (content) => `blob-${blobs.push(content.toString())}`, getText: () => "" },
    clock: { now: () => 7, sleep: async () => {} },
  };
  const { state } = new Play(policy).build();
  const rounds = [{ head: first }];
  const reviewing = { ...state, base, head, rounds, findings } as unknown as Extract<LoopState, { stage: "reviewing" }>;
  const event = (await reviewRound(args as LoopWorkArgs, reviewing, new AbortController().signal, 2)) as Reviewed;
  return { event, findings, blobs, root: opened.root };
}

function playing(second: Partial<AgentRun>, first = rejects(NOW)): PlayedAgent {
  return playedAgent(({ again, cwd }) => {
    if (again === undefined) return { text: first };
    // Nothing lies there that could be read.
    expect(readdirSync(cwd)).toEqual([]);
    return second;
  });
}

const by =
  (agent: PlayedAgent, policy: Policy = POLICIES.gate) =>
  (round: ReviewRound, room: ReturnType<typeof roomIn>) =>
    agentReviewer(agent, policy, room, round);

describe("a finding that words do not know again", () => {
  test.for<{ what: string; second: Partial<AgentRun>; joined: 0 | 1; unreadable?: string }>([
    { what: "goes on with the earlier one that the reviewer calls the same", second: says(true), joined: 1 },
    { what: "is new where the reviewer says so", second: says(false), joined: 0 },
    { what: "is new where the answer cannot be read", second: { text: "Yes." }, joined: 0, unreadable: "" },
    {
      what: "is new where the answer takes too long",
      second: { status: "timed-out", error: "no answer in time", ...says(true) },
      joined: 0,
      unreadable: "no answer in time",
    },
    {
      what: "is new where the agent breaks",
      second: { status: "failed", error: "it crashed", ...says(true) },
      joined: 0,
      unreadable: "it crashed",
    },
  ])("$what", async ({ second, joined, unreadable }) => {
    const agent = playing(second);
    const { event, findings, blobs, root } = await secondRound(by(agent));
    const pairs = joined === 0 ? [] : [{ finding: 0, fingerprint: findings[0]?.fingerprint, by: "played" }];
    const why = unreadable === undefined ? {} : { unreadable: expect.stringContaining(unreadable) };
    expect(event.matches).toMatchObject({ pairs, asked: { by: "played", pairs: 1, ...why } });
    expect(event.matches?.asked?.unreadable === undefined).toBe(unreadable === undefined);
    expect(event.report).toMatchObject({ status: "complete", claim: "fail", findings: [NOW], notes: [] });
    expect(event.usage).toEqual({ inputTokens: 20, outputTokens: 2 });
    expect(agent.requests.map(({ again }) => again)).toEqual([undefined, "same"]);
    const question = agent.requests[1];
    expect(question).toMatchObject({ role: "reviewer", turn: 2, schema: { required: ["pairs"] } });
    expect(question?.cwd).not.toContain(root);
    expect(existsSync(question?.cwd ?? "")).toBe(false);
    for (const part of [WAS.title, WAS.description, NOW.title, NOW.description, "- E1 and N1"])
      expect(question?.prompt).toContain(part);
    expect(blobs.some((blob) => blob.includes("asked separately") && blob.includes("- E1 and N1"))).toBe(true);
  });

  test("is new where nobody can be asked", async () => {
    const { questionAgent: _, ...reviewer } = ensembleReviewer([builtinReviewer]);
    expect(_).toBeUndefined();
    const report = {
      status: "complete",
      claim: "fail",
      findings: [{ ...WAS, ...NOW, line: 3 }],
      summary: "",
      rulings: [],
      notes: [],
    };
    const review = async () => ({ report, coverage: { reviewed: ["a.txt"], skipped: [] }, usage: {} }) as never;
    const { event } = await secondRound(() => ({ ...reviewer, review }));
    expect(event.matches).toEqual({ matcher: 2, pairs: [] });
  });

  test("is asked about once, of the first reviewer that is an agent", async () => {
    const [one, two] = [playing(says(true)), playing(says(false))];
    const { event } = await secondRound((round, room) =>
      ensembleReviewer([builtinReviewer, by(one)(round, room), by(two)(round, room)]),
    );
    expect(event.matches?.pairs).toMatchObject([{ by: "played" }]);
    expect([one, two].map(({ requests }) => requests.length)).toEqual([2, 1]);
  });

  test.for([
    { what: "there is no earlier one", ledger: [], first: rejects(NOW) },
    { what: "words know it again", ledger: [WAS], first: rejects({ ...NOW, ...WAS }) },
  ])("is not asked about where $what", async ({ ledger, first }) => {
    const agent = playing(says(true), first);
    const { event } = await secondRound(by(agent), { ledger });
    expect(agent.requests).toHaveLength(1);
    expect(event.matches?.asked).toBeUndefined();
  });

  test("leaves the request for a fresh review as it was, and is asked in another folder", async () => {
    const policy = POLICIES.adversarial;
    const [asked, unasked] = [playing(says(true), document(NOW)), playing(says(true), document(NOW))];
    const { event } = await secondRound(by(asked, policy), { policy });
    await secondRound(by(unasked, policy), { policy, ledger: [] });
    expect(event.matches?.pairs).toMatchObject([{ by: "played" }]);
    const promptOf = ({ requests }: PlayedAgent) => requests[0]?.prompt.replace(/anneal-[0-9a-f-]{36}/g, "");
    const sameCommits = (text = "") => text.replace(/[0-9a-f]{40}/g, "");
    expect(sameCommits(promptOf(asked))).toBe(sameCommits(promptOf(unasked)));
    expect(asked.requests[0]?.prompt).not.toContain(WAS.title);
    expect(asked.requests[1]?.cwd).not.toBe(asked.requests[0]?.cwd);
  });
});

test("an open finding stays open where nothing is joined", async () => {
  const { event, findings } = await secondRound(by(playing(says(false))));
  const { report } = event;
  if (report.status !== "complete") throw new Error("no report");
  const seen = { round: 2, head: event.head, report, standing: event.standing, regions: [], lastFix: undefined };
  const after: TrackedFinding[] = track(findings, { ...event, ...seen });
  expect(after.map(({ disposition }) => disposition.kind)).toEqual(["open", "open"]);
});
