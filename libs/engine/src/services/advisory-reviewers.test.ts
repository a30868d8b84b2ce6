import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdvisoryReviewResult } from "@anneal/types";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type StandInRun, standIn } from "../../../adapters/src/agents/cli/testing/stand-in.ts";
import { makeRepo, type TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { NothingToReview } from "../errors.ts";
import { AdvisoryReviewFailed, ClaudeReviewer, CodexReviewer } from "./advisory-reviewers.ts";

interface Scene {
  repo: TestRepo;
  base: string;
  /** One program, as `code_review.command` names it. */
  command: string;
  asked(): { args: string[]; input: string };
}

/** A branch `work` with one change over main, and a program that plays one run. */
function scene(run: StandInRun): Scene {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-advice-")));
  const repo = makeRepo({ "sum.js": "export const sum = 1;\n" });
  onTestFinished(() => {
    repo.remove();
    rmSync(folder, { recursive: true, force: true });
    vi.unstubAllEnvs();
  });
  vi.stubEnv("ANNEAL_DATA_DIR", join(folder, "no-data"));
  vi.stubEnv("CODEX_HOME", folder);
  const base = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "--quiet", "-b", "work");
  repo.commit({ "sum.js": "export const sum = 2;\n" });
  const command = join(folder, "program");
  const started = standIn(folder, [run]).map((part) => `'${part}'`);
  writeFileSync(command, `#!/bin/sh\nexec ${started.join(" ")} "$@"\n`);
  chmodSync(command, 0o755);
  return { repo, base, command, asked: () => JSON.parse(readFileSync(join(folder, "asked.json"), "utf8")) };
}

const ISSUE = { file: "sum.js", line: 1, severity: "warning", message: "The sum is wrong", suggestion: "Add again" };
const claudeSays = (answer: object, ending: object = {}): StandInRun => ({
  stdout: [
    { type: "system", subtype: "init", model: "claude-sonnet-4-5" },
    {
      ...{ type: "result", subtype: "success", is_error: false, stop_reason: "end_turn", result: "", usage: {} },
      ...{ structured_output: answer, ...ending },
    },
  ].map((line) => JSON.stringify(line)),
});

/** What codex review tells beside its answer where its model has looked at the change. */
const LOOKED = ["exec", "git diff HEAD~1", " succeeded in 5ms:"];

describe("CodexReviewer", () => {
  test("runs codex review with the commit where the branches parted, and its comments are issues", async () => {
    const comment = "Review comment:\n\n- [P1] The sum is wrong — sum.js:1-1\n  One and one is two.";
    const { repo, base, command, asked } = scene({ stdout: comment.split("\n"), stderr: LOOKED });
    const reviewer = new CodexReviewer(command);
    const result = await reviewer.review(repo.dir, "main");
    expect(reviewer.name).toBe("codex");
    expect(asked().args.slice(0, 3)).toEqual(["review", "--base", base]);
    expect(AdvisoryReviewResult.parse(result)).toMatchObject({
      passed: false,
      rawOutput: expect.stringContaining("- [P1] The sum is wrong — sum.js:1-1\n  One and one is two."),
      issues: [{ file: "sum.js", line: 1, severity: "error", message: expect.stringContaining("The sum is wrong") }],
    });
  });

  test("a plain word that there are no issues passes", async () => {
    const { repo, command } = scene({ stdout: ["No issues found."], stderr: LOOKED });
    expect(await new CodexReviewer(command).review(repo.dir, "main")).toMatchObject({ passed: true, issues: [] });
  });

  test.for([
    { what: "an exit code, whatever was printed", run: { stdout: ["No issues found."], stderr: LOOKED, exit: 1 } },
    { what: "silence", run: { stdout: [], stderr: LOOKED } },
    { what: "praise", run: { stdout: ["Looks good to me."], stderr: LOOKED } },
    { what: "a word of one that looked at nothing", run: { stdout: ["No issues found."] } },
  ])("$what is an error, never a pass", async ({ run }) => {
    const { repo, command } = scene(run);
    await expect(new CodexReviewer(command).review(repo.dir, "main")).rejects.toThrow(AdvisoryReviewFailed);
  });

  test("a missing program is an error that names it", async () => {
    const { repo } = scene({ stdout: [] });
    await expect(new CodexReviewer("/no/such/codex").review(repo.dir, "main")).rejects.toThrow("/no/such/codex");
  });
});

describe("ClaudeReviewer", () => {
  test("runs claude -p with the diff in its prompt, and the issues of its JSON are the result", async () => {
    const { repo, command, asked } = scene(claudeSays({ passed: false, summary: "Wrong.", issues: [ISSUE] }));
    const reviewer = new ClaudeReviewer(command);
    const result = await reviewer.review(repo.dir, "main");
    expect(reviewer.name).toBe("claude");
    expect(asked().args[0]).toBe("-p");
    expect(asked().input).toMatch(/-export const sum = 1;\n\+export const sum = 2;/);
    expect(AdvisoryReviewResult.parse(result)).toMatchObject({ passed: false, issues: [ISSUE] });
    expect(JSON.parse(result.rawOutput ?? "")).toEqual({ passed: false, summary: "Wrong.", issues: [ISSUE] });
  });

  test("no issues pass", async () => {
    const { repo, command } = scene(claudeSays({ passed: true, summary: "Fine.", issues: [] }));
    expect(await new ClaudeReviewer(command).review(repo.dir, "main")).toMatchObject({ passed: true, issues: [] });
  });

  test.for([
    { what: "an exit code", run: { ...claudeSays({ passed: true, summary: "", issues: [] }), exit: 1 } },
    { what: "an error flag", run: claudeSays({ passed: true, summary: "", issues: [] }, { is_error: true }) },
    { what: "prose alone", run: claudeSays({}, { structured_output: undefined, result: "All fine." }) },
  ])("$what is an error, never a pass", async ({ run }) => {
    const { repo, command } = scene(run);
    await expect(new ClaudeReviewer(command).review(repo.dir, "main")).rejects.toThrow(AdvisoryReviewFailed);
  });

  test("where the branch holds nothing of its own there is nothing to review, and nobody is asked", async () => {
    const { repo, command, asked } = scene({ stdout: [] });
    repo.git("reset", "--quiet", "--hard", "main");
    await expect(new ClaudeReviewer(command).review(repo.dir, "main")).rejects.toThrow(NothingToReview);
    expect(asked).toThrow("ENOENT");
  });
});
