import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { approve, implement, own, project, reject } from "./testing/project.ts";

const idleFix = { role: "fixer", answer: "Nothing to mend." };
const fix = { role: "fixer", answer: "Mended.", edits: [{ path: "auth.js", content: "ok = false;\n" }] };

/** A person's commit in the worktree of feature a. */
function commitByHand(repo: TestRepo): string {
  const tree = join(`${repo.dir}.anneal`, "a");
  writeFileSync(join(tree, "by-hand.js"), "mine\n");
  repo.git("-C", tree, "add", "by-hand.js");
  repo.git("-C", tree, "commit", "-qm", "by hand");
  return repo.git("-C", tree, "rev-parse", "HEAD");
}

const kept = (repo: TestRepo) =>
  repo.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/anneal/kept").split("\n").filter(Boolean);

describe("a commit that somebody makes in a feature's worktree is kept and told, never dropped", () => {
  test("while the loop waits", async () => {
    const repo = project({ a: { steps: [implement, reject, idleFix, fix, approve] } });
    const first = await own(repo);
    expect(await first.run("a")).toMatchObject({ stage: "waiting-for-human", reason: "stalled" });
    const commit = commitByHand(repo);
    const word = { type: "signalled", id: "w", at: 1, signal: "resume", by: "ada" };
    first.store.post({ id: "w", loop: "a~1", body: { kind: "word", word } });
    await first.mailbox.empty();
    await first.close();
    const trouble: string[] = [];
    const second = await own(repo, { onTrouble: (_, message) => trouble.push(message) });
    await second.run("a");
    expect(kept(repo)).toEqual([`${commit} refs/anneal/kept/a/found-${commit.slice(0, 12)}`]);
    expect(trouble).toEqual([expect.stringContaining(`refs/anneal/kept/a/found-${commit.slice(0, 12)}`)]);
    expect(repo.git("log", "--format=%s", "feature/a")).not.toContain("by hand");
  });

  test("between two stages of a loop at work", async () => {
    const repo = project({ a: { steps: [implement, reject, fix, approve] } });
    let commit = "";
    const runtime = await own(repo, {
      onEvent: ({ event }) => {
        if (event.type === "reviewed" && commit === "") commit = commitByHand(repo);
      },
    });
    await runtime.run("a");
    expect(kept(repo)).toEqual([`${commit} refs/anneal/kept/a/found-${commit.slice(0, 12)}`]);
  });
});

test("a loop that nobody disturbs keeps nothing", async () => {
  const repo = project({ a: { steps: [implement, reject, fix, approve] } });
  await (await own(repo)).run("a");
  expect(kept(repo)).toEqual([]);
});
