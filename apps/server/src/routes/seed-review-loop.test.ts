import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ReviewLoopState } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { RequestProblem } from "../problem.ts";
import { ReviewLoopOrchestrator } from "../services/review-loop-orchestrator.ts";
import { addForge, selfReviews } from "../testing/forge.ts";
import { build, hangs, type LoopWorld, loopWorld } from "../testing/loop-world.ts";

const ROUTES = [
  ["POST", "start"],
  ["GET", "status"],
  ["GET", "history"],
  ["POST", "skip"],
  ["POST", "retry"],
  ["POST", "refine"],
  ["POST", "ready"],
] as const;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const passes = selfReviews("pass", "It does what was asked.");
const passed = { verdict: "pass", issues: [], summary: "It does what was asked.", iteration: 1, timestamp: TIME };

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld(5);
  await addForge(world);
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const at = (feature: string, route: string) => `/api/review-loop/${feature}/${route}`;
const ask = (method: string, feature: string, route: string, body?: object) =>
  world.call(method, at(feature, route), body);
const made = (file: string) => build(file, "export {};\n");
const prUrl = (number: number) => `${pathToFileURL(join(world.root, ".git/forge.git"))}/pull/${number}`;

async function prOf(feature: string): Promise<number> {
  const { body } = await ask("GET", feature, "status");
  return (body as { session: { prNumber: number } }).session.prNumber;
}

/** The answer of all routes but history, to the letter. */
const standing = (featureId: string, state: ReviewLoopState, more: object) => ({
  success: true,
  featureId,
  state,
  session: { featureId, state, startedAt: TIME, lastUpdatedAt: TIME, ...more },
});

describe("the routes of seed 001 answer to the letter", () => {
  test("start begins the loop, status says where it stands, history has every review, refine sends it back to work", async () => {
    world.script("f1", [made("a.js"), passes, { role: "fixer", end: "hang" }]);
    const started = await ask("POST", "f1", "start");
    const nothingYet = { success: true, featureId: "f1", state: null, session: null };
    expect([started.status, started.body]).toEqual([202, nothingYet]);
    await world.reached("f1", ["awaiting-feedback"]);

    const prNumber = await prOf("f1");
    const session = { iterations: [passed], currentIteration: 1, prNumber, prUrl: prUrl(prNumber) };
    const status = await ask("GET", "f1", "status");
    expect([status.status, status.body]).toEqual([200, standing("f1", "awaiting_pr_feedback", session)]);
    const history = await ask("GET", "f1", "history");
    expect([history.status, history.body]).toEqual([200, { success: true, featureId: "f1", iterations: [passed] }]);

    const refined = await ask("POST", "f1", "refine", { projectPath: world.root, note: "Say two." });
    expect([refined.status, refined.body]).toEqual([200, standing("f1", "addressing_feedback", session)]);
    await world.reached("f1", ["fixing"]);
  });

  test("ready hands the pull request to a person", async () => {
    world.script("f2", [made("b.js"), passes]);
    await world.run("f2", ["awaiting-feedback"]);
    const prNumber = await prOf("f2");
    const ready = await ask("POST", "f2", "ready");
    const session = { iterations: [passed], currentIteration: 1, prNumber, prUrl: prUrl(prNumber) };
    expect([ready.status, ready.body]).toEqual([200, standing("f2", "ready_for_human_review", session)]);
  });

  test("retry tries a review that broke anew", async () => {
    // A script without a step for the reviewer is a break that no retry mends.
    world.script("f3", [made("c.js")]);
    await world.run("f3", ["waiting-for-human"]);
    world.script("f3", [made("c.js"), hangs, hangs]);
    const retried = await ask("POST", "f3", "retry");
    const session = { iterations: [], currentIteration: 1 };
    expect([retried.status, retried.body]).toEqual([200, standing("f3", "self_reviewing", session)]);
  });

  test("skip leads to a draft that nobody has reviewed, and a second one is a conflict", async () => {
    world.script("f4", [made("d.js"), hangs]);
    await world.run("f4", ["reviewing"]);
    const skipped = await ask("POST", "f4", "skip");
    expect([skipped.status, skipped.body]).toEqual([
      200,
      { success: true, featureId: "f4", state: expect.any(String), session: expect.any(Object) },
    ]);
    await world.reached("f4", ["waiting-for-human"]);
    const prNumber = await prOf("f4");
    const session = { iterations: [], currentIteration: 0, prNumber, prUrl: prUrl(prNumber), notReviewed: true };
    expect((await ask("GET", "f4", "status")).body).toEqual(standing("f4", "awaiting_pr_feedback", session));
    const again = await ask("POST", "f4", "skip");
    expect([again.status, again.body]).toEqual([
      409,
      { success: false, code: "conflict", error: "the pull request is already open" },
    ]);
  });
});

test.for([
  ["POST", "start", "startLoop", "f5"],
  ["GET", "status", "getSession", "f5"],
  ["GET", "history", "getReviewHistory", "f5"],
  ["POST", "skip", "skipToPR", "f5", "Why not."],
  ["POST", "retry", "retryStage", "f5", "Why not."],
  ["POST", "refine", "triggerRefinement", "f5", "Why not."],
  ["POST", "ready", "markReadyForHuman", "f5", "Why not."],
] as const)("%s %s asks ReviewLoopOrchestrator.%s", async ([method, route, name, ...args]) => {
  const asked = vi.spyOn(ReviewLoopOrchestrator.prototype, name).mockImplementation(() => {
    throw new RequestProblem("unavailable", "heard");
  });
  const body = method === "GET" ? undefined : { note: args[1] };
  expect(await ask(method, "f5", route, body)).toMatchObject({ status: 503, body: { error: "heard" } });
  expect(asked.mock.calls).toEqual([args]);
  asked.mockRestore();
});

const REFUSED = [
  { what: "an id with a path in it", feature: "..%2Fx", status: 400, is: { problems: [{ path: "featureId" }] } },
  { what: "a feature that is nowhere", feature: "f9", status: 404, is: { error: "there is no feature f9" } },
  { what: "a folder that is no project", feature: "f5", path: "/etc", status: 404, is: { code: "not-found" } },
  { what: "a path that is too long", feature: "f5", path: "x".repeat(5_000), status: 400, is: {} },
  { what: "no credentials", feature: "f5", headers: { "x-api-key": "wrong" }, status: 401, is: {} },
];

describe.for(ROUTES)("%s %s has the one pattern of errors", ([method, route]) => {
  test.for(REFUSED)("$what: $status", async ({ feature, path, headers, status, is }) => {
    const query = method === "GET" && path !== undefined ? `?projectPath=${path}` : "";
    const sent = method === "POST" ? { ...(path === undefined ? {} : { projectPath: path }) } : undefined;
    const { status: got, body } = await world.call(method, `${at(feature, route)}${query}`, sent, headers);
    expect([got, body]).toEqual([status, expect.objectContaining({ success: false, error: expect.any(String) })]);
    expect(body).toMatchObject(is);
  });
});

test.for(ROUTES.filter(([method]) => method === "POST"))("%s %s takes no foreign key: 400", async ([method, route]) => {
  const { status, body } = await ask(method, "f5", route, { force: true });
  expect([status, body]).toEqual([400, expect.objectContaining({ success: false, problems: [expect.anything()] })]);
});

test.for(["skip", "retry", "refine", "ready"])("%s before there is a loop: 409 with the reason", async (route) => {
  const { status, body } = await ask("POST", "f5", route);
  expect([status, body]).toEqual([
    409,
    expect.objectContaining({ success: false, code: "conflict", error: expect.stringMatching(/f5/) }),
  ]);
});
