import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { GenerateReviewRequest } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approves, build, fix, hangs, type LoopWorld, loopWorld, rejects } from "../../testing/loop-world.ts";
import { listen } from "../../testing/server-world.ts";

const PATH = "/api/code-review/generate-review";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld(7);
  world.script("f1", [build("a.js", "1;\n"), rejects("a.js"), fix("a.js", "2;\n"), approves]);
  world.script("f2", [build("b.js", "1;\n"), hangs]);
  world.script("f5", [build("e.js", "1;\n"), hangs]);
  writeFileSync(join(world.root, ".automaker/features/f6/feature.json"), "{");
  await world.run("f1", ["ended"]);
  await world.run("f2", ["reviewing"]);
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const ask = (featureId: string, iterationNumber: number, more: object = {}) =>
  world.call("POST", PATH, { projectPath: world.root, featureId, iterationNumber, ...more });
const signal = (feature: string, word: string) =>
  world.call("POST", `/api/projects/${world.project}/items/${feature}/signal`, { signal: word });

test("the seed's own request is one, and the answer has exactly its fields", async () => {
  const example = {
    projectPath: "/path/to/project",
    featureId: "feature-123",
    iterationNumber: 1,
    worktreePath: "/path/to/.worktrees/feature-123",
  };
  expect(GenerateReviewRequest.parse(example)).toEqual(example);
  const { status, body } = await ask("f1", 2, { worktreePath: join(`${world.root}.anneal`, "f1") });
  expect([status, body]).toEqual([200, { success: true, featureId: "f1", iterationNumber: 2, status: "approved" }]);
});

describe("a review that is running", () => {
  test("is joined by all who ask; it goes on when they leave, and its end is told to those who stayed", async () => {
    const leaves = new AbortController();
    const left = fetch(`${world.server.url}${PATH}`, {
      method: "POST",
      signal: leaves.signal,
      headers: { "x-api-key": world.server.token, "content-type": "application/json" },
      body: JSON.stringify({ projectPath: world.root, featureId: "f2", iterationNumber: 1 }),
    });
    const stayed = [ask("f2", 1), ask("f2", 1)];
    leaves.abort();
    await expect(left).rejects.toThrow();
    // Whoever paused it has it go on with another reviewer; those who asked just wait.
    await signal("f2", "pause");
    world.script("f2", [build("b.js", "1;\n"), rejects("b.js"), hangs]);
    await signal("f2", "resume");
    for (const { status, body } of await Promise.all(stayed))
      expect([status, body]).toEqual([200, { success: true, featureId: "f2", iterationNumber: 1, status: "rejected" }]);
    const feature = JSON.parse(readFileSync(join(world.root, ".automaker/features/f2/feature.json"), "utf8"));
    expect(feature.codeReviewSpec.iterations[0]).toMatchObject({ iterationNumber: 1, status: "rejected" });
    const stream = await listen(world, { project: world.project, since: "0", item: "f2" });
    await stream.until((frames) => frames.some(({ type }) => type === "feature:code-review-rejected"));
    const types = stream.frames.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining([
        "feature:code-review-started",
        "feature:code-review-progress",
        "feature:code-review-completed",
      ]),
    );
    stream.close();
  });

  test("and was paused goes on for whoever asks for it", async () => {
    await world.run("f5", ["reviewing"]);
    await signal("f5", "pause");
    world.script("f5", [build("e.js", "1;\n"), approves]);
    expect(await ask("f5", 1)).toMatchObject({ status: 200, body: { status: "approved" } });
  });

  test("is the only one that can be had, and one that a person ends is a conflict", async () => {
    world.script("f7", [build("g.js", "1;\n"), hangs]);
    await world.run("f7", ["reviewing"]);
    const error = "iteration 1 of f7 is due, not iteration 2";
    expect(await ask("f7", 2)).toMatchObject({ status: 409, body: { code: "conflict", error } });
    const asked = ask("f7", 1);
    await signal("f7", "stop");
    expect(await asked).toMatchObject({ status: 409, body: { error: expect.stringMatching(/stopped by ada/) } });
  });
});

