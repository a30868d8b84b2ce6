// Against a GitHub that nobody here wrote, as far as it goes. See testing/emulated-github.ts for what our proxy adds.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../contract/listen.ts";
import type { Forge } from "../contract/port.ts";
import { openGitHub } from "./index.ts";
import { type EmulatedGitHub, emulatedGitHub, tokenOf } from "./testing/emulated-github.ts";

const repo = "/repos/acme/shop";

describe("GitHub, over the emulator,", () => {
  let github: EmulatedGitHub;
  let forge: Forge;
  let branches = 0;
  const ask = async (login: string, method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await github.as(login, method, `${repo}${path}`, body);
    expect([method, path, answer.status]).toEqual([method, path, expect.toSatisfy((status: number) => status < 300)]);
    return answer.body as Record<string, unknown>;
  };

  beforeAll(async () => {
    github = await emulatedGitHub();
    forge = openGitHub(github.address, { token: tokenOf("anneal"), clock: { now: Date.now, sleep: async () => {} } });
    for (const login of ["anneal", "alice"])
      await ask("acme", "PUT", `/collaborators/${login}`, { permission: "push" });
  });
  afterAll(() => github.close());

  /** A branch with a commit on top of main, made by the emulator's own means. */
  async function branch() {
    const name = `topic-${++branches}`;
    const main = await ask("anneal", "GET", "/git/ref/heads/main");
    const tip = (main.object as { sha: string }).sha;
    const commit = await ask("anneal", "GET", `/git/commits/${tip}`);
    const tree = (commit.tree as { sha: string }).sha;
    const made = await ask("anneal", "POST", "/git/commits", { message: name, tree, parents: [tip] });
    await ask("anneal", "POST", "/git/refs", { ref: `refs/heads/${name}`, sha: made.sha });
    return { name, sha: String(made.sha) };
  }

  async function opened(over: object = {}) {
    const { name, sha } = await branch();
    const request = { key: `loop-${name}`, branch: name, base: "main", title: "T", body: "B", draft: false, ...over };
    return { ...(await forge.open(request)), request, sha };
  }

  test("opens a pull request once, with labels and reviewers, and finds it again", async () => {
    const { pull, outcome, request, sha } = await opened({ draft: true, labels: ["anneal"], reviewers: ["alice"] });
    expect(outcome).toBe("created");
    expect(pull).toMatchObject({
      title: "T",
      body: "B",
      state: "open",
      draft: true,
      base: "main",
      head: { branch: request.branch, sha },
      author: "anneal",
      labels: ["anneal"],
      reviewers: ["alice"],
      mergeability: "clean",
      mergeCommit: null,
      key: request.key,
    });
    expect(await forge.open(request)).toEqual({ pull, outcome: "found" });
    expect(await forge.fromBranch(request.branch)).toEqual([pull]);
    expect(await forge.update(pull.number, { body: "New.", labels: ["more"] })).toMatchObject({
      body: "New.",
      labels: ["anneal", "more"],
    });
    expect(await forge.markReady(pull.number)).toMatchObject({ draft: false });
    await expect(forge.get(99_999)).rejects.toMatchObject({ kind: "not-found" });
  });

  test("leaves a person's pull request alone", async () => {
    const { name } = await branch();
    const made = await ask("alice", "POST", "/pulls", { title: "Mine", head: name, base: "main", body: "Hands off" });
    const request = { key: "k", branch: name, base: "main", title: "T", body: "B", draft: false };
    expect(await forge.open(request)).toMatchObject({
      outcome: "theirs",
      pull: { number: made.number, author: "alice", key: null },
    });
    await expect(forge.update(Number(made.number), { title: "Ours" })).rejects.toMatchObject({ kind: "not-ours" });
  });

  test("reads what people say on the whole and on lines, and answers in the thread", async () => {
    const { pull, sha } = await opened();
    const { number } = pull;
    const line = { body: "Why?", commit_id: sha, path: "README.md", line: 1, side: "RIGHT" };
    const why = await ask("alice", "POST", `/pulls/${number}/comments`, line);
    await ask("alice", "POST", `/issues/${number}/comments`, { body: "In general" });
    const answered = await forge.say(number, { key: "r1", body: "Because.", inReplyTo: Number(why.id) });
    expect(answered).toMatchObject({
      outcome: "created",
      comment: { kind: "line", key: "r1", thread: { id: `T_${why.id}` } },
    });
    expect(await forge.say(number, { key: "s", body: "one" })).toMatchObject({ outcome: "created" });
    expect(await forge.say(number, { key: "s", body: "one" })).toMatchObject({ outcome: "unchanged" });
    expect(await forge.say(number, { key: "s", body: "two" })).toMatchObject({ outcome: "edited" });
    const all = await forge.comments(number);
    expect(all.map(({ body }) => body).toSorted()).toEqual(["Because.", "In general", "Why?", "two"]);
    expect(all.find(({ body }) => body === "Why?")).toMatchObject({
      kind: "line",
      file: "README.md",
      line: 1,
      commit: sha,
      author: "alice",
      isBot: false,
      key: null,
      thread: { resolved: false },
    });
  });

  test("publishes one review with its comments, and reads the reviews of others", async () => {
    const { pull, sha } = await opened();
    const { number } = pull;
    const comments = [{ file: "README.md", line: 1, body: "```suggestion\nbetter\n```" }];
    const ours = { key: "round-1", head: sha, verdict: "comment", body: "One thing.", comments } as const;
    expect(await forge.review(number, ours)).toMatchObject({
      outcome: "created",
      review: { key: "round-1", state: "commented" },
    });
    expect(await forge.review(number, ours)).toMatchObject({ outcome: "unchanged" });
    await expect(forge.review(number, { ...ours, key: "r2", head: "0".repeat(40) })).rejects.toMatchObject({
      kind: "head-moved",
    });
    await ask("alice", "POST", `/pulls/${number}/reviews`, { event: "APPROVE", body: "Good.", commit_id: sha });
    await ask("alice", "POST", `/pulls/${number}/reviews`, { body: "not published", commit_id: sha });
    expect(await forge.reviews(number)).toMatchObject([
      { key: "round-1", body: "One thing.", commit: sha },
      { author: "alice", state: "approved", body: "Good.", commit: sha, key: null },
    ]);
    expect(await forge.comments(number)).toMatchObject([
      { body: comments[0]?.body, key: "round-1:1", file: "README.md" },
    ]);
  });

  test("reads all pages", async () => {
    const { pull } = await opened();
    for (let n = 0; n < 205; n++) await ask("alice", "POST", `/issues/${pull.number}/comments`, { body: `no. ${n}` });
    expect((await forge.comments(pull.number)).map(({ body }) => body)).toEqual(
      Array.from({ length: 205 }, (_, n) => `no. ${n}`),
    );
  });

  test("reads check runs with what they marked, the latest of each name", async () => {
    const { sha } = await opened();
    const run = (name: string, body: object) => ask("acme", "POST", "/check-runs", { name, head_sha: sha, ...body });
    const marks = [
      { path: "a.ts", start_line: 3, end_line: 3, annotation_level: "failure", message: "is not a function" },
    ];
    await run("test", { status: "completed", conclusion: "success" });
    await run("test", {
      status: "completed",
      conclusion: "failure",
      output: { title: "1 failed", summary: "red", annotations: marks },
    });
    await run("lint", { status: "in_progress" });
    const found = (await forge.checks(sha)).toSorted((one, other) => one.name.localeCompare(other.name));
    expect(found).toMatchObject([
      { name: "lint", status: "in_progress", conclusion: null },
      {
        name: "test",
        status: "completed",
        conclusion: "failure",
        summary: "1 failed\nred",
        log: "a.ts:3: is not a function",
      },
    ]);
  });

  test("knows who it is and who may write", async () => {
    expect(await forge.me()).toBe("anneal");
    expect(await forge.permission("acme")).toBe("admin");
    expect(await forge.permission("alice")).toBe("write");
    expect(await forge.permission("nobody")).toBe("none");
  });

  test("hears what is new, and nothing where nothing is", async () => {
    const { pull, sha } = await opened();
    const { number } = pull;
    let cursor: string | null = null;
    const happenings = [
      async () => {},
      () => ask("alice", "POST", `/issues/${number}/comments`, { body: "Please rename it." }),
      () => ask("alice", "POST", `/pulls/${number}/reviews`, { event: "APPROVE", body: "Good.", commit_id: sha }),
      () =>
        ask("acme", "POST", "/check-runs", { name: "t", head_sha: sha, status: "completed", conclusion: "failure" }),
      () => ask("alice", "PATCH", `/pulls/${number}`, { state: "closed" }),
    ];
    for (const happens of happenings) {
      await happens();
      // A new process has looked at nothing yet.
      const own = openGitHub(github.address, {
        token: tokenOf("anneal"),
        clock: { now: Date.now, sleep: async () => {} },
      });
      const heard = await listen(own, number, cursor);
      expect(heard).not.toBeNull();
      cursor = heard?.cursor ?? null;
      expect(await listen(own, number, cursor)).toBeNull();
    }
  });

  test("merges at the head that was approved, and says so again", async () => {
    const { pull, sha } = await opened();
    const { number } = pull;
    const asked = { method: "squash", expectedHead: sha, message: "Bring it in\n\nAll of it.\n" } as const;
    expect(await forge.merge(number, { ...asked, expectedHead: "0".repeat(40) })).toEqual({
      result: "head-moved",
      head: sha,
    });
    const done = await forge.merge(number, asked);
    expect(done).toMatchObject({ result: "merged", commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(await forge.merge(number, asked)).toEqual(done);
    const commit = done.result === "merged" ? done.commit : "";
    expect(await ask("anneal", "GET", `/git/commits/${commit}`)).toMatchObject({
      message: "Bring it in\n\nAll of it.",
    });
    expect(await forge.get(number)).toMatchObject({ state: "merged", mergeCommit: commit, mergeability: "unknown" });
    const draft = await opened({ draft: true });
    const refused = await forge.merge(draft.pull.number, { method: "merge", expectedHead: draft.sha });
    expect(refused).toMatchObject({ result: "not-mergeable", reason: expect.stringContaining("draft") });
  });

  test("asks for nothing that GitHub does not describe", () => {
    expect(github.objections).toEqual([]);
    expect([...github.ours.keys()].toSorted()).toEqual([
      "annotations",
      "etags",
      "graphql",
      "lines",
      "replies",
      "statuses",
    ]);
  });
});
