import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { approve, implement, own, project, reject } from "./testing/project.ts";

const idleFix = { role: "fixer", answer: "Nothing to mend." };
const fix = { role: "fixer", answer: "Mended.", edits: [{ path: "auth.js", content: "ok = false;\n" }] };

const workspace = (repo: TestRepo) => join(`${repo.dir}.anneal`, "a");

/** A person's commit in the workspace of feature a. */
function commitByHand(repo: TestRepo): string {
  writeFileSync(join(workspace(repo), "by-hand.js"), "mine\n");
  repo.git("-C", workspace(repo), "add", "by-hand.js");
  repo.git("-C", workspace(repo), "commit", "-qm", "by hand");
  return repo.git("-C", workspace(repo), "rev-parse", "HEAD");
}

/** A project whose feature a waits for a person, who has said that it goes on. */
async function resumed(repo: TestRepo, trouble: string[] = []) {
  const runtime = await own(repo, { onTrouble: (_, message) => trouble.push(message) });
  expect(await runtime.run("a")).toMatchObject({ stage: "waiting-for-human", reason: "stalled" });
  const word = { type: "signalled", id: "w", at: 1, signal: "resume", by: "ada" };
  runtime.store.post({ id: "w", loop: "a~1", body: { kind: "event", event: word } });
  await runtime.inbox.empty();
  return runtime;
}

const waiting = () => project({ a: { steps: [implement, reject, idleFix, fix, approve] } });

describe("commits of a person while the loop waits", () => {
  test("in its workspace are refused with the ways on, and the branch stays", async () => {
    const repo = waiting();
    const trouble: string[] = [];
    const runtime = await resumed(repo, trouble);
    const head = repo.git("rev-parse", "feature/a");
    const commit = commitByHand(repo);
    const refused = await runtime.run("a").catch((error: Error) => error.message);
    expect(refused).toBe(
      `${workspace(repo)} has commits that its loop did not make (${commit.slice(0, 12)}): ` +
        `remove them (git -C ${workspace(repo)} reset --hard ${head.slice(0, 12)}), ` +
        "or have them reviewed as they are (anneal take-over a, then anneal run a)",
    );
    expect([repo.git("rev-parse", "feature/a"), trouble]).toEqual([head, []]);
    repo.git("-C", workspace(repo), "reset", "--quiet", "--hard", head.slice(0, 12));
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
  });

  test("on the branch itself are refused and left alone", async () => {
    const repo = waiting();
    const runtime = await resumed(repo);
    repo.git("checkout", "--quiet", "feature/a");
    const commit = repo.commit({ "mine.txt": "mine\n" }, "mine");
    await expect(runtime.run("a")).rejects.toThrow("the branch feature/a has moved since the loop last used it");
    expect(repo.git("rev-parse", "feature/a")).toBe(commit);
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  test("in both places are refused in one sentence, and neither is touched", async () => {
    const repo = waiting();
    const runtime = await resumed(repo);
    const there = commitByHand(repo);
    repo.git("checkout", "--quiet", "feature/a");
    const here = repo.commit({ "mine.txt": "mine\n" }, "mine");
    await expect(runtime.run("a")).rejects.toThrow(`${workspace(repo)} has commits that its loop did not make`);
    expect(repo.git("rev-parse", "feature/a")).toBe(here);
    expect(repo.git("-C", workspace(repo), "rev-parse", "feature/a")).toBe(there);
  });
});

test("a commit that somebody makes in the workspace of a loop at work is not on the branch", async () => {
  const repo = project({ a: { steps: [implement, reject, fix, approve] } });
  let commit = "";
  const runtime = await own(repo, {
    onEvent: ({ event }) => {
      if (event.type === "reviewed" && commit === "") commit = commitByHand(repo);
    },
  });
  expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
  expect(repo.git("log", "--format=%s", "feature/a")).not.toContain("by hand");
  expect(repo.git("-C", workspace(repo), "reflog", "--format=%H", "feature/a")).toContain(commit);
});
