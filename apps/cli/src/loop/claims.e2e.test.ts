import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anneal } from "../testing/anneal.ts";
import { policyAnswers } from "../testing/answers.ts";
import { branchWith, type TestRepo } from "../testing/branches.ts";
import { scriptFile } from "../testing/temp.ts";

// Nobody's key; put together here so that no file of ours holds it.
const SECRET = ["ghp", "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"].join("_");
const CLEAN = "export const token = process.env.TOKEN;\n";

/** A branch whose second-last commit holds a secret that its last one takes out again. */
function leakyBranch(): TestRepo {
  const repo = branchWith({ "src/token.ts": `export const name = "token";\nexport const token = "${SECRET}";\n` });
  repo.commit({ "src/token.ts": CLEAN }, "take it out");
  return repo;
}

describe("a secret in the second-last commit", () => {
  test.concurrent("fails review, loop and export, names commit, file and line, and burns no round", async () => {
    using repo = leakyBranch();
    const commit = repo.git("rev-parse", "topic~1").slice(0, 12);
    const place = `src/token.ts:2 in ${commit}`;
    const review = await anneal(repo.dir, ["review", "--json"]);
    expect(review.code).toBe(1);
    expect(JSON.parse(review.stdout)).toMatchObject({
      verdict: "fail",
      findings: [
        { rule: "secret", severity: "critical", file: "src/token.ts", line: 2, title: expect.stringContaining(place) },
      ],
    });
    const loop = await anneal(repo.dir, ["loop"]);
    expect(loop).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("Revoke the secret, then take over and rewrite the branch"),
    });
    const shown = JSON.parse((await anneal(repo.dir, ["show", "topic", "--json"])).stdout);
    expect(shown.loop).toMatchObject({ stage: "waiting-for-human", reason: "never-publish", rounds: [{ number: 1 }] });
    const written = await anneal(repo.dir, ["export", "topic"]);
    expect(written).toMatchObject({ code: 1, stderr: expect.stringContaining(place) });
    expect(JSON.parse(written.stdout)).toMatchObject({
      holds: false,
      secrets: [{ said: expect.stringContaining(place) }],
    });
    expect(review.stdout + loop.stdout + loop.stderr + written.stdout + written.stderr).not.toContain(SECRET);
    const { fingerprint } = shown.loop.findings[0];
    expect(await anneal(repo.dir, ["dismiss", "topic", fingerprint, "--reason", "a dummy"])).toMatchObject({ code: 0 });
    expect(await anneal(repo.dir, ["loop"])).toMatchObject({ code: 0 });
    expect(await anneal(repo.dir, ["export", "topic"])).toMatchObject({ code: 0, stderr: "" });
  });

  test.concurrent("is searched for where another reviewer passes the change, and in uncommitted work has no commit", async () => {
    using repo = leakyBranch();
    using script = scriptFile([
      {
        role: "reviewer",
        answer: policyAnswers.find(({ policy, verdict }) => policy === "pull-request" && verdict === "pass")?.text,
      },
    ]);
    const args = ["review", "--reviewer", `scripted:${script.path}`, "--policy", "pull-request"];
    expect(await anneal(repo.dir, args)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("GitHub token is in the code"),
    });
    writeFileSync(join(repo.dir, "src/token.ts"), `${CLEAN}export const more = 1;\n`);
    expect(await anneal(repo.dir, ["review", "--worktree"])).toMatchObject({ code: 0 });
  });
});

const SIX = [
  'import { test } from "vitest";',
  "debugger;",
  "try { test(); } catch {}",
  "// @ts-ignore",
  "test(1);",
  "try { test(2); } catch {}",
  "debugger;",
  "// @ts-nocheck",
  "",
].join("\n");

describe("a fix of two findings of six", () => {
  test.concurrent("by the embedded fixer says exactly those two", async () => {
    using repo = branchWith({ "src/six.ts": SIX });
    const found = JSON.parse((await anneal(repo.dir, ["review", "--json"])).stdout).findings;
    expect(found).toHaveLength(6);
    await anneal(repo.dir, ["loop"]);
    const [subject, , fixed, open] = repo.git("log", "-1", "--format=%B", "topic").split("\n");
    expect(subject).toBe("fix: address code review round 1 - debug-leftover");
    expect(fixed).toBe("Fixed: Debugging code was left in (src/six.ts:2); Debugging code was left in (src/six.ts:7)");
    expect(open?.match(/src\/six\.ts:\d/gu)).toHaveLength(4);
  });
});
