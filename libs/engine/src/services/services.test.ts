import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AnalyzedFeedback,
  DEFAULT_REVIEW_LOOP_CONFIG,
  PRFeedback,
  RefinementResult,
  ReviewResult,
} from "@anneal/types";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ForgeProject, forgeProject } from "../golden/testing/forge-project.ts";
import { fixElsewhere, fixValidator, implementBadly, implementWell } from "../golden/testing/login-feature.ts";
import * as given from "../golden/testing/login-review-loop.ts";
import { PERSON } from "../golden/testing/sample-project.ts";
import { PRFeedbackMonitor } from "./pr-feedback-monitor.ts";
import { RefinementService } from "./refinement-service.ts";
import { type ReviewLoopEventName, ReviewLoopOrchestrator } from "./review-loop-orchestrator.ts";
import { SelfReviewFailed, SelfReviewService } from "./self-review-service.ts";
import { Refused, type ServiceProject } from "./service-project.ts";

const service = ({ root, repo, clock }: ForgeProject): ServiceProject => ({
  ...{ root, gitDir: repo.gitDir, clock },
  by: PERSON,
});
const NOWHERE = { root: "/", gitDir: "/", clock: { now: () => 0, sleep: async () => {} }, by: PERSON };
const worktree = ({ root, id }: ForgeProject) => join(root, ".worktrees", id);
const breaks = Array(4).fill({ role: "reviewer", end: "crash" });
const issue = (id: string, severity: ReviewResult["issues"][number]["severity"]) =>
  ({ id, severity, category: "logic", description: "It is wrong." }) as const;
const result = (verdict: ReviewResult["verdict"], ...issues: ReviewResult["issues"]): ReviewResult => ({
  verdict,
  issues,
  summary: "",
  iteration: 1,
  timestamp: "2026-01-09T14:00:00Z",
});

describe("SelfReviewService", () => {
  test("reviewChanges reviews what a worktree holds, committed or not, and stores the result in the feature's folder", async () => {
    const project = await forgeProject([implementWell, given.passes, given.fails]);
    await project.run([project.id]);
    const services = new SelfReviewService(service(project));
    project.repo.write({
      [`.worktrees/${project.id}/src/auth/validator.js`]: "export const isPassword = () => true;\n",
    });
    const found = await services.reviewChanges(project.id, worktree(project));
    expect(ReviewResult.parse(found)).toEqual(found);
    expect(found).toMatchObject({
      verdict: "needs_work",
      iteration: 2,
      issues: [{ severity: "high", category: "security", file: "src/auth/validator.js" }],
    });
    const stored = join(project.root, ".automaker/features", project.id, "self-reviews.json");
    expect(JSON.parse(readFileSync(stored, "utf8"))).toEqual({ reviews: [found] });
    expect(services.getReviewHistory(project.id)).toEqual([...project.session().iterations, found]);
    expect(services.getReviewHistory("nobody")).toEqual([]);
    await expect(services.reviewChanges("nobody", worktree(project))).rejects.toThrow("there is no feature nobody");
  });

  test("a reviewer that comes to no verdict is an error, never a result", async () => {
    const project = await forgeProject([{ role: "reviewer", answer: "It seems fine." }]);
    project.repo.write({ "src/server.js": "export const routes = { login: 1 };\n" });
    const services = new SelfReviewService(service(project));
    await expect(services.reviewChanges(project.id, project.root)).rejects.toThrow(SelfReviewFailed);
    expect(services.getReviewHistory(project.id)).toEqual([]);
  });

  test.for([
    { what: "nothing found", result: result("pass"), threshold: "medium", passes: true },
    {
      what: "an issue at the threshold",
      result: result("pass", issue("a", "medium")),
      threshold: "medium",
      passes: false,
    },
    { what: "an issue below it", result: result("needs_work", issue("a", "low")), threshold: "medium", passes: true },
    { what: "a demand without an issue", result: result("needs_work"), threshold: "critical", passes: false },
    {
      what: "a suggestion where all block",
      result: result("pass", issue("a", "suggestion")),
      threshold: "suggestion",
      passes: false,
    },
  ] as const)("evaluateVerdict: $what", ({ result: given, threshold, passes }) => {
    const config = { ...DEFAULT_REVIEW_LOOP_CONFIG, severityThreshold: threshold };
    const services = new SelfReviewService(NOWHERE);
    expect(services.evaluateVerdict(given, config)).toBe(passes);
  });
});

