import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EventMap, EventName, ReviewLoopState } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addForge, selfReviews } from "../testing/forge.ts";
import { hearing } from "../testing/listener.ts";
import { build, fix, type LoopWorld, loopWorld } from "../testing/loop-world.ts";

const issue = { severity: "high", category: "security", file: "a.js", lineStart: 1, description: "Anything gets in." };
const fails = selfReviews("needs_work", "Not yet.", [issue]);
const passes = selfReviews("pass", "It does what was asked.");
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

let world: LoopWorld;
let life: [type: string, payload: unknown][];
let broken: [type: string, payload: unknown][];
beforeAll(async () => {
  world = await loopWorld(2);
  const forge = await addForge(world);
  const edit = (n: number) => fix("a.js", `export const a = ${n};\n`);
  world.script("f1", [build("a.js", "export const a = 1;\n"), fails, edit(2), passes, edit(3), passes]);
  await world.run("f1", ["awaiting-feedback"]);
  await forge.as("alice").comment(1, "Please do not accept two here.", { file: "a.js", line: 1 });
  // A server that starts asks the forge at once.
  await world.stop();
  await world.start();
  using heard = await hearing(world, world.project);
  await world.reached("f1", ["waiting-for-human"]);
  await forge.as("alice").review(1, { state: "approved", body: "Good." });
  life = await heard.inSeeds("f1", ({ type }) => type === "loop:merged");
  // A script without a step for the reviewer is a break that no retry mends.
  world.script("f2", [build("b.js", "export const b = 1;\n")]);
  await world.call("POST", "/api/review-loop/f2/start");
  broken = await heard.inSeeds("f2", ({ type }) => type === "review-loop:error");
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

const named = (name: EventName) => life.flatMap(([type, payload]) => (type === name ? [payload] : []));
const prUrl = () => `${pathToFileURL(join(world.root, ".git/forge.git"))}/pull/1`;
const id = expect.stringMatching(/^[0-9a-f]{32}$/);
const first = {
  ...{ verdict: "needs_work", issues: [{ id, ...issue, lineEnd: 1 }], summary: "Not yet." },
  ...{ iteration: 1, timestamp: TIME },
};
const passed = (iteration: number) => ({
  ...{ verdict: "pass", issues: [], summary: "It does what was asked.", iteration, timestamp: TIME },
});

describe("a feature on its way to a pull request is told over the socket in seed 001's names and payloads", () => {
  test("review-loop:state-changed: every step with where it came from, and the session as it is then", () => {
    const told = named("review-loop:state-changed");
    const changes = told.map((one) => EventMap.shape["review-loop:state-changed"].parse(one));
    expect(changes, "nothing but what the seed names").toEqual(told);
    expect(changes.map(({ previousState, newState }) => `${previousState} > ${newState}`)).toEqual([
      "pending_self_review > self_reviewing",
      "self_reviewing > self_review_failed",
      "self_review_failed > refining",
      "refining > self_reviewing",
      "self_reviewing > self_review_passed",
      "self_review_passed > pr_created",
      "pr_created > awaiting_pr_feedback",
      "awaiting_pr_feedback > addressing_feedback",
      "addressing_feedback > ready_for_human_review",
      "ready_for_human_review > approved",
      "approved > merged",
    ]);
    expect(new Set(changes.flatMap(({ previousState, newState }) => [previousState, newState]))).toEqual(
      new Set(ReviewLoopState.exclude(["closed"]).options),
    );
    const times = { startedAt: TIME, lastUpdatedAt: TIME };
    const begun = { featureId: "f1", state: "self_reviewing", iterations: [], currentIteration: 1, ...times };
    expect(changes[0]).toEqual({
      ...{ featureId: "f1", previousState: "pending_self_review", newState: "self_reviewing", session: begun },
    });
    expect(changes.at(-1)?.session).toEqual({
      ...{ featureId: "f1", state: "merged", iterations: [first, passed(2), passed(3)], currentIteration: 3 },
      ...{ prNumber: 1, prUrl: prUrl(), ...times, completedAt: TIME },
    });
  });

  test("review-loop:review-completed: the result of each review", () => {
    expect(named("review-loop:review-completed")).toEqual(
      [first, passed(2), passed(3)].map((result) => ({ featureId: "f1", result })),
    );
  });

  test("review-loop:refinement-completed: which issues are gone, which are not, and which are new", () => {
    const [refined] = named("review-loop:refinement-completed");
    const notes = "1 of 1 issues are gone.";
    const result = { addressedIssueIds: [id], unaddressedIssueIds: [], newIssuesIntroduced: [], notes };
    expect(refined).toEqual({ featureId: "f1", result });
  });

  test("review-loop:pr-feedback-received: what people said, sorted by what has to be done about it", () => {
    const asked = {
      ...{ source: "comment", sourceId: 1, author: "alice", severity: "medium", file: "a.js", line: 1 },
      description: "Please do not accept two here.",
    };
    const nothingElse = { questionsToAnswer: [], requiresHumanDecision: [] };
    const feedback = { actionableIssues: [asked], ...nothingElse, overallStatus: "ready_to_fix" };
    expect(named("review-loop:pr-feedback-received")).toEqual([{ featureId: "f1", feedback }]);
  });

  test("review-loop:ready-for-human: the pull request and what became of it", () => {
    const summary = "the feedback is addressed; 3 iterations, no open issues";
    expect(named("review-loop:ready-for-human")).toEqual([{ featureId: "f1", prUrl: prUrl(), summary }]);
  });

  test("review-loop:error: what went wrong where, and what can be done about it", () => {
    expect(broken.at(-1)).toEqual([
      "review-loop:error",
      {
        featureId: "f2",
        error: expect.stringMatching(/no step left for the role reviewer .*; possible: retry, skip, stop$/),
        stage: "self_reviewing",
      },
    ]);
  });

  test("and in no other name of that seed", () => {
    const names = EventName.options.filter((name) => name.startsWith("review-loop:"));
    const seen = [...life, ...broken].map(([type]) => type).filter((type) => type.startsWith("review-loop:"));
    expect(new Set(seen)).toEqual(new Set(names));
  });
});
