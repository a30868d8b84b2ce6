import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anneal } from "../testing/anneal.ts";
import { policyAnswers } from "../testing/answers.ts";
import { branchWith, cleanBranch, makeRepo, type TestRepo } from "../testing/branches.ts";
import { scriptFile } from "../testing/temp.ts";

const FAILS: Record<string, string> = {
  gate: `**[REJECTED]**

### Issues Found
- **[CODE]** - error: The rate is wrong
  - Description: it is a fifth
  - File: src/tax.ts
  - Line: 1

### Summary
Wrong.

END OF REVIEW
`,
  "pull-request": JSON.stringify({
    verdict: "needs_work",
    summary: "Wrong.",
    issues: [
      { severity: "high", category: "logic", file: "src/tax.ts", lineStart: 1, description: "The rate is wrong." },
    ],
  }),
  adversarial: `# Story topic Code Review Findings - Round 1

**Reviewer:** Agent (Fresh Context)
**Date:** 2026-01-09 14:22
**Branch:** topic

## Critical Issues (Must Fix)

1. **[Logic]:** The rate is wrong
   - **File:** src/tax.ts:1
   - **Problem:** It is a fifth.

## Important Issues (Should Fix)

None identified.

## Minor Issues (Nice to Have)

None identified.

## Summary

- **Total findings:** 1
- **Critical:** 1
- **Important:** 0
- **Minor:** 0
- **Recommendation:** Fix it.

END OF REVIEW
`,
};

/** A passing answer in the policy's form, or one that complains about the first line of src/tax.ts. */
const answer = (policy: string, verdict: "pass" | "fail") => {
  const found = policyAnswers.find((one) => one.policy === policy && one.verdict === verdict);
  const text = verdict === "fail" ? (FAILS[policy] ?? found?.text) : found?.text;
  const rulings = [{ finding: 1, ruling: "fixed", evidence: "src/tax.ts:1" }];
  return { role: "reviewer", answer: text ?? "", ...(verdict === "pass" ? { again: { rulings: { rulings } } } : {}) };
};
const fix = {
  role: "fixer",
  answer: "Fixed.",
  edits: [{ path: "src/tax.ts", content: "export const taxRate = 0.2;\n" }],
};

function log(repo: TestRepo): string[] {
  return repo.git("log", "--format=%s", "main..topic").split("\n");
}

async function loop(repo: TestRepo, steps: object[], ...args: string[]) {
  using script = scriptFile(steps);
  const run = await anneal(repo.dir, ["loop", "--agent", `scripted:${script.path}`, "--json", ...args]);
  const events = run.stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { run, last: events.at(-1)?.payload, types: events.map(({ type }) => type) };
}