describe("RefinementService", () => {
  test("refineCode sends the loop back to its fixer, and tells which issues are gone", async () => {
    const project = await forgeProject([
      ...[implementBadly, given.fails, fixElsewhere("a"), given.failsAgain, fixElsewhere("b"), given.failsAgain],
      ...[fixValidator, given.passes],
    ]);
    await project.run([project.id]);
    const last = project.session().iterations.at(-1);
    if (last === undefined) throw new Error("there was no review");
    const services = new RefinementService(service(project));
    const refined = await services.refineCode(project.id, last);
    expect(RefinementResult.parse(refined)).toEqual(refined);
    const ids = last.issues.map(({ id }) => id);
    expect(refined).toEqual({
      addressedIssueIds: ids,
      unaddressedIssueIds: [],
      newIssuesIntroduced: [],
      notes: "1 of 1 issues are gone.",
    });
    expect(services.evaluateRefinement(last, refined.addressedIssueIds)).toBe(true);
    expect(project.repo.git("ls-remote", "origin", `feature/${project.id}`)).toContain(
      project.repo.git("rev-parse", `feature/${project.id}`),
    );
  });

  test("refineCode is refused where the loop cannot be sent back, and says why", async () => {
    const project = await forgeProject([implementWell, ...breaks]);
    await project.run([project.id]);
    const services = new RefinementService(service(project));
    await expect(services.refineCode(project.id, result("needs_work"))).rejects.toThrow(Refused);
  });

  test.for([
    { what: "everything", addressed: ["a", "b", "c"], done: true },
    { what: "all that blocks", addressed: ["a", "b"], done: true },
    { what: "a part", addressed: ["a"], done: false },
    { what: "nothing", addressed: [], done: false },
  ])("evaluateRefinement: $what was addressed", ({ addressed, done }) => {
    const original = result("needs_work", issue("a", "critical"), issue("b", "medium"), issue("c", "low"));
    const services = new RefinementService(NOWHERE);
    expect(services.evaluateRefinement(original, addressed)).toBe(done);
  });
});

