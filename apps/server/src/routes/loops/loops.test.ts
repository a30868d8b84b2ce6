import type { ApiDiffFiles, ApiEscalation, ApiFinding, ApiLoopState, ApiRound } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approves, build, fix, type LoopWorld, loopWorld, rejects } from "../../testing/loop-world.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld(4);
  world.script("f1", [
    build("a.js", "export const ok = () => true;\n"),
    rejects("a.js"),
    fix("a.js", "export const ok = (text) => text.length > 7;\n"),
    approves,
  ]);
  const stuck = (file: string, ...titles: string[]) => [
    build(file, "export const b = 1;\n"),
    rejects(file, ...titles),
    fix("c.js", "1;\n"),
    rejects(file, ...titles),
    fix("d.js", "2;\n"),
    rejects(file, ...titles),
    { ...fix(file, "export const b = 2;\n"), answer: "Mended." },
    approves,
  ];
  world.script("f2", stuck("b.js"));
  world.script("f3", stuck("e.js", "Empty input is let in", "The clock is read twice"));
  await world.run("f1", ["ended"]);
  await world.run("f2", ["waiting-for-human"]);
  await world.run("f3", ["waiting-for-human"]);
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

describe("a loop", () => {
  test("tells where it stands in its seed's words, and what a person may say", async () => {
    const { body } = await world.get<ApiLoopState>(world.loop("f2"));
    expect(body).toMatchObject({
      item: "f2",
      stage: "waiting-for-human",
      state: "in_progress",
      reason: "rounds-exhausted",
      round: 3,
      maxRounds: 3,
      next: { who: "person" },
      findings: { open: 1, blocking: 1 },
      caps: { reviews: { used: 3, limit: 3 } },
    });
    expect(body.rail.find(({ standing }) => standing === "waiting")).toMatchObject({ name: "code_review" });
    expect(body.signals.map(({ signal }) => signal)).toEqual(["resume", "stop"]);
    expect(body.elapsedMs).toBeGreaterThan(0);
  });

  test("is among the loops of its item, which are light and paged", async () => {
    const { body } = await world.get(`/api/projects/${world.project}/items/f1/loops?limit=1`);
    expect(body).toEqual({ loops: [expect.objectContaining({ id: "f1~1", outcome: "passed" })], next: null });
    expect(JSON.stringify(body)).not.toContain("Empty input");
    expect((await world.get(`/api/projects/${world.project}/items/f4/loops`)).body).toEqual({ loops: [], next: null });
  });
});

describe("rounds", () => {
  test("are listed without reports, and each has a page with everything", async () => {
    const { body } = await world.get<{ rounds: { head: string; fixCommit: string | null }[] }>(
      world.loop("f1", "/rounds"),
    );
    expect(JSON.stringify(body)).not.toContain("Empty input");
    const [first, second] = body.rounds;
    expect(first?.fixCommit).toBe(second?.head);
    const { body: round } = await world.get<ApiRound>(world.loop("f1", "/rounds/1"));
    expect(round).toMatchObject({
      head: first?.head,
      verdict: { result: "fail", blocking: [{ title: "Empty input is let in" }] },
      why: "1 finding blocks",
      coverage: { reviewed: ["a.js"], skipped: [] },
      reviewers: ["scripted"],
      usage: { costUsd: 0.1 },
      promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      transcript: "reviewing-1",
      made: { runs: [{ said: "Built it." }], validation: [{ result: "not-configured" }] },
      fix: { commit: second?.head, runs: [{ role: "fixer", said: "Changed a.js." }] },
    });
  });

  test.for([
    { of: "reviewer", says: "Feature 1" },
    { of: "maker", says: "Do it." },
  ])("have the prompt of the $of as plain text", async ({ of, says }) => {
    const { headers, body } = await world.get<string>(world.loop("f1", `/rounds/1/prompt?of=${of}`));
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(body).toContain(says);
  });
});

