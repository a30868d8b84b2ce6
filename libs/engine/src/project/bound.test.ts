import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runItems } from "./auto-mode.ts";
import { approve, implement, own, project } from "./testing/project.ts";

const signal = () => new AbortController().signal;
const pass = { steps: [implement, approve] };

describe("a verdict holds for one head", () => {
  test.for([
    { what: "a commit that", act: ["commit", "-q", "--allow-empty", "-m", "unseen"] },
    { what: "a reset that", act: ["reset", "-q", "--hard", "HEAD~1"] },
  ])("$what somebody makes on its branch during the review does not pass with it", async ({ act }) => {
    const repo = project({ a: pass });
    const runtime = await own(repo, {
      onEvent: ({ event }) => {
        if (event.type !== "intended" || event.stage !== "reviewing") return;
        repo.git("switch", "-q", "feature/a");
        repo.git(...act);
      },
    });
    const state = await runtime.run("a");
    expect(state).toMatchObject({ stage: "waiting-for-human", reason: "review-broke", rounds: [] });
    expect(state).toMatchObject({ detail: expect.stringContaining("which was not reviewed") });
  });

  test("one made in the workspace is no part of the branch, and nothing passes with it", async () => {
    const repo = project({ a: pass });
    const runtime = await own(repo, {
      onEvent: ({ event }) => {
        if (event.type !== "intended" || event.stage !== "reviewing") return;
        repo.git("-C", join(`${repo.dir}.anneal`, "a"), "commit", "-q", "--allow-empty", "-m", "unseen");
      },
    });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed", head: repo.git("rev-parse", "feature/a") });
    expect(repo.git("log", "--format=%s", "feature/a")).not.toContain("unseen");
  });

  test("nor does one made before the approval", async () => {
    const repo = project({ a: { ...pass, skipTests: true } });
    const runtime = await own(repo);
    expect(await runtime.run("a")).toMatchObject({ stage: "waiting-for-human", reason: "approval" });
    repo.git("switch", "-q", "feature/a");
    repo.git("commit", "-q", "--allow-empty", "-m", "unseen");
    const word = { type: "signalled", id: "w", at: 1, signal: "approve", by: "ada" };
    runtime.store.post({ id: "w", loop: "a~1", body: { kind: "event", event: word } });
    await runtime.inbox.empty();
    expect(runtime.store.loop("a~1")?.stage).toBe("waiting-for-human");
    expect(runtime.store.inboxAnswer("w")).toMatchObject({ reason: expect.stringContaining("was not reviewed") });
  });
});

describe("nothing runs on what cannot be read", () => {
  test.for([
    { what: "a settings file cut short", settings: '{"version":1,"testCommand":"false"' },
    { what: "a test command that is none", settings: '{"version":1,"testCommand":5}' },
    { what: "a test command that needs a shell", settings: '{"version":1,"testCommand":"a && b"}' },
  ])("$what", async ({ settings }) => {
    const repo = project({ a: pass });
    writeFileSync(join(repo.dir, ".automaker/settings.json"), settings);
    const script = `scripted:${join(repo.dir, ".automaker/a.script")}`;
    const cast = { implementer: script, reviewer: script, fixer: script };
    await expect((await own(repo, { cast })).run("a")).rejects.toThrow(/settings/);
    expect(repo.git("branch", "--list", "feature/a")).toBe("");
  });

  test("a damaged feature that was asked for is reported, and is no success", async () => {
    const repo = project({ a: pass });
    writeFileSync(join(repo.dir, ".automaker/features/a/feature.json"), '{"id":');
    const { broken, settled } = await runItems(await own(repo), { only: ["a"], limit: 1, signal: signal() });
    expect([[...broken.keys()], settled.size]).toEqual([["a"], 0]);
  });

  test("a feature never works on the default branch itself", async () => {
    const repo = project({ a: { ...pass, branchName: "main" } });
    repo.git("switch", "-q", "-c", "work");
    await expect((await own(repo)).run("a")).rejects.toThrow(/would commit to main itself/);
  });
});
