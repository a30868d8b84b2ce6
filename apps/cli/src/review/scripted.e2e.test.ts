import { existsSync } from "node:fs";
import { join } from "node:path";
import { ReviewOutput } from "@anneal/types";
import { afterAll, describe, expect, test } from "vitest";
import { signed } from "../../../../libs/core/src/read/testing/sign-off.ts";
import { anneal, type Run } from "../testing/anneal.ts";
import { passingAnswers, policyAnswers } from "../testing/answers.ts";
import { branchWith, cleanBranch, flawedBranch } from "../testing/branches.ts";
import { scriptFile } from "../testing/temp.ts";

const repo = cleanBranch();
afterAll(() => repo.remove());

const CLEAN = { passed: true, summary: "Read it all.", issues: [], sign_off: signed };

interface Played {
  run: Run;
  output: ReviewOutput;
}

/** Reviews the clean branch with an agent that plays one step. */
async function play(policy: string, step: object, dir = repo.dir): Promise<Played> {
  using script = scriptFile([step]);
  const run = await anneal(dir, [
    "review",
    "--policy",
    policy,
    "--reviewer",
    `scripted:${script.path}`,
    "--format",
    "json",
  ]);
  expect(run).toMatchObject({ stderr: "", left: [] });
  return { run, output: ReviewOutput.parse(JSON.parse(run.stdout)) };
}

describe("an answer that keeps its contract decides", () => {
  test.concurrent.for(policyAnswers)("$policy: $name is a $verdict", async ({ policy, verdict, text }) => {
    const { run, output } = await play(policy, { answer: text });
    expect(output).toMatchObject({ policy, verdict, reviewer: { agent: "scripted" } });
    expect(run.code).toBe(verdict === "pass" ? 0 : 1);
  });

  test.concurrent("usage and model of the agent are in the result, and no name that the script gives itself", async () => {
    using script = scriptFile(
      JSON.stringify({
        name: "claude",
        model: "m-1",
        steps: [{ answer: CLEAN, usage: { inputTokens: 7, outputTokens: 5, costUsd: 0.25 } }],
      }),
    );
    const run = await anneal(
      repo.dir,
      ["review", "--policy", "advisory", "--reviewer", "scripted", "--format", "json"],
      { ANNEAL_SCRIPT: script.path },
    );
    expect(ReviewOutput.parse(JSON.parse(run.stdout))).toMatchObject({
      verdict: "pass",
      reviewer: { agent: "scripted", model: "m-1" },
      usage: { inputTokens: 7, outputTokens: 5, costUsd: 0.25 },
    });
  });
});

describe("an answer that says nothing reliable is inconclusive and exits 3", () => {
  const garbage = [
    { how: "garbage", step: () => ({ answer: "}{ \u00ff lorem <html> 0x7f ]]" }) },
    { how: "prose that says LGTM", step: () => ({ answer: "LGTM! Approved, ship it. Everything passes, 100/100." }) },
    { how: "an empty answer", step: () => ({ answer: "" }) },
    { how: "a statement without a sign-off", step: () => ({ answer: "Read it all.\n\nNo issues found.\n" }) },
    { how: "an answer cut in the middle", step: (text: string) => ({ answer: text.slice(0, text.length / 2) }) },
    {
      how: "a passing answer without a terminal event",
      step: (text: string) => ({ answer: text, end: "no-terminal-event" }),
    },
    { how: "a passing answer before a crash", step: (text: string) => ({ answer: text, end: "crash" }) },
    { how: "a passing answer given twice", step: (text: string) => ({ answer: `${text}\n\n${text}` }) },
  ];
  test.concurrent.for(passingAnswers.flatMap((passing) => garbage.map((one) => ({ ...passing, ...one }))))(
    "$policy: $how",
    async ({ policy, text, step }) => {
      const { run, output } = await play(policy, step(text));
      expect(output).toMatchObject({ verdict: "inconclusive", findings: [] });
      expect(output.summary).not.toBe("");
      expect(run.code).toBe(3);
    },
  );

  test.concurrent.for(passingAnswers.filter(({ text }) => text.includes("END OF REVIEW")))(
    "$policy: a text answer that is cut off in its sign-off, before its closing line END OF REVIEW",
    async ({ policy, text }) => {
      const cut = text.replace(/\n- Decision: approved\s*END OF REVIEW\s*$/, "");
      expect(cut).not.toBe(text);
      const { run, output } = await play(policy, { answer: cut });
      expect(output).toMatchObject({ verdict: "inconclusive" });
      expect(output.summary).toContain("END OF REVIEW");
      expect(run.code).toBe(3);
    },
  );

  test.concurrent("a script without a step for the reviewer", async () => {
    const { run, output } = await play("adversarial", { role: "fixer", answer: "done" });
    expect(output.summary).toContain("no step left");
    expect(run.code).toBe(3);
  });

  test.concurrent("says so in the other formats too", async () => {
    using script = scriptFile([{ answer: "LGTM" }]);
    const reviewer = ["--reviewer", `scripted:${script.path}`];
    const pretty = await anneal(repo.dir, ["review", ...reviewer]);
    expect(pretty.code).toBe(3);
    expect(pretty.stdout).toContain("? inconclusive");
    const markdown = await anneal(repo.dir, ["review", ...reviewer, "--format", "markdown"]);
    expect(markdown.code).toBe(3);
    expect(markdown.stdout).toContain("# ❔ Inconclusive");
  });
});