describe("what a loop changed", () => {
  test.for([
    { ends: "", added: "+export const ok = (text)", removed: null },
    { ends: "?from=1&to=2", added: "+export const ok = (text)", removed: "-export const ok = ()" },
    { ends: "?from=2&to=1", added: "+export const ok = ()", removed: "-export const ok = (text)" },
    { ends: "?from=base&to=1", added: "+export const ok = ()", removed: null },
  ])("is a patch between any two rounds ($ends)", async ({ ends, added, removed }) => {
    const { status, headers, body } = await world.get<string>(world.loop("f1", `/diff${ends}`));
    expect([status, headers.get("content-type")]).toEqual([200, "text/x-diff; charset=utf-8"]);
    expect(headers.get("x-diff-truncated")).toBe("false");
    expect(Number(headers.get("x-diff-limit-bytes"))).toBeGreaterThan(1_000_000);
    expect(body).toContain(added);
    if (removed === null) expect(body).toContain("--- /dev/null");
    else expect(body).toContain(removed);
  });

  test("is told by file, in pages, and of one file only", async () => {
    const { body } = await world.get<ApiDiffFiles>(world.loop("f2", "/diff/files?limit=2"));
    expect(body).toMatchObject({
      files: [{ path: "b.js", status: "added", added: 1, removed: 0, binary: false, generated: false, bytes: 20 }, {}],
      added: 3,
      next: "c.js",
    });
    const { body: rest } = await world.get(world.loop("f2", "/diff/files?limit=2&after=c.js"));
    expect(body.files[0]?.blob).toMatch(/^[0-9a-f]{40}$/);
    expect(rest).toMatchObject({ files: [{ path: "d.js" }], next: null });
    const { body: one } = await world.get<string>(world.loop("f2", "/diff/file?path=d.js"));
    expect(one).toMatch(/^diff --git a\/d\.js/);
    expect(one).not.toContain("b.js");
  });

  test("is a table of files by rounds, with the findings in each", async () => {
    const { body } = await world.get(world.loop("f1", "/files"));
    expect(body).toMatchObject({
      rounds: [{ number: 1 }, { number: 2 }],
      files: [
        {
          path: "a.js",
          cells: [
            { changed: true, added: 1, removed: 0, findings: 1, worst: "high" },
            { changed: true, added: 1, removed: 1, findings: 0, worst: null },
          ],
        },
      ],
    });
  });
});

describe("findings", () => {
  const findings = async (feature: string) =>
    (await world.get<{ findings: ApiFinding[] }>(world.loop(feature, "/findings"))).body.findings;
  const rule = async (feature: string, body: unknown, fingerprint?: string) => {
    const name = fingerprint ?? (await findings(feature))[0]?.fingerprint ?? "";
    return await world.call("POST", world.loop(feature, `/findings/${name}/disposition`), body);
  };

  test("have their way over the rounds, and the commit that fixed them", async () => {
    expect(await findings("f1")).toMatchObject([
      {
        finding: { severity: "high", native: { severity: "error" } },
        origin: { kind: "change" },
        rounds: [{ lifecycle: "new" }, { lifecycle: "resolved", disposition: "fixed" }],
        fix: { round: 1, hunk: { file: "a.js", start: 1, end: 1 } },
        actions: [],
      },
    ]);
  });

  test("of a loop that ended can be ruled on no more: 409, and why", async () => {
    const { status, body } = await rule("f1", { action: "dismiss", reason: "late" });
    expect([status, body]).toEqual([409, { success: false, code: "conflict", error: "the loop has ended" }]);
  });

  test.for([
    { what: "no reason", body: { action: "dismiss" }, path: "reason" },
    { what: "an empty reason", body: { action: "defer", reason: " " }, path: "reason" },
    { what: "an unknown action", body: { action: "delete", reason: "x" }, path: "action" },
    { what: "a note where a reason is due", body: { action: "reopen", note: "x", reason: "y" }, path: "(whole)" },
  ])("with $what: 400, and where", async ({ body, path }) => {
    const answer = await rule("f2", body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "bad-request", problems: [expect.objectContaining({ path })] });
  });

  test("a note stays with an open finding and goes to the fixer, who is told by the next prompt", async () => {
    const { status, body } = await rule("f2", { action: "tell", note: "Count from two." });
    expect([status, body]).toMatchObject([200, { success: true, finding: { disposition: { kind: "open" } } }]);
    expect((await world.get<ApiLoopState>(world.loop("f2"))).body.notes).toEqual([
      expect.stringMatching(/^About finding [0-9a-f]+: Count from two\.$/),
    ]);
    await world.call("POST", `/api/projects/${world.project}/items/f2/signal`, { signal: "resume" });
    await world.reached("f2", ["ended"]);
    const { body: prompt } = await world.get<string>(world.loop("f2", "/rounds/4/prompt?of=maker"));
    expect(prompt).toContain("Count from two.");
  });

  test("what is dismissed blocks no more; nobody fixes it then, and it cannot be dismissed twice", async () => {
    const [one] = await findings("f3");
    const name = one?.fingerprint ?? "";
    const { body } = await rule("f3", { action: "dismiss", reason: "meant so" }, name);
    expect(body).toMatchObject({
      finding: { blocks: false, disposition: { kind: "dismissed", reason: "meant so" }, rulings: [{ by: "ada" }] },
    });
    expect((await world.get<ApiLoopState>(world.loop("f3"))).body).toMatchObject({
      findings: { open: 1, blocking: 1 },
    });
    for (const [again, error] of [
      [{ action: "dismiss", reason: "x" }, "the finding is already dismissed"],
      [{ action: "tell", note: "x" }, "the finding is dismissed, so the fixer does not see it"],
    ])
      expect(await rule("f3", again, name)).toMatchObject({ status: 409, body: { error } });
    const { body: opened } = await rule("f3", { action: "reopen", reason: "it is not" }, name);
    expect(opened).toMatchObject({ finding: { blocks: true, disposition: { kind: "open" } } });
  });
});

