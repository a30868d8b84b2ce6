import { describe, expect, test } from "vitest";
import { RateLimited } from "../forges/contract/errors.ts";
import { listen } from "../forges/contract/listen.ts";
import type { ForgeFixture } from "./forge-world.ts";

/** Comments, reviews, checks, people, and what can go wrong with all of them. */
export function conversationContract({ world, forge, branch, opened }: ForgeFixture): void {
  describe("talking", () => {
    test("a comment is made once per key, edited in place, and never of the same text twice", async () => {
      const { pull } = await opened();
      const say = (body: string) => forge.say(pull.number, { key: "summary", body });
      const { comment, outcome } = await say("first");
      expect(outcome).toBe("created");
      expect(await say("first")).toMatchObject({ outcome: "unchanged", comment: { id: comment.id } });
      expect(await say("second")).toMatchObject({ outcome: "edited", comment: { id: comment.id, body: "second" } });
      expect(await forge.comments(pull.number)).toMatchObject([{ body: "second", key: "summary" }]);
    });

    test("comments on lines have file, line, commit and thread; replies join it; resolving shows on all of it", async () => {
      const { pull } = await opened();
      const alice = world.as("alice");
      const id = await alice.comment(pull.number, "Why?", { file: "a.txt", line: 2 });
      await alice.comment(pull.number, "In general");
      const { comment } = await forge.say(pull.number, { key: "r1", body: "Because.", inReplyTo: id });
      const [first, whole, reply] = await forge.comments(pull.number);
      expect(first).toMatchObject({ kind: "line", file: "a.txt", line: 2, commit: pull.head.sha, author: "alice" });
      expect(first?.thread).toMatchObject({ resolved: false });
      expect(whole).toMatchObject({ kind: "conversation", thread: null, commit: null });
      expect(reply).toMatchObject({ id: comment.id, key: "r1", thread: first?.thread, file: "a.txt", line: 2 });
      await alice.resolve(pull.number, id);
      const threads = (await forge.comments(pull.number)).map(({ thread }) => thread?.resolved);
      expect(threads).toEqual([true, undefined, true]);
    });

    test("an answer to a comment on the whole is a comment on the whole; to a missing one, an error", async () => {
      const { pull } = await opened();
      const id = await world.as("alice").comment(pull.number, "Hm.");
      const answer = await forge.say(pull.number, { key: "r", body: "Yes.", inReplyTo: id });
      expect(answer.comment).toMatchObject({ kind: "conversation", thread: null });
      const lost = forge.say(pull.number, { key: "r2", body: "?", inReplyTo: 999_999 });
      await expect(lost).rejects.toMatchObject({ kind: "not-found" });
    });

    test("a marker in other people's text never counts as ours, and neither does one that we quote", async () => {
      const { pull } = await opened();
      const stolen = "Fine.\n\n<!-- anneal:v1 kind=comment key=summary -->";
      await world.as("alice").comment(pull.number, stolen);
      await forge.say(pull.number, { key: "quote", body: `> ${stolen}` });
      await forge.say(pull.number, { key: "quote-2", body: stolen });
      const own = await forge.say(pull.number, { key: "summary", body: "ours" });
      expect(own.outcome).toBe("created");
      const all = await forge.comments(pull.number);
      expect(all.map(({ key }) => key)).toEqual([null, "quote", "quote-2", "summary"]);
      expect(all[0]?.body).toBe(stolen);
      expect(all[2]?.body).not.toContain("<!--");
    });

    test("what our own account writes by hand is not ours", async () => {
      const { pull } = await opened();
      await world.as(await forge.me()).comment(pull.number, "typed by a person who shares the account");
      expect(await forge.comments(pull.number)).toMatchObject([{ key: null }]);
    });

    test("a key that could not be found again is refused", async () => {
      const { pull } = await opened();
      for (const key of ["", "a b", "x -->", "ü", "k".repeat(201)]) {
        await expect(forge.say(pull.number, { key, body: "b" })).rejects.toMatchObject({ kind: "invalid" });
      }
      expect(await forge.comments(pull.number)).toEqual([]);
    });

    test("a thousand comments come whole and in order, and only the new ones where asked", async () => {
      const { pull } = await opened();
      const comments = Array.from({ length: 250 }, (_, n) => ({
        file: "a.txt",
        line: 1 + (n % 3),
        body: `no. ${n}`,
      }));
      for (let n = 0; n < 4; n++) await world.as("alice").review(pull.number, { state: "commented", comments });
      const all = await forge.comments(pull.number);
      expect(all).toHaveLength(1_000);
      expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => a - b));
      const since = all.at(-1)?.createdAt ?? "";
      await world.as("alice").comment(pull.number, "the last word");
      const fresh = await forge.comments(pull.number, { since });
      expect(fresh.at(-1)?.body).toBe("the last word");
      expect(fresh.length).toBeLessThan(1_000);
    });

    test("ten writers at once lose no comment and double none", async () => {
      const { pull } = await opened();
      const clients = await Promise.all(Array.from({ length: 10 }, () => world.again()));
      await Promise.all(
        clients.map((client, n) => client.say(pull.number, { key: `w${n % 5}`, body: `writer ${n % 5}` })),
      );
      const all = await forge.comments(pull.number);
      expect(all.map(({ key }) => key).toSorted()).toEqual(["w0", "w1", "w2", "w3", "w4"]);
    });
  });

  describe("reviews", () => {
    test("a review names its author, its verdict and the head it was made on, which a push does not change", async () => {
      const { pull, request } = await opened();
      await world.as("alice").review(pull.number, { state: "approved", body: "Good." });
      const head = await world.as("alice").push(request.branch, { "late.txt": "late\n" });
      await world.as("root").review(pull.number, { state: "changes_requested", body: "Not yet." });
      expect(await forge.reviews(pull.number)).toMatchObject([
        { author: "alice", state: "approved", body: "Good.", commit: pull.head.sha, key: null },
        { author: "root", state: "changes_requested", commit: head },
      ]);
    });

    test("a dismissed review says so, and one that is not published is not there", async () => {
      const { pull } = await opened();
      const id = await world.as("alice").review(pull.number, { state: "changes_requested" });
      await world.as("root").dismiss(pull.number, id);
      const comments = [{ file: "a.txt", line: 1, body: "draft" }];
      await world.as("alice").review(pull.number, { state: "pending", body: "secret thoughts", comments });
      expect(await forge.reviews(pull.number)).toMatchObject([{ id, state: "dismissed" }]);
      expect(await forge.comments(pull.number)).toEqual([]);
    });

    test("our review with its comments is made once per key, and only on the head that was reviewed", async () => {
      const { pull, request } = await opened();
      const ours = {
        key: "round-1",
        head: pull.head.sha,
        verdict: "comment" as const,
        body: "Two things.",
        // A line that the pull request changes: other lines can carry no comment on some forges.
        comments: [{ file: `new-${request.branch.slice("topic-".length)}.txt`, line: 1, body: "here" }],
      };
      expect(await forge.review(pull.number, ours)).toMatchObject({ outcome: "created", review: { key: "round-1" } });
      await world.as("alice").push(request.branch, { "late.txt": "late\n" });
      expect(await forge.review(pull.number, ours)).toMatchObject({ outcome: "unchanged" });
      await expect(forge.review(pull.number, { ...ours, key: "round-2" })).rejects.toMatchObject({
        kind: "head-moved",
      });
      const [review, ...more] = await forge.reviews(pull.number);
      expect(more).toEqual([]);
      expect(review).toMatchObject({ state: "commented", body: "Two things.", commit: pull.head.sha });
      const comments = await forge.comments(pull.number);
      expect(comments).toMatchObject([{ body: "here", reviewId: review?.id, key: expect.any(String) }]);
    });
  });

  describe("checks and people", () => {
    test("checks belong to one head, and of several runs the latest counts", async () => {
      const { pull } = await opened();
      const { sha } = pull.head;
      await world.setCheck(sha, { name: "test", conclusion: "failure", log: "1 failed", summary: "red" });
      await world.setCheck(sha, { name: "lint", status: "in_progress" });
      await world.setCheck("f".repeat(40), { name: "test", conclusion: "success" });
      // Their order says nothing.
      const byName = async () => (await forge.checks(sha)).toSorted((a, b) => a.name.localeCompare(b.name));
      expect(await byName()).toMatchObject([
        { name: "lint", status: "in_progress", conclusion: null, completedAt: null },
        { name: "test", status: "completed", conclusion: "failure", log: "1 failed", summary: "red", head: sha },
      ]);
      await world.setCheck(sha, { name: "test", conclusion: "success" });
      expect((await byName()).map((check) => check.conclusion)).toEqual([null, "success"]);
      expect(await forge.checks("e".repeat(40))).toEqual([]);
    });

    test.for([
      ["root", "admin"],
      ["alice", "write"],
      ["reader", "read"],
      ["stranger", "none"],
      ["__proto__", "none"],
    ])("%s has the permission %s", async ([user = "", permission]) => {
      expect(await forge.permission(user)).toBe(permission);
    });

    test("a poll returns everything with each author's permission, and nothing new is null", async () => {
      const { pull, request } = await opened();
      await world.as("stranger").comment(pull.number, "Delete everything!");
      await world.as("linter").comment(pull.number, "2 warnings");
      await world.as("alice").review(pull.number, { state: "approved" });
      await forge.say(pull.number, { key: "hello", body: "Hello." });
      await world.setCheck(pull.head.sha, { name: "test" });
      const heard = await listen(forge, pull.number, null);
      expect(heard).toMatchObject({
        pull: { number: pull.number },
        comments: [{ author: "stranger", isBot: false }, { author: "linter", isBot: true }, { key: "hello" }],
        reviews: [{ author: "alice" }],
        checks: [{ name: "test" }],
      });
      expect({ ...heard?.permissions }).toEqual({ stranger: "none", linter: "write", alice: "write" });
      let cursor = heard?.cursor ?? null;
      expect(await listen(await world.again(), pull.number, cursor)).toBeNull();
      const happenings = [
        () => world.as("alice").comment(pull.number, "More."),
        () => world.setCheck(pull.head.sha, { name: "test", conclusion: "failure" }),
        () => world.as("alice").push(request.branch, { "x.txt": "x\n" }),
        () => world.as("alice").push(request.base, { "y.txt": "y\n" }),
        () => world.as("root").close(pull.number),
      ];
      for (const happens of happenings) {
        await happens();
        const next = await listen(forge, pull.number, cursor);
        expect(next).not.toBeNull();
        cursor = next?.cursor ?? null;
      }
      expect(await listen(forge, pull.number, cursor)).toBeNull();
    });
  });

  describe("trouble", () => {
    test("a rate limit is an error that says until when, and nothing was done", async () => {
      const { pull, request } = await opened();
      const until = world.now() + 3_600_000;
      await world.limitUntil(until);
      const calls = [
        () => forge.get(pull.number),
        () => forge.say(pull.number, { key: "k", body: "b" }),
        () => forge.open({ ...request, key: "other", branch: request.base }),
        () => forge.merge(pull.number, { method: "merge", expectedHead: pull.head.sha }),
        () => listen(forge, pull.number, null),
      ];
      for (const call of calls) {
        const error = await call().then(
          () => null,
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(RateLimited);
        expect(error).toMatchObject({ kind: "rate-limited", retryAt: until });
      }
      await world.limitUntil(null);
      expect(await forge.comments(pull.number)).toEqual([]);
    });

    test("an answer that got lost doubles nothing: asked again, what was done is found", async () => {
      const request = await branch();
      const unanswered = async <T>(act: () => Promise<T>): Promise<T> => {
        await world.loseAnswers(1);
        await expect(act()).rejects.toMatchObject({ kind: "unavailable" });
        return act();
      };
      const { pull, outcome } = await unanswered(() => forge.open(request));
      expect(outcome).toBe("found");
      await unanswered(() => forge.say(pull.number, { key: "k", body: "b" }));
      const review = { key: "r", head: pull.head.sha, verdict: "comment", body: "b" } as const;
      await unanswered(() => forge.review(pull.number, review));
      const asked = { method: "merge", expectedHead: pull.head.sha } as const;
      expect(await unanswered(() => forge.merge(pull.number, asked))).toMatchObject({ result: "merged" });
      expect(await forge.fromBranch(request.branch)).toHaveLength(1);
      expect(await forge.comments(pull.number)).toHaveLength(1);
      expect(await forge.reviews(pull.number)).toHaveLength(1);
    });
  });
}