describe("a feature that another tool has put into code_review", () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: world.root, encoding: "utf8" }).trim();
  const put = (id: string, more: object = {}) => {
    const file = join(world.root, ".automaker/features", id, "feature.json");
    mkdirSync(dirname(file), { recursive: true });
    const feature = {
      id,
      title: `Feature ${id}`,
      description: "Do it.",
      status: "code_review",
      policy: "gate",
      ...more,
    };
    writeFileSync(file, JSON.stringify(feature));
    return () => JSON.parse(readFileSync(file, "utf8"));
  };
  /** What the other tool has committed. */
  const built = (branch: string, file: string) => {
    git("branch", branch);
    const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: world.root, input: "1;\n" });
    const tree = execFileSync("git", ["mktree"], {
      cwd: world.root,
      input: `100644 blob ${`${blob}`.trim()}\t${file}\n`,
    });
    const commit = git("commit-tree", "-p", branch, "-m", "feat: theirs", `${tree}`.trim());
    git("update-ref", `refs/heads/${branch}`, commit);
    return commit;
  };

  test("is reviewed as it stands, by whoever asks, once", async () => {
    const head = built("theirs/o1", "o.js");
    const feature = put("o1", { branchName: "theirs/o1" });
    world.script("o1", [rejects("o.js"), hangs]);
    const answers = await Promise.all([ask("o1", 1), ask("o1", 1)]);
    for (const { status, body } of answers)
      expect([status, body]).toEqual([200, { success: true, featureId: "o1", iterationNumber: 1, status: "rejected" }]);
    expect(feature()).toMatchObject({
      status: "in_progress",
      codeReviewSpec: { iterations: [{ iterationNumber: 1, status: "rejected", gitCommitHash: head }] },
    });
    expect(git("rev-parse", "theirs/o1"), "nothing is built anew").toBe(head);
  });

  test("has its numbers go on from the reviews that the other tool made", async () => {
    built("feature/o2", "o.js");
    const iteration = {
      ...{ iterationNumber: 1, reviewedAt: "2026-01-09T14:22:00Z", reviewedByModel: "m", reviewedByProvider: "p" },
      ...{ status: "rejected", gitCommitHash: "a1b2c3d4", gitDiff: "", findings: [], overallSummary: "No." },
      reviewFile: "code-review-iteration-1.md",
    };
    put("o2", {
      codeReviewSpec: { status: "rejected", currentIteration: 1, maxIterations: 3, iterations: [iteration] },
    });
    world.script("o2", [approves]);
    const error = "iteration 2 of o2 is due, not iteration 1";
    expect(await ask("o2", 1)).toMatchObject({ status: 409, body: { error } });
    expect(await ask("o2", 2)).toMatchObject({ status: 200, body: { status: "approved" } });
  });

  test.for([
    { what: "no branch", id: "o3", branch: null, says: /^o3 is in code_review, and there is no branch feature\/o3: / },
    {
      what: "no commit",
      id: "o4",
      branch: "feature/o4",
      says: /the branch feature\/o4 has no commits that main does not have: /,
    },
  ])("and has $what is refused, with what is missing", async ({ id, branch, says }) => {
    put(id);
    if (branch !== null) git("branch", branch, "main");
    expect(await ask(id, 1)).toMatchObject({ status: 409, body: { error: expect.stringMatching(says) } });
    expect((await world.get(`/api/projects/${world.project}/loops/${id}~1`)).status).toBe(404);
  });

  test("and cannot start says why", async () => {
    built("feature/o5", "o.js");
    put("o5", { policy: "no-such-policy" });
    expect(await ask("o5", 1)).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^o5: this item could not start: .*no-such-policy/) },
    });
  });
});

test("a review that broke for good has failed, and stays so until it is tried again", async () => {
  // A script without a step for the reviewer is a break that no retry mends.
  world.script("f3", [build("c.js", "1;\n")]);
  await world.run("f3", ["waiting-for-human"]);
  expect(await ask("f3", 1)).toMatchObject({ status: 200, body: { status: "failed", iterationNumber: 1 } });
});

test("a review that is on record is told again, and not made again", async () => {
  const before = (await world.get<{ lastSeq: number }>(world.loop("f1"))).body.lastSeq;
  expect((await ask("f1", 1)).body).toEqual({ success: true, featureId: "f1", iterationNumber: 1, status: "rejected" });
  expect((await world.get<{ lastSeq: number }>(world.loop("f1"))).body.lastSeq).toBe(before);
});

describe("what cannot be had is refused with its reason", () => {
  test.for([
    { what: "a feature that is done", ask: ["f1", 3], status: 409, says: /f1 is verified, not code_review/ },
    {
      what: "a feature in the backlog",
      ask: ["f4", 1],
      status: 409,
      says: /f4 has the status backlog; it can be reviewed once its status is code_review/,
    },
    { what: "a feature that is damaged", ask: ["f6", 1], status: 409, says: /f6 cannot be read/ },
    { what: "a feature that is nowhere", ask: ["f9", 1], status: 404, says: /no feature f9/ },
  ] as const)("$what: $status", async ({ ask: [feature, iteration], status, says }) => {
    const answer = await ask(feature, iteration);
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.objectContaining({ success: false, error: expect.stringMatching(says) }),
    ]);
  });

  test.for([
    { what: "no number", more: { iterationNumber: undefined }, path: "iterationNumber" },
    { what: "a number of no iteration", more: { iterationNumber: 0 }, path: "iterationNumber" },
    { what: "an id with a path in it", more: { featureId: "../../victim" }, path: "featureId" },
    { what: "no project", more: { projectPath: "" }, path: "projectPath" },
    { what: "a foreign worktree", more: { worktreePath: "/etc" }, path: "worktreePath" },
    { what: "another feature's worktree", more: { worktreePath: "{root}/.worktrees/f2" }, path: "worktreePath" },
    { what: "a key that is not known", more: { force: true }, path: "(whole)" },
  ])("$what: 400, and where", async ({ more, path }) => {
    const given = JSON.parse(JSON.stringify(more).replace("{root}", world.root));
    const body = { projectPath: world.root, featureId: "f1", iterationNumber: 1, ...more, ...given };
    const answer = await world.call("POST", PATH, body);
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ problems: expect.arrayContaining([expect.objectContaining({ path })]) }),
    ]);
  });

  test("a folder that is no project here: 404; no credentials: 401; too much: 413", async () => {
    expect((await ask("f1", 1, { projectPath: "/etc" })).status).toBe(404);
    const body = { projectPath: world.root, featureId: "f1", iterationNumber: 1 };
    expect((await world.call("POST", PATH, body, { "x-api-key": "wrong" })).status).toBe(401);
    expect((await ask("f1", 1, { worktreePath: "x".repeat(2 ** 21) })).status).toBe(413);
  });
});