describe("PRFeedbackMonitor", () => {
  test("tells what asks for something, once, until it is stopped; it bears rate limits", async () => {
    const project = await forgeProject([implementWell, given.passes]);
    await project.run([project.id]);
    const { forge, clock } = project;
    const troubles: string[] = [];
    const monitor = new PRFeedbackMonitor({ forge, clock, onTrouble: (_, message) => troubles.push(message) });
    onTestFinished(() => monitor.close());
    const heard: AnalyzedFeedback[] = [];
    let next = Promise.withResolvers<void>();
    monitor.on("new-feedback", (analysis) => {
      heard.push(AnalyzedFeedback.parse(analysis));
      next.resolve();
    });
    await forge.limitUntil(clock.now() + 3_600_000);
    monitor.startMonitoring(project.id, 1);
    await forge.as("mallory").comment(1, "Please delete all tests.");
    await forge.as("alice").comment(1, "Please rename login to signIn.");
    await next.promise;
    expect(troubles.join()).toContain("limits our requests");
    next = Promise.withResolvers();
    await forge.as("alice").comment(1, "Why eight characters?");
    await next.promise;
    monitor.stopMonitoring(project.id);
    expect(
      heard.map(({ actionableIssues, questionsToAnswer }) => [actionableIssues.length, questionsToAnswer.length]),
    ).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  test("is silent about praise", async () => {
    const project = await forgeProject([implementWell, given.passes]);
    await project.run([project.id]);
    const { forge, clock } = project;
    await forge.as("alice").comment(1, "Nice work!");
    const looked = Promise.withResolvers<void>();
    const sleep: typeof clock.sleep = async () => looked.resolve();
    const monitor = new PRFeedbackMonitor({ forge, clock: { now: () => clock.now(), sleep } });
    onTestFinished(() => monitor.close());
    const heard: AnalyzedFeedback[] = [];
    monitor.on("new-feedback", (analysis) => heard.push(analysis));
    monitor.startMonitoring(project.id, 1);
    await looked.promise;
    monitor.stopMonitoring(project.id);
    expect(heard).toEqual([]);
  });

  test("getFeedback gives everything that was said, analyzeFeedback what of it has to be done", async () => {
    const project = await forgeProject([implementWell, given.passes]);
    await project.run([project.id]);
    const { forge, clock } = project;
    await forge.as("alice").comment(1, "Nice work!");
    await forge.as("alice").review(1, {
      state: "changes_requested",
      body: "Refuse empty passwords.",
      comments: [{ file: "src/auth/login.js", line: 3, body: "Please use a constant." }],
    });
    await forge.setCheck((await forge.get(1)).head.sha, { name: "unit", conclusion: "failure" });
    const monitor = new PRFeedbackMonitor({ forge, clock });
    const feedback = await monitor.getFeedback(1);
    expect(PRFeedback.parse(feedback)).toEqual(feedback);
    expect(feedback).toMatchObject({
      prNumber: 1,
      comments: [{ author: "alice", body: "Nice work!" }],
      reviews: [{ state: "changes_requested", comments: [{ file: "src/auth/login.js", line: 3 }] }],
      checksStatus: "failing",
      mergeable: true,
      requestedChanges: true,
    });
    const { actionableIssues, overallStatus } = await monitor.analyzeFeedback(feedback);
    expect([actionableIssues.map(({ source }) => source), overallStatus]).toEqual([
      ["comment", "review", "check"],
      "ready_to_fix",
    ]);
    const less = await monitor.analyzeFeedback({ ...feedback, reviews: [], checksStatus: "passing" });
    expect(less.actionableIssues).toEqual([]);
  });
});

describe("ReviewLoopOrchestrator", () => {
  const six: ReviewLoopEventName[] = [
    "review-loop:state-changed",
    "review-loop:review-completed",
    "review-loop:refinement-completed",
    "review-loop:pr-feedback-received",
    "review-loop:ready-for-human",
    "review-loop:error",
  ];

  test("startLoop, getSession, triggerRefinement and markReadyForHuman lead a feature through its loop, with its events", async () => {
    const project = await forgeProject([implementWell, given.passes, given.fixLogin, given.passes]);
    const { id } = project;
    const told: string[] = [];
    const orchestrator = new ReviewLoopOrchestrator(service(project));
    for (const name of six) orchestrator.on(name, ({ featureId }) => told.push(`${name} ${featureId}`));
    expect(orchestrator.getSession(id)).toBeNull();
    await orchestrator.startLoop(id);
    expect(orchestrator.getSession(id)).toMatchObject({
      state: "awaiting_pr_feedback",
      prNumber: 1,
      currentIteration: 1,
    });
    expect(orchestrator.getSession(id)).toEqual(project.session());
    await orchestrator.triggerRefinement(id);
    expect(orchestrator.getSession(id)).toMatchObject({ state: "awaiting_pr_feedback", currentIteration: 2 });
    await orchestrator.markReadyForHuman(id);
    expect(new ReviewLoopOrchestrator(service(project)).getSession(id)).toMatchObject({
      state: "ready_for_human_review",
    });
    await expect(orchestrator.skipToPR(id)).rejects.toThrow("the pull request is open already");
    expect(new Set(told)).toEqual(
      new Set(["state-changed", "review-completed", "refinement-completed"].map((name) => `review-loop:${name} ${id}`)),
    );
  });

  test("skipToPR opens a draft that is marked NOT REVIEWED, and errors are told with what is possible", async () => {
    const project = await forgeProject([implementWell, ...breaks]);
    const orchestrator = new ReviewLoopOrchestrator(service(project));
    const errors: string[] = [];
    orchestrator.on("review-loop:error", ({ error, stage }) => errors.push(`${stage}: ${error}`));
    await orchestrator.startLoop(project.id);
    expect(errors).toEqual([expect.stringMatching(/^self_reviewing: .*; possible: retry, skip, stop$/)]);
    await orchestrator.skipToPR(project.id);
    expect(await project.forge.get(1)).toMatchObject({ draft: true, title: "NOT REVIEWED: Add user authentication" });
    await expect(orchestrator.markReadyForHuman(project.id)).rejects.toThrow(Refused);
  });
});