test("a stuck loop has a packet for the person who decides; others have none", async () => {
  const world2 = await loopWorld(1);
  try {
    world2.script("f1", [build("b.js", "1;\n"), rejects("b.js"), { role: "fixer", answer: "Nothing to do." }]);
    await world2.run("f1", ["waiting-for-human"]);
    const { body } = await world2.get<ApiEscalation>(world2.loop("f1", "/escalation"));
    expect(body).toMatchObject({ reason: "stalled", counts: { critical: 0, important: 1, minor: 0 }, open: [{}] });
    expect(body.choices.map(({ key, signal }) => `${key} ${signal}`)).toEqual([
      "a take-over",
      "b accept",
      "c one-more",
    ]);
  } finally {
    await world2[Symbol.asyncDispose]();
  }
  expect(await world.get(world.loop("f1", "/escalation"))).toMatchObject({ status: 404, body: { code: "not-found" } });
});

test("the certificate holds while the branch stands where it was judged; there is no pull request here", async () => {
  expect((await world.get(world.loop("f1", "/certificate"))).body).toMatchObject({
    schemaVersion: 1,
    holds: true,
    outcome: "passed",
    rounds: [{ verdict: "fail" }, { verdict: "pass" }],
  });
  expect(await world.get(world.loop("f1", "/pull-request"))).toMatchObject({ status: 404 });
});

const PAGES = [
  "",
  "/rounds/1",
  "/rounds/1/prompt",
  "/diff",
  "/diff/files",
  "/diff/file?path=a.js",
  "/files",
  "/certificate",
];

test.for(PAGES)("%s is not sent again to who has it already", async (path) => {
  const first = await world.get(world.loop("f1", path));
  const etag = first.headers.get("etag") ?? "";
  expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[0-9a-f]{64}"$/)]);
  const again = await world.get(world.loop("f1", path), { "if-none-match": etag });
  expect([again.status, again.body]).toEqual([304, ""]);
});

const ALL = [
  ...PAGES,
  "/rounds",
  "/findings",
  "/transcripts",
  "/escalation",
  "/pull-request",
  "/transcripts/reviewing-1",
  "/transcripts/reviewing-1/prompt",
];

test.for(ALL)(
  "%s: 401 without credentials, 404 for unknown loops and projects, 400 for ids that leave",
  async (path) => {
    expect((await world.get(world.loop("f1", path), { "x-api-key": "wrong" })).status).toBe(401);
    expect((await world.get(world.loop("f9", path))).status).toBe(404);
    expect((await world.get(`/api/projects/none/loops/f1~1${path}`)).status).toBe(404);
    expect((await world.get(`/api/projects/..%2Fx/loops/f1~1${path}`)).status).toBe(400);
    expect((await world.get(`/api/projects/${world.project}/loops/..%2F..%2Fetc~1${path}`)).status).toBe(404);
  },
);

test.for([
  { path: "/rounds/x", status: 400, says: /^round: / },
  { path: "/rounds/9", status: 404, says: /no round 9 of f1~1; known: 1, 2/ },
  { path: "/rounds/9/prompt", status: 404, says: /no round 9/ },
  { path: "/rounds/1/prompt?of=nobody", status: 400, says: /^of: / },
  { path: "/rounds?limit=0", status: 400, says: /^limit: / },
  { path: "/findings?limit=x", status: 400, says: /^limit: / },
  { path: "/diff?from=HEAD~1", status: 400, says: /^from: base, head, or the number of a round/ },
  { path: "/diff?to=--output=x", status: 400, says: /^to: / },
  { path: "/diff?to=7", status: 404, says: /^to: f1~1 has no round 7 yet; known: base, head, 1, 2/ },
  { path: "/diff/file?path=../../etc/passwd", status: 404, says: /is the same in both/ },
  { path: "/diff/file", status: 400, says: /^path: / },
  { path: "/transcripts/..%2F..%2Fx", status: 400, says: /^transcript: / },
  { path: "/transcripts/fixing-99", status: 404, says: /no transcript fixing-99/ },
  { path: "/findings/nothing", status: 404, says: /no route GET/ },
])("$path: $status, and why", async ({ path, status, says }) => {
  const answer = await world.get(world.loop("f1", path));
  expect([answer.status, answer.body]).toEqual([
    status,
    expect.objectContaining({ success: false, error: expect.stringMatching(says) }),
  ]);
});

test("a word on a finding that is not there: 404", async () => {
  const body = { action: "dismiss", reason: "x" };
  const { status } = await world.call("POST", world.loop("f2", "/findings/abcdef/disposition"), body);
  expect(status).toBe(404);
});

test("a reason of a megabyte: 413", async () => {
  const body = { action: "dismiss", reason: "x".repeat(2 ** 21) };
  const { status } = await world.call("POST", world.loop("f2", "/findings/abcdef/disposition"), body);
  expect(status).toBe(413);
});
