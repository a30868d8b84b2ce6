import { ReviewLoopSession } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { type ForgeProject, forgeProject } from "./testing/forge-project.ts";
import { expectGolden } from "./testing/golden-file.ts";
import { babble, fixElsewhere, fixValidator, implementBadly, implementWell } from "./testing/login-feature.ts";
import * as given from "./testing/login-review-loop.ts";

/** `anneal run`: whatever the forge reports is handled first. Each run is a process that has started anew. */
async function goesOn({ run, id, troubles }: ForgeProject) {
  const { settled, broken, blocked } = await run([id]);
  expect({ broken: [...broken], blocked, troubles }).toEqual({ broken: [], blocked: [], troubles: [] });
  return settled.get(id);
}

const QUIET_MS = 5 * 60_000;

describe("a feature leaves the files, states, commits, events and messages that seed 001 names", () => {
  test("when its self-review fails twice and passes, its feedback is addressed, a person approves, and it is merged", async () => {
    const project = await forgeProject([
      ...[implementBadly, given.fails, fixElsewhere("passwords"), given.failsAgain, fixValidator, given.passes],
      ...[given.fixLogin, given.passes],
    ]);
    const { forge } = project;
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", pr: { number: 1, draft: false } });
    const place = { file: "src/auth/login.js", line: 3 };
    await forge.as("alice").comment(1, "Please refuse a login without any password.", place);
    expect(await goesOn(project)).toMatchObject({ stage: "waiting-for-human", reason: "ready-for-human" });
    expect(project.session().state).toBe("ready_for_human_review");
    await forge.as("alice").review(1, { state: "approved", body: "Thank you." });
    expect(await goesOn(project)).toMatchObject({ stage: "ended", outcome: "merged" });
    expect(ReviewLoopSession.parse(project.session())).toEqual(project.session());
    expect((await forge.fromBranch(`feature/${project.id}`)).map(({ number }) => number)).toEqual([1]);
    expect(await project.states()).toEqual([
      ...["self_reviewing", "self_review_failed", "refining", "self_reviewing", "self_review_failed", "refining"],
      ...["self_reviewing", "self_review_passed", "pr_created", "awaiting_pr_feedback", "addressing_feedback"],
      ...["ready_for_human_review", "approved", "merged"],
    ]);
    expectGolden("pull-requests/whole-life", await project.picture());
  });

  test("when it passes at once and nobody says anything, so that it is ready for people", async () => {
    const project = await forgeProject([implementWell, given.passes], {
      settings: { pullRequests: { quietMs: QUIET_MS } },
    });
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
    expect(await goesOn(project), "silence is no news at first").toMatchObject({ stage: "awaiting-feedback" });
    await project.clock.sleep(QUIET_MS, new AbortController().signal);
    expect(await goesOn(project)).toMatchObject({ stage: "waiting-for-human", reason: "ready-for-human" });
    expectGolden("pull-requests/pass-at-once", await project.picture());
  });

  test("when its iterations run out, so that the pull request lists what is left", async () => {
    const project = await forgeProject([
      ...[implementBadly, given.fails, fixElsewhere("passwords"), given.failsAgain, fixElsewhere("e-mail")],
      given.failsAgain,
    ]);
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", pr: { draft: false } });
    expectGolden("pull-requests/run-out", await project.picture());
  });

  test("when its review breaks, and a person skips it", async () => {
    const project = await forgeProject([implementWell, ...Array(4).fill(babble)]);
    expect(await goesOn(project)).toMatchObject({ stage: "waiting-for-human", reason: "review-broke" });
    expect(project.repo.git("ls-remote", "origin").split("\n"), "nothing is pushed").toHaveLength(2);
    expect(await project.say(project.id, "skip")).toMatchObject({ result: "taken" });
    expect(await goesOn(project)).toMatchObject({ stage: "waiting-for-human", pr: { number: 1, draft: true } });
    expectGolden("pull-requests/skipped", await project.picture());
  });
});
