import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { describe, expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import type { LoopNotification } from "../history/notification.ts";
import { decisionText } from "../review/testing/decision-text.ts";
import { Runtime } from "./runtime.ts";

const APPROVED = decisionText("APPROVED", "None", "Does what was asked.");
const REJECTED = `**[REJECTED]**

### Issues Found
- **[COMPLIANCE]** - error: Empty passwords are accepted
  - Description: the validator returns true for an empty string
  - File: auth.js
  - Line: 1
  - Suggestion: demand eight characters

### Summary
Empty passwords get in.

Demand at least eight characters.

END OF REVIEW
`;

function project(steps: object[], feature: object = {}): TestRepo {
  const repo = makeRepo({ "README.md": "hello\n", ".gitignore": ".automaker/\n.worktrees/\n" });
  const folder = join(repo.dir, ".automaker/features/f1");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(repo.dir, "script.json"), JSON.stringify({ name: "scripted", model: "m-1", steps }));
  repo.git("add", "script.json");
  repo.git("commit", "-qm", "script");
  const base = {
    id: "f1",
    title: "Add login",
    description: "Users log in.",
    status: "backlog",
    custom: { kept: true },
  };
  writeFileSync(join(folder, "feature.json"), `${JSON.stringify({ ...base, ...feature }, null, 2)}\n`);
  return repo;
}

async function run(repo: TestRepo) {
  const notifications: LoopNotification[] = [];
  const script = `scripted:${join(repo.dir, "script.json")}`;
  const cast = { implementer: script, reviewer: script, fixer: script };
  const runtime = await Runtime.open({
    root: repo.dir,
    clock: systemClock,
    cast,
    onEvent: (one) => notifications.push(one),
  });
  if (runtime === null) throw new Error("somebody else owns the project");
  const state = await runtime.run("f1");
  await runtime.close();
  const folder = join(repo.dir, ".automaker/features/f1");
  return {
    state,
    notifications,
    files: readdirSync(folder).sort(),
    feature: JSON.parse(readFileSync(join(folder, "feature.json"), "utf8")),
    commits: repo
      .git("log", "--format=%B%x00", "feature/f1", "--not", "main")
      .split("\0")
      .map((one) => one.trim())
      .filter(Boolean),
    seed: notifications.flatMap(({ seed }) => seed.map(({ type }) => type.replace("feature:code-review-", ""))),
  };
}

const write = (content: string) => [{ path: "auth.js", content }];

describe("a feature under gate", () => {
  test("passes at once: files, status, commit and events as seed 000 names them", async () => {
    using repo = project([
      { role: "implementer", answer: "Implemented the login.", edits: write("export const ok = true;\n") },
      { role: "reviewer", answer: APPROVED },
    ]);
    const { feature, files, commits, seed } = await run(repo);
    expect(feature).toMatchObject({
      status: "verified",
      custom: { kept: true },
      codeReviewSpec: { status: "approved", currentIteration: 1 },
    });
    expect(files).toEqual([
      "agent-output-iteration-1.md",
      "agent-output.md",
      "code-review-iteration-1.md",
      "feature.json",
    ]);
    expect(commits).toEqual(["feat: Add login\n\nImplemented by Automaker auto-mode - Code Review Iteration 1"]);
    expect(seed).toEqual(["started", "progress", "completed", "approved"]);
  });

  test("is rejected, fixed and approved", async () => {
    using repo = project([
      { role: "implementer", answer: "First try.", edits: write("export const ok = (p) => true;\n") },
      { role: "reviewer", answer: REJECTED },
      { role: "fixer", answer: "Checks the length now.", edits: write("export const ok = (p) => p.length >= 8;\n") },
      { role: "reviewer", answer: APPROVED },
    ]);
    const { feature, files, commits, seed } = await run(repo);
    expect(feature.status).toBe("verified");
    expect(feature.codeReviewSpec.iterations.map((one: { status: string }) => one.status)).toEqual([
      "rejected",
      "approved",
    ]);
    expect(files.filter((name) => name.includes("iteration"))).toHaveLength(4);
    expect(commits[0]).toBe(
      "feat: Add login\n\nImplemented by Automaker auto-mode - Code Review Iteration 2\nFixes from review iteration 1",
    );
    expect(seed.filter((name) => name !== "progress")).toEqual([
      "started",
      "completed",
      "rejected",
      "started",
      "completed",
      "approved",
    ]);
  });
});

describe("the project's own tests", () => {
  const RED = 'import { test } from "node:test";\ntest("red before", () => { throw new Error("old"); });\n';
  const BROKEN = 'import { test } from "node:test";\ntest("fresh", () => { throw new Error("new"); });\n';
  const FINE = 'import { test } from "node:test";\ntest("fresh", () => {});\n';
  function tested(steps: object[]): TestRepo {
    const repo = project(steps);
    repo.commit({ "package.json": '{ "type": "module" }\n', "old.test.js": RED }, "a red test");
    const settings = { version: 1, testCommand: [process.execPath, "--test"] };
    writeFileSync(join(repo.dir, ".automaker/settings.json"), JSON.stringify(settings));
    return repo;
  }

  test("that were red before are not blamed on the change", async () => {
    using repo = tested([
      { role: "implementer", answer: "Done.", edits: write("export const ok = true;\n") },
      { role: "reviewer", answer: APPROVED },
    ]);
    expect((await run(repo)).feature.status).toBe("verified");
  });

  test("that the change broke go to the fixer by name, and spend no round", async () => {
    using repo = tested([
      { role: "implementer", answer: "Done.", edits: [{ path: "new.test.js", content: BROKEN }] },
      { role: "fixer", answer: "Mended.", edits: [{ path: "new.test.js", content: FINE }] },
      { role: "reviewer", answer: APPROVED },
    ]);
    const { notifications, feature } = await run(repo);
    const [failed] = notifications.flatMap(({ event }) =>
      event.type === "validated" && event.result === "failed" ? [event] : [],
    );
    expect(failed?.findings.map(({ title }) => title)).toEqual([
      'The test "new.test.js > fresh" fails and did not before',
    ]);
    expect(feature).toMatchObject({ status: "verified", codeReviewSpec: { currentIteration: 1 } });
  });
});