describe("a reviewer that touches the tree is tampering, whatever it answers", () => {
  test.concurrent.for(
    passingAnswers.flatMap((passing) => [
      { ...passing, what: "a tracked file", edit: { path: "src/cart.ts", append: "// touched\n" } },
    ]),
  )("$policy: $what", async ({ policy, text, edit }) => {
    using own = cleanBranch();
    const { run, output } = await play(policy, { answer: text, edits: [edit] }, own.dir);
    expect(output).toMatchObject({ verdict: "inconclusive", findings: [] });
    expect(output.summary).toContain("tampered");
    expect(output.summary).toContain(edit.path);
    expect(run.code).toBe(3);
  });

  test.concurrent.for([
    { what: "a new file", edit: { path: "notes.txt", content: "mine" } },
    { what: "a deleted file", edit: { path: "src/cart.ts", delete: true } },
    { what: "an ignored file", edit: { path: "cache/entry", content: "mine" } },
  ])("adversarial: $what", async ({ edit }) => {
    using own = cleanBranch();
    own.git("switch", "--quiet", "--create", "with-ignore");
    own.commit({ ".gitignore": "cache/\n" });
    const { text } = passingAnswers.find(({ policy }) => policy === "adversarial") ?? { text: "" };
    const { run, output } = await play("adversarial", { answer: text, edits: [edit] }, own.dir);
    expect(output.summary).toContain("tampered");
    expect(output.summary).toContain(edit.path);
    expect(run.code).toBe(3);
  });

  test.concurrent("an edit outside the work tree is refused and the review is inconclusive", async () => {
    using own = cleanBranch();
    const { run, output } = await play(
      "advisory",
      { answer: "x", edits: [{ path: "../escaped", content: "x" }] },
      own.dir,
    );
    expect(output.verdict).toBe("inconclusive");
    expect(run.code).toBe(3);
    expect(existsSync(join(own.dir, "..", "escaped"))).toBe(false);
  });
});

test.concurrent("what an agent calls clean is clean, even where the builtin reviewer would not agree: only secrets in commits are searched for beside it", async () => {
  using flawed = flawedBranch();
  const { output } = await play("advisory", { answer: CLEAN }, flawed.dir);
  expect(output.findings.map(({ rule }) => rule)).toEqual(["secret"]);
});

describe("a change does not bring its own judge", () => {
  const settings = { ".automaker/settings.json": JSON.stringify({ version: 1, defaultModel: "claude-opus-4-5" }) };

  test.concurrent("its settings do not count, and that is told", async () => {
    using changed = branchWith(settings);
    const run = await anneal(changed.dir, ["review", "--reviewer", "auto"]);
    expect(run).toMatchObject({ code: 2, stdout: "", left: [] });
    expect(run.stderr).toMatch(
      /^anneal review: the change changes \.automaker\/settings\.json, so it is judged by the earlier settings, of commit [0-9a-f]{12}\n.*no model is named/,
    );
  });

  test.concurrent("settings that git does not know do", async () => {
    using own = branchWith({ ".gitignore": ".automaker/\n" });
    own.write({
      ".automaker/settings.json": JSON.stringify({ version: 1, modelAgents: { "m-*": "oracle" }, defaultModel: "m-1" }),
    });
    const run = await anneal(own.dir, ["review", "--reviewer", "auto"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/^[^\n]*unknown agent "oracle"/);
  });
});
