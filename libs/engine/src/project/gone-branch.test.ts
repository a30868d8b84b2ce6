import { rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { expect, test } from "vitest";
import { approve, implement, own, project } from "./testing/project.ts";

/** Waits only as long as it takes to let others go first. */
const clock = {
  ...systemClock,
  sleep: (ms: number, signal: AbortSignal) => systemClock.sleep(Math.min(ms, 5), signal),
};

test("a branch that is removed while it is reviewed is named, with the way back", async () => {
  const repo = project({ a: { steps: [implement, approve] } });
  let head = "";
  const runtime = await own(repo, {
    clock,
    onEvent: ({ state }) => {
      if (state.stage !== "reviewing" || head !== "") return;
      head = repo.git("rev-parse", "feature/a");
      repo.git("update-ref", "-d", "refs/heads/feature/a");
    },
  });
  const state = await runtime.run("a");
  expect(state).toMatchObject({ stage: "waiting-for-human", options: expect.arrayContaining(["retry"]) });
  const detail = state.stage === "waiting-for-human" ? state.detail : "";
  expect(detail).toMatch(/the branch feature\/a was deleted during the review/);
  expect(detail).toContain(`git branch feature/a ${head.slice(0, 12)}`);
  expect(detail).toContain("retry");
});

test("a worktree that is removed while an agent works is named as what is missing, and not git", async () => {
  const repo = project({ a: { steps: [implement, approve] } });
  const tree = join(`${repo.dir}.anneal`, "a");
  const reported: string[] = [];
  const runtime = await own(repo, {
    clock,
    onEvent: ({ event, state }) => {
      if (event.type === "broke") reported.push(event.reason);
      if (state.stage === "validating" && reported.length === 0) rmSync(tree, { recursive: true, force: true });
    },
  });
  await runtime.run("a").catch((error: Error) => reported.push(error.message));
  expect(reported[0]).toContain(`${tree} does not exist any more`);
  expect(reported.join("\n")).not.toContain("install git");
});
