import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approve, project, reject, writes } from "../testing/project.ts";

const weak = writes("implementer", "export const ok = (p) => true;\n");
const strong = writes("fixer", "export const ok = (p) => p.length >= 8;\n");

describe("anneal export", () => {
  test.concurrent("writes the certificate, and its verdict no longer holds once the branch moves", async () => {
    using here = project({ f1: { steps: [weak, reject, strong, approve] } });
    await here.anneal("run", "f1");
    const file = join(here.dir, "certificate.json");
    expect(await here.anneal("export", "f1", "--output", file)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const certificate = JSON.parse(readFileSync(file, "utf8"));
    expect(certificate).toMatchObject({
      schemaVersion: 1,
      item: { kind: "feature", id: "f1", title: "Add f1" },
      base: here.git("rev-parse", "main"),
      head: here.git("rev-parse", "feature/f1"),
      holds: true,
      verdict: { result: "pass", requirementsJudged: true },
      outcome: "passed",
      policy: { name: "gate", hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      reviewers: [{ agent: "scripted", model: "m-1", provider: "scripted" }],
      rounds: [
        { number: 1, verdict: "fail", findings: { high: 1 } },
        { number: 2, verdict: "pass" },
      ],
      findings: [{ title: "Empty passwords are accepted", lifecycle: "resolved", disposition: { kind: "fixed" } }],
      usage: { tokens: 10, costUsd: 0.25 },
    });
    here.git("switch", "--quiet", "feature/f1");
    here.git("commit", "--allow-empty", "-qm", "later");
    const later = JSON.parse((await here.anneal("export", "f1", "--json")).stdout);
    expect(later).toMatchObject({
      holds: false,
      verdict: { result: "inconclusive", reason: expect.stringContaining("has moved") },
    });
  });

  test.concurrent("a feature without a loop has nothing to certify", async () => {
    using here = project({ f1: { steps: [] } });
    const run = await here.anneal("export", "f1");
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("nothing to certify");
  });
});

describe("anneal gc", () => {
  test.concurrent("removes the clean workspaces of ended loops, keeps branches, changed workspaces and open loops", async () => {
    using here = project({
      clean: { steps: [weak, approve] },
      dirty: { steps: [weak, approve] },
      open: { steps: [weak, approve], skipTests: true },
    });
    await here.anneal("run", "--all");
    writeFileSync(join(here.worktree("dirty"), "mine.txt"), "mine\n");
    const clean = here.worktree("clean");
    const dry = await here.anneal("gc", "--dry-run");
    expect(dry.stdout).toContain(`would remove ${clean}\n`);
    expect(dry.stdout).toContain(`would remove ${here.worktree("review-1")}\n`);
    expect(dry.stdout).toContain(`kept ${here.worktree("dirty")}: it has uncommitted changes\n`);
    expect(existsSync(here.worktree("clean"))).toBe(true);
    const run = await here.anneal("gc");
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain(`removed ${clean}\n`);
    expect(["clean", "dirty", "open"].map((id) => existsSync(here.worktree(id)))).toEqual([false, true, true]);
    expect(here.git("branch", "--list", "feature/clean")).toContain("feature/clean");
    expect((await here.anneal("approve", "open")).code).toBe(0);
    expect((await here.anneal("show", "clean")).stdout).toContain("✔ passed");
  });
});
