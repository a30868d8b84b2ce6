import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approve, atWork, hangs, project, reject, writes } from "../testing/project.ts";

const message = (id: string, iteration: number) =>
  `feat: Add ${id}\n\nImplemented by Automaker auto-mode - Code Review Iteration ${iteration}${
    iteration === 1 ? "" : `\nFixes from review iteration ${iteration - 1}`
  }`;

const weak = writes("implementer", "export const ok = (p) => true;\n");
const strong = writes("fixer", "export const ok = (p) => p.length >= 8;\n");

describe("anneal run", () => {
  test.concurrent("a feature that passes at once is verified, with one commit and one review file", async () => {
    using here = project({ f1: { steps: [weak, approve] } });
    const run = await here.anneal("run", "f1");
    expect(run).toMatchObject({ code: 0, left: [] });
    expect(run.stdout).toMatch(/f1 +Add f1 +verified +passed +1\/3/);
    expect(run.stderr).toContain("f1  ✔ round 1 passed → verified");
    expect(here.feature("f1")).toMatchObject({ status: "verified", codeReviewSpec: { status: "approved" } });
    expect(here.commits("f1")).toEqual([message("f1", 1)]);
    expect(here.filesOf("f1")).toEqual([
      "agent-output-iteration-1.md",
      "agent-output.md",
      "code-review-iteration-1.md",
      "feature.json",
    ]);
    expect(here.git("status", "--porcelain")).toBe("");
  });

  test.concurrent("a feature whose file is damaged meanwhile is no success, and the file is named and left alone", async () => {
    using here = project({ f1: { steps: [weak, approve] } });
    const file = join(here.dir, ".automaker/features/f1/feature.json");
    // The first set-up of a workspace may write where its user may.
    const settings = join(here.dir, ".automaker/settings.json");
    const broken = join(here.dir, ".git/broken.json");
    writeFileSync(broken, "[]\n");
    const worktree = { setup: [`cp ${broken} ${file}`] };
    writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), worktree }));
    const run = await here.anneal("run", "f1");
    expect(run).toMatchObject({ code: 1, left: [] });
    expect(run.stderr).toContain("f1  ✔ round 1 passed → verified");
    expect(run.stdout).toContain(`✘ the files of f1 do not show its latest state yet: ${file}`);
    expect(readFileSync(file, "utf8")).toBe("[]\n");
  });

  test.concurrent.for([["--all"], ["f2"]])(
    "what waits for a feature that cannot be read is told, with the place: run %s",
    async (which) => {
      using here = project({ f1: { steps: [] }, f2: { steps: [], dependencies: ["f1"] } });
      const file = join(here.dir, ".automaker/features/f1/feature.json");
      writeFileSync(file, '{\n  "id": "f1",\n');
      const run = await here.anneal("run", ...which);
      expect(run.code).toBe(1);
      expect(run.stdout).toContain(`– f2 did not start: it depends on f1, which cannot be read: ${file}:`);
    },
  );

  test.concurrent.for([
    { what: "a run", args: ["run", "f1"], code: 2 },
    { what: "a run as data", args: ["run", "f1", "--json"], code: 2 },
    { what: "a run of two that cannot run", args: ["run", "--all"], code: 2 },
    { what: "a run that starts nothing", args: ["run"], code: 2 },
  ])("a budget of nothing is told once: $what", async ({ args, code }) => {
    using here = project({ f1: { steps: [] }, f2: { steps: [] } }, { settings: { budgets: { costUsd: 0 } } });
    const run = await here.anneal(...args);
    expect(run.code).toBe(code);
    expect(`${run.stdout}${run.stderr}`.match(/budgets\.costUsd: Too small/g)).toHaveLength(1);
  });

  test.concurrent("a rejected feature is fixed, and approved in the second round", async () => {
    using here = project({ f1: { steps: [weak, reject, strong, approve] } });
    const run = await here.anneal("run", "--all");
    expect(run.code).toBe(0);
    expect(run.stderr).toContain("f1  ✘ round 1 rejected, 1 blocker: Empty passwords are accepted");
    expect(here.commits("f1")).toEqual([message("f1", 1), message("f1", 2)]);
    expect(here.feature("f1").status).toBe("verified");
  });

  test.concurrent("three rejections need a person; a resume with a note opens a new cycle", async () => {
    const fix = (n: number) => writes("fixer", `export const ok = (p) => p.length > ${n};\n`);
    using here = project({ f1: { steps: [weak, reject, fix(1), reject, fix(2), reject, fix(8), approve] } });
    const first = await here.anneal("run", "f1");
    expect(first.code).toBe(1);
    expect(first.stdout).toContain("all rounds are used up and the change has not passed");
    expect(first.stdout).toContain("→ anneal resume | stop f1");
    expect(here.feature("f1").status).toBe("in_progress");

    for (const args of [["run"], ["run", "--all"], ["run", "--json"]]) {
      const idle = await here.anneal(...args);
      expect(idle.code).toBe(1);
      expect(idle.stderr).toContain(
        "anneal run: 1 item needs your decision: f1 (rounds-exhausted); see anneal status\n",
      );
    }

    const resumed = await here.anneal("resume", "f1", "--note", "Eight characters at least.");
    expect(resumed).toMatchObject({ code: 0, stderr: "", stdout: "resume: fixing; continue it with anneal run f1\n" });

    expect((await here.anneal("run")).code).toBe(0);
    expect(here.commits("f1")).toEqual([1, 2, 3, 4].map((n) => message("f1", n)));
    expect(here.feature("f1")).toMatchObject({ status: "verified", codeReviewSpec: { currentIteration: 4 } });
    const { stdout } = await here.anneal("show", "f1");
    expect(stdout).toMatch(/Decisions\n.*ada: resume\n +Eight characters at least\./);
  });

  test.concurrent("an agent that changes nothing leaves nothing to review: it waits for a person", async () => {
    using here = project({ f1: { steps: [{ role: "implementer", answer: "All is well as it is." }] } });
    const run = await here.anneal("run", "f1");
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("the agent changed nothing → anneal retry | stop f1");
    expect(here.git("log", "--format=%s", "feature/f1")).toBe("first");
    expect(here.filesOf("f1")).not.toContain("code-review-iteration-1.md");
  });

  test.concurrent("a review that breaks is retried and then needs a person; retry goes on", async () => {
    const policy = { name: "quick", title: "Quick", workItem: "feature" };
    const broken = { role: "reviewer", error: "no connection" };
    using here = project(
      { f1: { steps: [weak, broken, broken, approve], policy: "quick" } },
      { settings: { policies: [await impatient(policy)] } },
    );
    const run = await here.anneal("run", "f1");
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("the review failed (no connection) → anneal retry | stop f1");
    expect(here.feature("f1")).toMatchObject({ status: "in_progress", codeReviewSpec: { status: "failed" } });
    expect((await here.anneal("retry", "f1")).stdout).toBe("retry: reviewing; continue it with anneal run f1\n");
    expect((await here.anneal("run")).code).toBe(0);
    expect(here.feature("f1")).toMatchObject({ status: "verified", codeReviewSpec: { status: "approved" } });
    expect(here.commits("f1")).toHaveLength(1);
  });

  test.concurrent("the custom pipeline runs after approval, step by step, and what it changed is reviewed", async () => {
    const step = (id: string) => writes("implementer", `${id}\n`, `${id}.md`);
    using here = project({ f1: { steps: [weak, approve, step("docs"), step("notes"), approve] } });
    const steps = ["docs", "notes"].map((id, order) => ({ id, name: id, order, instructions: `Write ${id}.` }));
    here.write({ ".automaker/pipeline.json": JSON.stringify({ version: 1, steps }) });
    const run = await here.anneal("run", "f1", "--json");
    expect(run.code).toBe(0);
    expect(here.git("ls-tree", "--name-only", "feature/f1").split("\n")).toEqual(
      expect.arrayContaining(["docs.md", "notes.md"]),
    );
    expect(here.feature("f1").status).toBe("verified");
    const events = run.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const approvals = events.filter(({ type }) => type === "feature:code-review-approved");
    expect(approvals.map(({ payload }) => payload.nextStatus)).toEqual(["pipeline_docs", "verified"]);
  });

  test.concurrent("a feature that skips tests waits for approval, which is no failure; approve ends it", async () => {
    using here = project({ f1: { steps: [weak, approve], skipTests: true } });
    expect((await here.anneal("run", "f1")).code).toBe(0);
    expect(here.feature("f1").status).toBe("waiting_approval");
    expect(await here.anneal("approve", "f1")).toMatchObject({
      code: 0,
      stdout: "approve: passed: approved by a person\n",
    });
    expect(here.feature("f1").status).toBe("verified");
  });

  test.concurrent.for([
    { word: "pause", all: "f1" },
    { word: "stop", all: "f1" },
    { word: "stop", all: "--all" },
  ])("$word while it runs ($all) leaves something undone: exit code 1", async ({ word, all }) => {
    using here = project({ f1: { steps: [hangs("implementer")] } });
    const working = atWork(here, "f1");
    const running = here.start("run", all);
    await working;
    expect(await here.anneal(word, "f1")).toMatchObject({ code: 0 });
    expect(await running.ended).toMatchObject({ code: 1 });
  });

  test.concurrent("a feature whose file goes away while it runs is parked: exit code 1", async () => {
    using here = project({ f1: { steps: [hangs("implementer")] } });
    const working = atWork(here, "f1");
    const running = here.start("run", "f1");
    await working;
    rmSync(join(here.dir, ".automaker/features/f1/feature.json"));
    expect(await running.ended).toMatchObject({ code: 1 });
  });

  test.concurrent("features wait for what they depend on, and say so when that fails", async () => {
    const file = (id: string) => writes("implementer", `${id}\n`, `${id}.txt`);
    using here = project({
      a: { steps: [file("a"), approve], dependencies: ["b"] },
      b: { steps: [file("b"), approve] },
      c: { steps: [{ role: "implementer", answer: "Nothing." }] },
      d: { steps: [file("d"), approve], dependencies: ["c"] },
      e: { steps: [file("e"), approve], dependencies: ["e2"] },
      e2: { steps: [file("e2"), approve], dependencies: ["e"] },
    });
    const run = await here.anneal("run", "--all", "--json");
    expect(run.code).toBe(1);
    const order = run.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ type, payload }) => type === "loop:loop-started" || payload.stage === "ended")
      .map(({ payload }) => payload.item);
    expect(order.indexOf("b")).toBeLessThan(order.indexOf("a"));
    expect(["a", "b", "c", "d", "e"].map((id) => here.feature(id).status)).toEqual([
      "verified",
      "verified",
      "in_progress",
      "backlog",
      "backlog",
    ]);
    const again = await here.anneal("run", "d", "e");
    expect(again).toMatchObject({ code: 1 });
    expect(again.stdout).toContain("– d did not start: it depends on c, which is not done and not running");
    expect(again.stdout).toContain("– e did not start: it depends on e2");
  });

  test.concurrent("auto mode pauses after three failures in a row", async () => {
    const nothing = { steps: [{ role: "implementer", answer: "Nothing." }] };
    using here = project({ a: nothing, b: nothing, c: nothing, d: nothing, e: nothing });
    const run = await here.anneal("run", "--auto", "--concurrency", "1");
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("Paused after three failures in a row");
    expect(["c", "d", "e"].map((id) => here.feature(id).status)).toEqual(["in_progress", "backlog", "backlog"]);
  });
});

/** The gate with one retry and no pause before it. */
async function impatient(over: object): Promise<object> {
  const { POLICIES } = await import("@anneal/core");
  const { gate } = POLICIES;
  return { ...gate, ...over, limits: { ...gate.limits, retries: 1, retryBackoffMs: 0 } };
}
