import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type ForgeProject, forgeProject } from "../golden/testing/forge-project.ts";
import { implementWell } from "../golden/testing/login-feature.ts";
import * as given from "../golden/testing/login-review-loop.ts";
import { currentLoop, historyOf, type LoopHistory } from "../history/loop-history.ts";
import { openProject } from "../history/reader.ts";
import { draftedReply } from "./drafted-reply.ts";

const never = new AbortController().signal;
const DRAFT = "Eight is what src/auth/validator.js asks for.";

let project: ForgeProject;
let id: number;
beforeEach(async () => {
  project = await forgeProject([implementWell, given.passes]);
  await project.run([project.id]);
  await project.forge.as("alice").comment(1, "Why is the length eight?");
  await project.run([project.id]);
  id = (await project.forge.comments(1))[0]?.id ?? 0;
});

const analysis = (suggestedResponse: string, sourceId = id) => ({
  actionableIssues: [],
  questionsToAnswer: [{ sourceId, author: "alice", question: "Why is the length eight?", suggestedResponse }],
  requiresHumanDecision: [],
  overallStatus: "needs_human_input",
});

/** Has a reply drafted by an agent that does this. */
async function drafts(
  step: object,
  {
    signal = never,
    sourceId = id,
    change = (one: LoopHistory) => one,
  }: { signal?: AbortSignal; sourceId?: number; change?: (history: LoopHistory) => LoopHistory } = {},
) {
  project.plan(project.id, { steps: [implementWell, given.passes, { role: "analyst", ...step }] });
  using opened = await openProject(project.root, project.clock);
  const row = currentLoop(opened.store, project.id);
  if (row === null) throw new Error("there is no loop");
  const mask = { text: (text: string) => text.replaceAll("hunter2", "[redacted]") };
  const asked = { ...opened, clock: project.clock, mask };
  return await draftedReply(asked, change(historyOf(opened.store, row)), sourceId, signal);
}

/** All that a draft could have touched. */
async function traces() {
  const git = project.repo.git;
  return {
    refs: git("for-each-ref"),
    trees: git("worktree", "list"),
    status: git("status", "--porcelain"),
    log: (await project.notifications()).length,
    said: await project.forge.comments(1),
    records: readdirSync(join(project.root, ".automaker"), { recursive: true }).sort(),
  };
}

describe("the reply to a question", () => {
  test("is drafted by the reviewer's agent, and nothing else changes", async () => {
    project.plan(project.id, { steps: [] });
    const before = await traces();
    expect(await drafts({ answer: analysis(DRAFT) })).toBe(DRAFT);
    expect(await drafts({ answer: JSON.stringify(analysis("A second try.")) })).toBe("A second try.");
    expect(await traces()).toEqual(before);
  });

  test("holds nothing that nobody may read", async () => {
    expect(await drafts({ answer: analysis("It is hunter2.") })).toBe("It is [redacted].");
    const error = drafts({ error: "refused hunter2" });
    await expect(error).rejects.toThrow("scripted drafted no reply: refused [redacted]");
  });

  test("is an error where the agent gives none, and nothing else changes", async () => {
    const broken = [
      { answer: "Because." },
      { answer: "" },
      { answer: analysis(DRAFT, id + 1) },
      { end: "crash" },
      { end: "no-terminal-event", answer: analysis(DRAFT) },
      { edits: [{ path: "src/auth/login.js", content: "x" }], answer: analysis(DRAFT) },
    ];
    project.plan(project.id, { steps: [] });
    const before = await traces();
    const errors: unknown[] = [];
    for (const step of broken) errors.push(await drafts(step).catch((error: unknown) => error));
    const unusable = "scripted drafted no usable reply:";
    expect(errors).toMatchObject(
      [
        `${unusable} The answer has no JSON object with "questionsToAnswer".`,
        `${unusable} The answer is empty.`,
        `${unusable} The analysis has no reply to the question ${id}.`,
        "scripted drafted no reply: the agent crashed",
        "scripted drafted no reply: the agent ended without its terminal event",
        expect.stringMatching(/^the draft was discarded: scripted changed the repository \(.*login\.js/),
      ].map((message) => ({ code: "unavailable", message })),
    );
    expect(await traces()).toEqual(before);
  });

  test("is not drafted where nobody asked, and called off when whoever asked goes away", async () => {
    const unasked = drafts({ answer: analysis(DRAFT) }, { sourceId: 4_711 });
    await expect(unasked).rejects.toMatchObject({ code: "not-found" });
    const left = new AbortController();
    const draft = drafts({ end: "hang" }, { signal: left.signal });
    left.abort();
    await expect(draft).rejects.toMatchObject({ code: "unavailable", message: "the draft was cancelled" });
  });

  test("is waited for no longer than for a review", async () => {
    const hurried = (one: LoopHistory): LoopHistory => {
      const { policy } = one;
      return { ...one, policy: { ...policy, reviewer: { ...policy.reviewer, timeoutMs: 20 } } };
    };
    await expect(drafts({ end: "hang" }, { change: hurried })).rejects.toMatchObject({
      code: "unavailable",
      message: "scripted drafted no reply: it took too long",
    });
  });

  test("is refused where the reviewer is no agent, the day's budget is spent, or the settings cannot be read", async () => {
    for (const [reviewer, says] of [
      ["builtin", /^the reviewer builtin of .* is not an agent and cannot draft replies$/],
      ["nobody-knows", /^unknown agent "nobody-knows"/],
    ] as const) {
      const change = (one: LoopHistory): LoopHistory => {
        return { ...one, started: { ...one.started, agents: { ...one.started.agents, reviewer } } };
      };
      const refused = drafts({ answer: analysis(DRAFT) }, { change });
      await expect(refused).rejects.toMatchObject({ code: "conflict", message: expect.stringMatching(says) });
    }
    const path = ".automaker/settings.json";
    const settings = { version: 1, budgets: { perDay: { tokens: 1 } } };
    project.repo.write({ [path]: JSON.stringify(settings) });
    const draft = () => drafts({ answer: analysis(DRAFT) });
    await expect(draft()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("daily cap") });
    project.repo.write({ [path]: JSON.stringify({ version: 1, budgets: "none" }) });
    await expect(draft()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("budgets") });
  });
});
