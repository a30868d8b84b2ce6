import { readFileSync } from "node:fs";
import { join } from "node:path";
import { POLICIES } from "@anneal/core";
import { describe, expect, test, vi } from "vitest";
import { loopsOf } from "../history/loop-history.ts";
import { asked } from "./testing/listen.ts";
import * as given from "./testing/login-feature.ts";
import { type SampleProject, sampleProject } from "./testing/sample-project.ts";

vi.mock(import("@anneal/adapters/scripted"), async (load) =>
  (await import("./testing/listen.ts")).listening(await load()),
);

const rejectedThenApproved = [given.implementBadly, given.reject, given.fixValidator, given.approve];

async function settledIn({ run, troubles }: SampleProject, id: string) {
  asked.length = 0;
  const { settled, broken } = await run([id]);
  expect({ broken: [...broken], troubles }).toEqual({ broken: [], troubles: [] });
  return settled.get(id);
}

const promptsOf = (role: string) =>
  asked.filter((one) => one.role === role && one.again === undefined).map(({ prompt }) => prompt);
const firstLines = (text: string | undefined) => text?.split("\n").slice(0, 2);

/** A review by another tool, written as that tool writes. */
const foreign = (
  number: number,
) => `\t\t\t{ "iterationNumber": ${number}, "reviewedAt": "2025-12-01T08:00:0${number}.000Z",
\t\t\t\t"reviewedByModel": "opus", "reviewedByProvider": "anthropic", "status": "rejected", "mood": "grim",
\t\t\t\t"gitCommitHash": "a1b2c3d4", "gitDiff": "[full diff here]", "findings": [ ], "overallSummary" : "Not yet.",
\t\t\t\t"reviewFile": "code-review-iteration-${number}.md" }`;

