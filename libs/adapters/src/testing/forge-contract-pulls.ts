import { describe, expect, test } from "vitest";
import type { ForgeFixture } from "./forge-world.ts";

/** Opening, changing and merging pull requests. */
export function pullRequestContract({ world, forge, branch, opened }: ForgeFixture): void {
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

    test("a branch that is deleted shows, and so does its return", async () => {
      const { pull, request } = await opened();
      expect(pull.head.gone).toBeUndefined();
      const { cursor } = await forge.changed(pull.number, null);
      await world.as("root").deleteBranch(request.branch);
      expect(await forge.changed(pull.number, cursor)).toMatchObject({ changed: true });
      const left = await forge.get(pull.number);
      // Some forges close such a pull request.
      if (left.state === "open") expect(left.head).toMatchObject({ branch: request.branch, gone: true });
      await world.as("root").push(request.branch, { "back.txt": "back\n" }, request.base);
      expect((await forge.get(pull.number)).head.gone).toBeUndefined();
    });

    test("a number that does not exist is an error of its own kind", async () => {
      await expect(forge.get(9_999)).rejects.toMatchObject({ kind: "not-found" });
      await expect(forge.comments(9_999)).rejects.toMatchObject({ kind: "not-found" });
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

    test("a conflict is a result that names the files where the forge does, and changes nothing", async () => {
      const request = await branch({ "base.txt": "ours\n" });
      const { pull } = await forge.open(request);
      await world.as("alice").push(request.base, { "base.txt": "theirs\n" });
      const asked = { method: "merge", expectedHead: pull.head.sha } as const;
      expect(await forge.merge(pull.number, asked)).toEqual({
        result: "conflict",
        files: world.namesConflicts ? ["base.txt"] : [],
      });
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

    test("one whose head has come to the base another way is merged at that head, whoever looks", async () => {
      const { pull, request } = await opened();
      const { cursor } = await forge.changed(pull.number, null);
      const root = world.as("root");
      await root.push(`${request.branch}-and-more`, { "more.txt": "more\n" }, request.branch);
      const other = await root.open(`${request.branch}-and-more`, request.base, "Both");
      expect(await root.merge(other)).toMatchObject({ result: "merged" });
      const merged = { state: "merged", head: { sha: pull.head.sha }, mergeCommit: expect.any(String) };
      expect(await forge.changed(pull.number, cursor)).toMatchObject({ changed: true });
      expect(await (await world.again()).get(pull.number)).toMatchObject(merged);
      await root.close(pull.number);
      await root.push(request.branch, { "later.txt": "later\n" });
      expect(await forge.fromBranch(request.branch)).toMatchObject([merged]);
      const asked = { method: "merge", expectedHead: pull.head.sha } as const;
      expect(await forge.merge(pull.number, asked)).toMatchObject({ result: "merged" });
      const next = await forge.open({ ...request, key: `${request.key}-next` });
      expect(next).toMatchObject({ outcome: "created", pull: { state: "open" } });
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
}
