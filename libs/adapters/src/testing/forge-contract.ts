import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimited } from "../forges/errors.ts";
import type { Person } from "../forges/fake/people.ts";
import { listen } from "../forges/listen.ts";
import type { Check, Forge, OpenRequest, Permission, PullRequest } from "../forges/port.ts";

/** A forge under test, with people on it. One repository serves all tests: each uses branches of its own. */
export interface ForgeWorld {
  forge: Forge;
  /** The same account from elsewhere: it shares nothing with the first but the forge itself. */
  again(): Promise<Forge>;
  as(name: string): Person;
  setUser(name: string, permission: Permission, kind?: "person" | "bot"): Promise<void>;
  setCheck(head: string, check: Pick<Check, "name"> & Partial<Omit<Check, "id" | "head" | "url">>): Promise<number>;
  limitUntil(ms: number | null): Promise<void>;
  loseAnswers(count: number): Promise<void>;
  /** The forge's clock, in milliseconds since 1970. */
  now(): number;
  /** The text of a file on a branch, or null. */
  fileAt(branch: string, path: string): Promise<string | null>;
  close(): Promise<void>;
}

/** What holds for every forge. */
export function forgeContract(name: string, make: () => Promise<ForgeWorld>): void {
  describe(`${name} keeps the forge contract`, () => {
    let world: ForgeWorld;
    let forge: Forge;
    let count = 0;
    beforeAll(async () => {
      world = await make();
      ({ forge } = world);
      await world.setUser("alice", "write");
      await world.setUser("root", "admin");
      await world.setUser("reader", "read");
      await world.setUser("linter", "write", "bot");
      await world.as("root").push("main", { "a.txt": "one\ntwo\nthree\n" });
    });
    afterAll(() => world.close());

    /** A branch of its own with one change, based on a base of its own. */
    async function branch(files: Record<string, string | null> = {}): Promise<OpenRequest> {
      const n = ++count;
      const base = `base-${n}`;
      await world.as("root").push(base, { "base.txt": `${n}\n` }, "main");
      await world.as("root").push(`topic-${n}`, { [`new-${n}.txt`]: "new\n", ...files }, base);
      return { key: `loop-${n}`, branch: `topic-${n}`, base, title: "Add a file", body: "Why.", draft: false };
    }
    async function opened(over: Partial<OpenRequest> = {}): Promise<{ pull: PullRequest; request: OpenRequest }> {
      const request = { ...(await branch()), ...over };
      return { pull: (await forge.open(request)).pull, request };
    }

    describe("opening", () => {
      test("a pull request has what was asked for, and its head is the branch's", async () => {
        const request = { ...(await branch()), draft: true, labels: ["anneal"], reviewers: ["alice"] };
        const { pull, outcome } = await forge.open(request);
        expect(outcome).toBe("created");
        expect(pull).toMatchObject({
          title: "Add a file",
          body: "Why.",
          state: "open",
          draft: true,
          base: request.base,
          head: { branch: request.branch },
          labels: ["anneal"],
          reviewers: ["alice"],
          mergeability: "clean",
          mergeCommit: null,
          key: request.key,
          author: await forge.me(),
        });
        expect(pull.url).toContain(String(pull.number));
        expect(await forge.get(pull.number)).toEqual(pull);
      });

      test("the same key again gives the same pull request, and adds the labels and reviewers that a crash left out", async () => {
        const request = await branch();
        const first = await forge.open(request);
        const again = await (await world.again()).open({ ...request, labels: ["late"], reviewers: ["alice"] });
        expect(again).toMatchObject({ outcome: "found", pull: { number: first.pull.number, labels: ["late"] } });
        expect(again.pull.reviewers).toEqual(["alice"]);
        expect(await forge.fromBranch(request.branch)).toHaveLength(1);
      });

      test("one that was closed meanwhile is found and not opened a second time", async () => {
        const { pull, request } = await opened();
        await world.as("root").close(pull.number);
        expect(await forge.open(request)).toMatchObject({ outcome: "found", pull: { state: "closed" } });
        expect(await forge.fromBranch(request.branch)).toHaveLength(1);
      });

      test("an open one of an earlier loop over the branch takes the new text and answers to the new key", async () => {
        const { pull, request } = await opened();
        const next = { ...request, key: `${request.key}-b`, title: "Second try", body: "Again." };
        const found = await forge.open(next);
        expect(found).toMatchObject({ outcome: "found", pull: { number: pull.number, title: "Second try" } });
        expect(found.pull).toMatchObject({ key: next.key, body: "Again." });
      });

      test("a person's pull request from the branch is left as it is, though its text carries our marker", async () => {
        const request = await branch();
        const theirs = `Mine.\n\n<!-- anneal:v1 kind=pull-request key=${request.key} -->`;
        const number = await world.as("alice").open(request.branch, request.base, "By hand", theirs);
        const { pull, outcome } = await forge.open(request);
        expect({ outcome, number: pull.number, key: pull.key }).toEqual({ outcome: "theirs", number, key: null });
        expect(pull).toMatchObject({ title: "By hand", body: theirs, author: "alice" });
        for (const act of [forge.update(number, { body: "ours now" }), forge.markReady(number)]) {
          await expect(act).rejects.toMatchObject({ name: "ForgeError", kind: "not-ours" });
        }
      });

      test("a branch that is not on the forge is named, and nothing is opened", async () => {
        const request = await branch();
        const gone = forge.open({ ...request, branch: "nowhere" });
        await expect(gone).rejects.toMatchObject({ kind: "invalid", message: expect.stringContaining("nowhere") });
        await expect(forge.open({ ...request, base: "main^" })).rejects.toMatchObject({ kind: "invalid" });
        expect(await forge.fromBranch(request.branch)).toEqual([]);
      });

      test("of ten that open at once, one creates and all get the same", async () => {
        const request = await branch();
        const clients = await Promise.all(Array.from({ length: 10 }, () => world.again()));
        const all = await Promise.all(clients.map((client) => client.open(request)));
        expect(all.filter(({ outcome }) => outcome === "created")).toHaveLength(1);
        expect(new Set(all.map(({ pull }) => pull.number)).size).toBe(1);
      });
    });

    describe("changing", () => {
      test("title, body and labels change, the key stays, and what is not named stays", async () => {
        const { pull, request } = await opened({ labels: ["a"] });
        const after = await forge.update(pull.number, { body: "New text.", labels: ["b"] });
        expect(after).toMatchObject({ title: "Add a file", body: "New text.", labels: ["a", "b"], key: request.key });
        expect(await forge.update(pull.number, { title: "T" })).toMatchObject({ title: "T", body: "New text." });
      });

      test("a draft becomes ready, once and for good", async () => {
        const { pull } = await opened({ draft: true });
        expect(await forge.markReady(pull.number)).toMatchObject({ draft: false });
        expect(await forge.markReady(pull.number)).toMatchObject({ draft: false });
      });

      test("a push moves the head", async () => {
        const { pull, request } = await opened();
        const head = await world.as("alice").push(request.branch, { "more.txt": "more\n" });
        expect((await forge.get(pull.number)).head.sha).toBe(head);
        expect(head).not.toBe(pull.head.sha);
      });

      test("a number that does not exist is an error of its own kind", async () => {
        await expect(forge.get(9_999)).rejects.toMatchObject({ kind: "not-found" });
        await expect(forge.comments(9_999)).rejects.toMatchObject({ kind: "not-found" });
      });
    });

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
          comments: [{ file: "a.txt", line: 1, body: "here" }],
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
        expect(await forge.checks(sha)).toMatchObject([
          { name: "test", status: "completed", conclusion: "failure", log: "1 failed", summary: "red", head: sha },
          { name: "lint", status: "in_progress", conclusion: null, completedAt: null },
        ]);
        await world.setCheck(sha, { name: "test", conclusion: "success" });
        expect((await forge.checks(sha)).map((check) => check.conclusion)).toEqual(["success", null]);
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

      test("a look hears everything with each author's permission, and nothing new is null", async () => {
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

    describe("merging", () => {
      test.for(["merge", "squash"] as const)(
        "%s puts the change into the base, and a second time is the same",
        async (method) => {
          const { pull, request } = await opened();
          const asked = { method, expectedHead: pull.head.sha, message: "Bring it in\n" };
          const done = await forge.merge(pull.number, asked);
          expect(done).toMatchObject({ result: "merged", commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
          expect(await (await world.again()).merge(pull.number, asked)).toEqual(done);
          const commit = done.result === "merged" ? done.commit : "";
          expect(await forge.get(pull.number)).toMatchObject({ state: "merged", mergeCommit: commit });
          expect(await world.fileAt(request.base, `new-${request.branch.slice(6)}.txt`)).toBe("new\n");
          await world.as("alice").push(request.branch, { "after.txt": "after\n" });
          expect((await forge.get(pull.number)).head.sha).toBe(pull.head.sha);
          const other = { ...asked, expectedHead: "0".repeat(40) };
          expect(await forge.merge(pull.number, other)).toMatchObject({ result: "head-moved" });
        },
      );

      test("a head that moved after its review is not merged", async () => {
        const { pull, request } = await opened();
        const head = await world.as("mallory").push(request.branch, { "evil.txt": "evil\n" });
        const asked = { method: "merge", expectedHead: pull.head.sha } as const;
        expect(await forge.merge(pull.number, asked)).toEqual({ result: "head-moved", head });
        expect(await world.fileAt(request.base, "evil.txt")).toBeNull();
        expect(await forge.get(pull.number)).toMatchObject({ state: "open" });
      });

      test("a conflict is a result that names the files, and changes nothing", async () => {
        const request = await branch({ "base.txt": "ours\n" });
        const { pull } = await forge.open(request);
        await world.as("alice").push(request.base, { "base.txt": "theirs\n" });
        const asked = { method: "merge", expectedHead: pull.head.sha } as const;
        expect(await forge.merge(pull.number, asked)).toEqual({ result: "conflict", files: ["base.txt"] });
        expect(await forge.get(pull.number)).toMatchObject({ state: "open", mergeability: "conflict" });
        expect(await world.fileAt(request.base, "base.txt")).toBe("theirs\n");
      });

      test.for([
        { what: "a draft", over: { draft: true }, act: async () => {} },
        { what: "a closed one", over: {}, act: (number: number) => world.as("root").close(number) },
      ])("$what is not merged, and the result says why", async ({ over, act }) => {
        const { pull, request } = await opened(over);
        await act(pull.number);
        const result = await forge.merge(pull.number, { method: "merge", expectedHead: pull.head.sha });
        expect(result).toMatchObject({ result: "not-mergeable", reason: expect.stringMatching(/draft|closed/) });
        expect(await world.fileAt(request.base, `new-${request.branch.slice(6)}.txt`)).toBeNull();
      });

      test("a merge by somebody else shows, and ours then says that it is merged", async () => {
        const { pull } = await opened();
        expect(await world.as("root").merge(pull.number)).toMatchObject({ result: "merged" });
        expect(await forge.get(pull.number)).toMatchObject({ state: "merged", mergeCommit: expect.any(String) });
        const asked = { method: "merge", expectedHead: pull.head.sha } as const;
        expect(await forge.merge(pull.number, asked)).toMatchObject({ result: "merged" });
        await expect(world.as("stranger").merge(pull.number)).rejects.toMatchObject({ kind: "forbidden" });
      });

      test("four that merge one pull request at once make one merge; four into one base all get in", async () => {
        const { pull, request } = await opened();
        const clients = await Promise.all(Array.from({ length: 4 }, () => world.again()));
        const asked = { method: "merge", expectedHead: pull.head.sha } as const;
        const results = await Promise.all(clients.map((client) => client.merge(pull.number, asked)));
        expect(new Set(results.map((one) => (one.result === "merged" ? one.commit : one.result))).size).toBe(1);
        const others = await Promise.all(
          clients.map(async (client, n) => {
            await world.as("root").push(`${request.base}-${n}`, { [`side-${n}.txt`]: "side\n" }, request.base);
            const one = { ...request, key: `side-${n}`, branch: `${request.base}-${n}` };
            const { pull: side } = await client.open(one);
            return client.merge(side.number, { method: "merge", expectedHead: side.head.sha });
          }),
        );
        expect(others.map(({ result }) => result)).toEqual(["merged", "merged", "merged", "merged"]);
        for (let n = 0; n < 4; n++) expect(await world.fileAt(request.base, `side-${n}.txt`)).toBe("side\n");
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
  });
}