describe("anneal loop on a plain branch", () => {
  test.concurrent.for([
    { policy: "gate", code: 0, ends: "ended" },
    { policy: "pull-request", code: 0, ends: "ended" },
    { policy: "scored", code: 0, ends: "ended" },
    { policy: "adversarial", code: 0, ends: "ended" },
    // The fix of the only round is never reviewed, so there is no verdict about what is merged.
    { policy: "advisory", code: 3, ends: "ended" },
  ])(
    "under $policy: rejected, fixed, and judged again; the branch moves and the files follow",
    async ({ policy, code, ends }) => {
      using repo = cleanBranch();
      writeFileSync(join(repo.dir, "keep.me"), "mine\n");
      const { run, last } = await loop(repo, [answer(policy, "fail"), fix, answer(policy, "pass")], "--policy", policy);
      expect(run.stderr).toBe("");
      expect([run.code, last.stage]).toEqual([code, ends]);
      expect(log(repo)).toEqual([expect.stringMatching(/^fix: address code review round 1 - /), "the change"]);
      expect(readFileSync(join(repo.dir, "src/tax.ts"), "utf8")).toBe("export const taxRate = 0.2;\n");
      expect(repo.git("status", "--porcelain").split("\n")).toEqual(["?? keep.me"]);
      expect(repo.git("branch", "--show-current")).toBe("topic");
    },
  );

  test.concurrent("is found by the name of its branch, however short", async () => {
    using repo = cleanBranch();
    repo.git("branch", "-m", "t3");
    await anneal(repo.dir, ["loop"]);
    expect(await anneal(repo.dir, ["show", "t3"])).toMatchObject({ code: 0, stdout: expect.stringContaining("t3") });
  });

  test.concurrent("under gate with a reviewer that does not judge requirements has no verdict, as a review has none", async () => {
    using repo = cleanBranch();
    const args = ["--policy", "gate", "--reviewer", "builtin"];
    expect((await anneal(repo.dir, ["review", ...args])).code).toBe(3);
    const run = await anneal(repo.dir, ["loop", ...args]);
    expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining("nobody judged the requirements") });
  });

  test.concurrent("with the embedded reviewer and fixer needs no set-up: what it finds it fixes", async () => {
    using repo = branchWith({
      "src/tax.ts": "export const taxRate = 0.19;\n",
      "test/cart.test.ts":
        'import { total } from "../src/cart.ts";\n\ntest.only("empty", () => {\n  expect(total([])).toBe(0);\n});\n',
    });
    const run = await anneal(repo.dir, ["loop"]);
    expect(run).toMatchObject({ code: 0 });
    expect(log(repo)[0]).toBe("fix: address code review round 1 - focused-test");
    expect(readFileSync(join(repo.dir, "test/cart.test.ts"), "utf8")).toContain('test("empty"');
    const shown = JSON.parse((await anneal(repo.dir, ["show", "topic", "--json"])).stdout);
    expect(shown).toMatchObject({
      id: "branch:topic",
      kind: "branch",
      loop: { policy: "adversarial", outcome: "passed" },
    });
  });

  test.concurrent("says what becomes of a plain branch, and speaks of no pull request", async () => {
    using repo = cleanBranch();
    using script = scriptFile([answer("adversarial", "fail"), fix, answer("adversarial", "pass")]);
    const { stderr, code } = await anneal(repo.dir, ["loop", "--agent", `scripted:${script.path}`]);
    expect(code).toBe(0);
    expect(stderr).toContain("passed: the result is on the branch topic; nothing is pushed or merged");
    expect(stderr).not.toMatch(/PR|pull request|deliver/);
  });

  test.concurrent("that runs out waits for a person, takes one more round on their word, and goes on", async () => {
    using repo = cleanBranch();
    const bad = answer("adversarial", "fail");
    const other = (n: number) => ({
      ...fix,
      edits: [{ path: "src/tax.ts", content: `export const taxRate = 0.${n};\n` }],
    });
    const steps = [bad, other(3), bad, other(4), bad, other(5), answer("adversarial", "pass")];
    using script = scriptFile(steps);
    const cast = ["--agent", `scripted:${script.path}`];
    const first = await anneal(repo.dir, ["loop", ...cast]);
    expect(first.code).toBe(1);
    expect(first.stdout).toContain("one-more");
    expect((await anneal(repo.dir, ["one-more", "topic"])).code).toBe(0);
    expect(await anneal(repo.dir, ["loop", ...cast])).toMatchObject({ code: 0 });
    expect(log(repo)).toHaveLength(4);
  });

  test.concurrent("whose branch moved under it is not overrun: the person decides", async () => {
    using repo = cleanBranch();
    const stalls = [answer("adversarial", "fail"), { role: "fixer", answer: "Nothing." }];
    expect((await loop(repo, stalls)).run.code).toBe(1);
    repo.commit({ "more.txt": "more\n" }, "mine");
    const { run } = await loop(repo, [answer("adversarial", "pass")]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("the branch topic has moved since the loop last used it: restore it");
    expect((await anneal(repo.dir, ["stop", "branch:topic"])).code).toBe(0);
    expect((await loop(repo, [answer("adversarial", "pass")])).run.code).toBe(0);
  });

  test.concurrent("leaves a file with changes of the person alone, and says so", async () => {
    using repo = cleanBranch();
    writeFileSync(join(repo.dir, "src/tax.ts"), "mine\n");
    const policy = join(repo.dir, ".git", "impatient.json");
    const { POLICIES } = await import("@anneal/core");
    const limits = { ...POLICIES.adversarial.limits, retries: 0 };
    writeFileSync(policy, JSON.stringify({ ...POLICIES.adversarial, name: "impatient", limits }));
    const { run, last } = await loop(repo, [answer("adversarial", "fail"), fix], "--policy", policy);
    expect([run.code, last.stage]).toEqual([1, "waiting-for-human"]);
    expect(last.event.reason).toContain("src/tax.ts");
    expect(readFileSync(join(repo.dir, "src/tax.ts"), "utf8")).toBe("mine\n");
    expect(log(repo)).toEqual(["the change"]);
  });
});

describe("anneal loop refuses, and starts nothing", () => {
  test.concurrent.for([
    {
      what: "no branch",
      prepare: (repo: TestRepo) => repo.git("switch", "-q", "--detach"),
      args: [],
      says: "no branch is checked out here",
    },
    {
      what: "the default branch",
      prepare: (repo: TestRepo) => repo.git("switch", "-q", "main"),
      args: [],
      says: "nothing to review",
    },
    {
      what: "the only branch of a clone, which that takes for the default one",
      prepare: (repo: TestRepo) => {
        repo.git("update-ref", "refs/remotes/origin/topic", "HEAD");
        repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/topic");
      },
      args: [],
      says: "nothing to review. That is the branch itself: name another branch with --base (git fetch origin NAME:",
    },
    {
      what: "commits that come to nothing",
      prepare: (repo: TestRepo) => repo.git("revert", "--no-edit", "HEAD"),
      args: [],
      says: "nothing to review: the commits that topic adds to main change nothing",
    },
    { what: "an unknown base", prepare: () => "", args: ["--base", "nowhere"], says: "nowhere" },
    { what: "an unknown policy", prepare: () => "", args: ["--policy", "nope"], says: 'unknown policy "nope"' },
    { what: "an unknown reviewer", prepare: () => "", args: ["--reviewer", "nope"], says: "unknown" },
    { what: "builtin under scored", prepare: () => "", args: ["--policy", "scored"], says: "gives no scores" },
    { what: "an implementer", prepare: () => "", args: ["--implementer", "builtin"], says: "see anneal loop --help" },
  ])("$what", async ({ prepare, args, says }) => {
    using repo = cleanBranch();
    prepare(repo);
    const run = await anneal(repo.dir, ["loop", ...args]);
    expect([run.code, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain(says);
    expect(existsSync(`${repo.dir}.anneal`)).toBe(false);
  });
});

test.concurrent.for([
  { what: "without a commit", branch: "main", makes: (repo: TestRepo) => repo.git("init", "--quiet") },
  { what: "without a commit beside others", branch: "new", makes: (repo: TestRepo) => repo.commit({ "a.js": "1\n" }) },
])("anneal loop on a branch $what says that there is none yet", async ({ branch, makes }) => {
  using repo = makeRepo();
  makes(repo);
  if (branch === "new") repo.git("switch", "--quiet", "--orphan", branch);
  const run = await anneal(repo.dir, ["loop"]);
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toBe(
    `anneal loop: there is no commit on ${branch} yet, so there is nothing to review: make a first commit\n`,
  );
});