describe("a feature that was reviewed before", () => {
  test("by another tool: numbers go on, and nothing of before changes by a byte", async () => {
    const project = await sampleProject({ files: given.FILES });
    const { repo, plan, files, notifications, root } = project;
    const id = "feature-1767900000000-foreign00";
    const folder = `.automaker/features/${id}`;
    const before = {
      "agent-output-iteration-1.md": "Built it.\n",
      "code-review-iteration-1.md": "# Review one\r\n",
      "code-review-iteration-2.md": "# Review two\n",
    };
    const theirs = `${foreign(1)},\n${foreign(2)}`;
    const text = `{\n\t"id": "${id}", "title": "Login", "description": "Users log in.", "status": "backlog",\n\t"codeReviewSpec": {\n\t\t"reviewer": "robin", "status": "rejected", "currentIteration": 2, "maxIterations": 3,\n\t\t"iterations": [\n${theirs}\n\t\t]\n\t},\n\t"titleGenerating": false\n}\n`;
    const stored = Object.entries({ ...before, "feature.json": text });
    repo.write(Object.fromEntries(stored.map(([name, content]) => [`${folder}/${name}`, content])));
    plan(id, { steps: rejectedThenApproved });
    expect(await settledIn(project, id)).toMatchObject({ stage: "ended", outcome: "passed", earlierRounds: 2 });

    const after = files(id);
    expect(after).toMatchObject(before);
    expect(after["feature.json"]).toContain(theirs);
    expect(after["feature.json"]).toContain('"titleGenerating": false');
    expect(JSON.parse(after["feature.json"] ?? "")).toMatchObject({
      status: "verified",
      codeReviewSpec: {
        reviewer: "robin",
        status: "approved",
        currentIteration: 4,
        maxIterations: 3,
        iterations: [{ mood: "grim" }, { mood: "grim" }, { iterationNumber: 3 }, { iterationNumber: 4 }],
      },
    });
    expect(Object.keys(after).filter((name) => name.includes("iteration"))).toEqual([
      ...["agent-output-iteration-1.md", "agent-output-iteration-3.md", "agent-output-iteration-4.md"],
      ...[1, 2, 3, 4].map((number) => `code-review-iteration-${number}.md`),
    ]);
    expect(firstLines(after["code-review-iteration-4.md"])).toEqual([
      "# Code Review - Feature: Login",
      "**Iteration 4 of 5**",
    ]);
    expect(readFileSync(join(root, folder, "agent-output.md"), "utf8")).toBe(given.fixValidator.answer);

    const messages = repo.git("log", "--reverse", "--format=%b", `main..feature/${id}`).trim().split("\n\n");
    expect(messages).toEqual([
      "Implemented by Automaker auto-mode - Code Review Iteration 3\nFixes from review iteration 2",
      "Implemented by Automaker auto-mode - Code Review Iteration 4\nFixes from review iteration 3",
      "Fixed: Empty passwords are accepted (src/auth/validator.js:3)\nStill open: Nothing tests a refused login; Not met: passwords have 8 or more characters; The check could be middleware (src/auth/login.js:3)",
    ]);
    const seeds = (await notifications()).flatMap(({ seed }) => seed);
    const numbers = seeds.flatMap(({ payload }) =>
      payload !== null && "iterationNumber" in payload ? [payload.iterationNumber] : [],
    );
    expect([...new Set(numbers)]).toEqual([3, 4]);

    const [implementer = ""] = promptsOf("implementer");
    expect(implementer).toMatch(
      /## Previous Code Review Findings[\s\S]*### Iteration 1 Findings\n\n.*\n# Review one\n/,
    );
    expect(implementer).toMatch(/### Iteration 2 Findings\n\n.*\n# Review two\n/);
    const [fixer = ""] = promptsOf("fixer");
    expect(fixer).toMatch(/### Iteration 1 Findings\n\n.*\n# Review one\n/);
    expect(fixer).toMatch(/### Iteration 2 Findings\n\n.*\n# Review two\n/);
    expect(fixer).toContain("## Current Code Review Findings from Iteration 3");
    const [first = ""] = promptsOf("reviewer");
    expect(first).toContain("- Iteration: 3 of 5");
    expect(first.split("+++ b/src/auth/login.js").length, "the one diff there is, once").toBe(2);
  });

  test("in a loop that was stopped: the next one has all its rounds, and numbers on", async () => {
    const project = await sampleProject({ files: given.FILES });
    const rejections = [given.reject, given.rejectAgain, given.rejectAgain];
    const fixes = [given.fixElsewhere("passwords"), given.fixElsewhere("e-mail")];
    const steps = [given.implementBadly, ...rejections, ...fixes];
    const id = await project.add(given.FEATURE, { steps });
    const summaryOf = () =>
      project.read(({ store }) => store && loopsOf(store, { kind: "feature", id }).at(-1)?.summary);
    expect(await settledIn(project, id)).toMatchObject({ reason: "rounds-exhausted" });
    expect(await summaryOf()).toMatchObject({ round: 3, maxRounds: 3 });
    expect(await project.say(id, "stop")).toMatchObject({ result: "taken" });
    const before = project.files(id);
    const text = before["feature.json"] ?? "";
    const iterations = text.slice(text.indexOf('"iterations"'), text.lastIndexOf("\n    ]"));

    expect(await settledIn(project, id)).toMatchObject({ reason: "rounds-exhausted", earlierRounds: 3 });
    expect(await summaryOf()).toMatchObject({ round: 6, maxRounds: 6 });
    const after = project.files(id);
    expect(after["feature.json"]).toContain(iterations);
    for (const [name, content] of Object.entries(before)) {
      if (/iteration-[123]/.test(name)) expect(after[name]).toBe(content);
    }
    expect(firstLines(after["code-review-iteration-6.md"])?.[1]).toBe("**Iteration 6 of 6**");
    expect(project.feature(id).codeReviewSpec).toMatchObject({ currentIteration: 6 });
  });
});

describe("a reviewer is asked for the model", () => {
  test.for([
    { of: "the feature", model: "sonnet", settings: { defaultModel: "haiku" }, policy: {}, is: "sonnet" },
    { of: "the settings", model: undefined, settings: { defaultModel: "haiku" }, policy: {}, is: "haiku" },
    { of: "the settings, not an empty one", model: "", settings: { defaultModel: "haiku" }, policy: {}, is: "haiku" },
    { of: "nobody", model: undefined, settings: {}, policy: {}, is: undefined },
    { of: "the policy", model: "sonnet", settings: {}, policy: { model: "o3" }, is: "o3" },
  ])("of $of", async ({ model, settings, policy, is }) => {
    const own = { ...POLICIES.gate, name: "own", reviewer: { ...POLICIES.gate.reviewer, ...policy } };
    const project = await sampleProject({ files: given.FILES, settings: { ...settings, policies: [own] } });
    const feature = { ...given.FEATURE, policy: "own", ...(model === undefined ? {} : { model }) };
    const id = await project.add(feature, { steps: [given.implementWell, given.approve] });
    await settledIn(project, id);
    expect(asked.map((one) => [one.role, one.model, one.again])).toEqual([
      ["implementer", model || ("defaultModel" in settings ? settings.defaultModel : undefined), undefined],
      ["reviewer", is, undefined],
      ["reviewer", is, "approval"],
    ]);
  });
});

test("a stopped feature begins anew with the set-up that its base has come to need", async () => {
  const project = await sampleProject({
    files: { ...given.FILES, "requirements.txt": "one\n", ".gitignore": "installed\n" },
    settings: { worktree: { setup: ["cp requirements.txt installed"] }, testCommand: "cmp requirements.txt installed" },
  });
  const { repo, root, add, plan, run, say, feature } = project;
  const id = await add(given.FEATURE, { steps: [given.implementWell] });
  await run([id]);
  await say(id, "stop");
  repo.write({ "requirements.txt": "one\ntwo\n" });
  repo.git("commit", "--quiet", "--message", "another dependency", "requirements.txt");
  plan(id, { steps: [given.implementWell, given.approve] });
  await run([id]);
  expect(feature(id).status).toBe("verified");
  expect(readFileSync(join(`${root}.anneal`, id, "installed"), "utf8")).toBe("one\ntwo\n");
});

test("a stopped feature whose worktree was half put to its base begins anew all the same", async () => {
  const { repo, add, plan, run, say, feature } = await sampleProject({ files: given.FILES });
  const id = await add(given.FEATURE, { steps: [given.implementWell] });
  await run([id]);
  await say(id, "stop");
  repo.write({ ".gitattributes": "*.late filter=late\n", "a.txt": "a\n", "z.late": "z\n" });
  repo.git("add", ".gitattributes", "a.txt", "z.late");
  repo.git("commit", "--quiet", "--message", "the last file comes through a filter");
  repo.git("config", "filter.late.clean", "cat");
  repo.git("config", "filter.late.required", "true");
  repo.git("config", "filter.late.smudge", "false");
  plan(id, { steps: [given.implementWell, given.approve] });
  expect((await run([id])).broken.size).toBe(1);
  repo.git("config", "filter.late.smudge", "cat");
  await run([id]);
  expect(feature(id).status).toBe("verified");
});

test("under gate a reviewer gets all earlier findings and what became of them, and rules on the open ones", async () => {
  const project = await sampleProject({ files: given.FILES });
  const nothingTested = `- **[TEST]** - error: Nothing tests a refused login
  - Description: A login that lets everybody in would stay green.
  - File: src/auth/login.js`;
  const id = await project.add(given.FEATURE, {
    steps: [
      ...[given.implementBadly, given.reject, given.fixValidator],
      ...[given.review("REJECTED", nothingTested, "Better."), given.fixElsewhere("tests"), given.approve],
    ],
  });
  await settledIn(project, id);
  const [first = "", second = "", third = ""] = promptsOf("reviewer");
  expect(first).not.toContain("## Earlier Findings");
  expect(second).toMatch(/Empty passwords are accepted\n(?: {3}- .*\n)+? {3}- Standing: open\n/);
  const [, head = ""] = project.repo.git("rev-list", "--reverse", `main..feature/${id}`).split("\n");
  expect(third).toMatch(
    new RegExp(
      `Empty passwords are accepted\\n(?: {3}- .*\\n)+? {3}- History: its code is gone since ${head}\\n {3}- Standing: open, as no review has said yet that it is fixed`,
    ),
  );
  expect(third).toMatch(/Nothing tests a refused login\n(?: {3}- .*\n)+? {3}- Standing: open/);
  expect(third).toContain("one line for each earlier finding in the request whose standing is open");
});

test("a review prompt that is changed while a loop runs is in its next review", async () => {
  const project = await sampleProject({ files: given.FILES });
  const id = await project.add(given.FEATURE, { steps: rejectedThenApproved });
  const settings = JSON.parse(readFileSync(join(project.root, ".automaker/settings.json"), "utf8"));
  const codeReview = { reviewSystemPrompt: { enabled: true, value: "Look at the rhymes first." } };
  const changed = JSON.stringify({ ...settings, promptCustomization: { codeReview } });
  asked.length = 0;
  await project.run([id], {
    onEvent: ({ event }) => {
      if (event.type === "reviewed") project.repo.write({ ".automaker/settings.json": changed });
    },
  });
  expect(promptsOf("reviewer").map((prompt) => prompt.includes("Look at the rhymes first."))).toEqual([false, true]);
});
