import { READY_COMMENT } from "@anneal/core/notify";
import { describe, expect, test } from "vitest";
import { branch, type ForgeProject, forgeProject, goesOn, head } from "../../golden/testing/forge-project.ts";
import { FEATURE, implementWell } from "../../golden/testing/login-feature.ts";
import * as given from "../../golden/testing/login-review-loop.ts";
import { statusOf } from "../../project/status.ts";

/** One `anneal run` of the feature, with everything that the forge has to say. */

const onRemote = (project: ForgeProject) => project.repo.git("ls-remote", "origin", branch(project)).split("\t")[0];
const opened = [implementWell, given.passes];
/** Every try of the first review. */
const breaks = Array(4).fill({ role: "reviewer", end: "crash" });

describe("feedback", () => {
  test("reopens what was ready for people, and is answered where it was given", async () => {
    const project = await forgeProject([...opened, given.fixLogin, given.passes]);
    await goesOn(project);
    await project.say(project.id, "ready");
    await project.forge.as("alice").review(1, {
      state: "changes_requested",
      body: "Refuse logins without a password.",
    });
    expect(await goesOn(project)).toMatchObject({ reason: "ready-for-human", feedbackCycles: 1 });
    const said = (await project.forge.comments(1)).map(({ body }) => body);
    expect(said.filter((body) => body !== READY_COMMENT)).toEqual([
      `> Refuse logins without a password.\n\nAddressed in ${head(project).slice(0, 12)}.`,
    ]);
    expect(await project.states()).toEqual(expect.arrayContaining(["ready_for_human_review", "addressing_feedback"]));
    // That her review still asks for changes is reported once.
    await goesOn(project);
    const events = (await project.notifications()).length;
    await goesOn(project);
    expect((await project.notifications()).length, "what was heard is no news").toBe(events);
  });

  test("that a failing check gives is fixed like any other", async () => {
    const project = await forgeProject([...opened, given.fixLogin, given.passes]);
    await goesOn(project);
    await project.forge.setCheck(head(project), {
      name: "unit",
      conclusion: "failure",
      log: "login(undefined) is 200",
    });
    expect(await goesOn(project)).toMatchObject({ reason: "ready-for-human" });
    await project.forge.setCheck(head(project), { name: "unit" });
    await project.forge.as("alice").review(1, { state: "approved" });
    expect(await goesOn(project)).toMatchObject({ outcome: "merged" });
  });

  test("goes to a person where the settings say that comments are not addressed", async () => {
    const project = await forgeProject(opened, { settings: { reviewLoop: { autoAddressReviewComments: false } } });
    await goesOn(project);
    await project.forge.as("alice").comment(1, "Please rename login to signIn.");
    expect(await goesOn(project)).toMatchObject({
      reason: "feedback-exhausted",
      detail: "under this policy people handle the feedback",
      options: ["refine", "ready", "take-over", "stop"],
    });
  });

  test("that is a question waits for a person, who answers it", async () => {
    const project = await forgeProject(opened);
    await goesOn(project);
    await project.forge.as("alice").comment(1, "Why is the length eight?");
    expect(await goesOn(project)).toMatchObject({ reason: "ready-for-human" });
    const notifications = (await project.notifications()).flatMap(({ seed }) => seed);
    expect(notifications.find(({ type }) => type === "review-loop:pr-feedback-received")?.payload).toMatchObject({
      feedback: { questionsToAnswer: [{ author: "alice", question: "Why is the length eight?" }] },
    });
  });
});

describe("skip, retry, refine and ready", () => {
  test("without a self-review the pull request is a draft, NOT REVIEWED", async () => {
    const project = await forgeProject([implementWell], { settings: { reviewLoop: { selfReviewBeforePR: false } } });
    expect(await goesOn(project)).toMatchObject({ reason: "ready-for-human", rounds: [], pr: { draft: true } });
    expect(await project.forge.get(1)).toMatchObject({ draft: true, title: "NOT REVIEWED: Add user authentication" });
  });

  test("what was merged NOT REVIEWED is reported so in its session, and in the loop and the status of what builds on it", async () => {
    const project = await forgeProject([implementWell], { settings: { reviewLoop: { selfReviewBeforePR: false } } });
    await goesOn(project);
    expect(project.session()).toMatchObject({ notReviewed: true });
    await project.say(project.id, "approve");
    expect(await goesOn(project)).toMatchObject({ outcome: "merged" });
    expect(project.session()).toMatchObject({ state: "merged", notReviewed: true });
    const next = await project.add({ ...FEATURE, dependencies: [project.id] }, { steps: [implementWell] });
    const lines = await project.read((reader) => statusOf(reader));
    expect(lines.find(({ id }) => id === next)).toMatchObject({ mergedUnreviewed: [project.id] });
    await project.run([next]);
    const notifications = (await project.notifications()).find(
      ({ item, event }) => item === next && event.type === "loop-started",
    );
    expect(notifications?.event).toMatchObject({ unreviewed: [project.id] });
    expect(project.troubles).toContain(
      `${next}: this work builds on items that were merged NOT REVIEWED: ${project.id}`,
    );
  });

  test("refine works on a draft, and a review that it passes makes it a pull request like any other", async () => {
    const project = await forgeProject([implementWell, ...breaks, given.fixLogin, given.passes]);
    await goesOn(project);
    await project.say(project.id, "skip");
    await goesOn(project);
    expect(await project.say(project.id, "refine", "Refuse logins without a password.")).toMatchObject({
      result: "taken",
    });
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", pr: { number: 1, draft: false } });
    expect(await project.forge.get(1)).toMatchObject({ draft: false, title: "Add user authentication" });
  });

  test("refine while feedback is awaited, then ready, each from a process of its own", async () => {
    const project = await forgeProject([...opened, given.fixLogin, given.passes]);
    await goesOn(project);
    await project.say(project.id, "refine", "Refuse logins without a password.");
    expect(project.session().state).toBe("addressing_feedback");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
    expect(onRemote(project)).toBe(head(project));
    expect(await project.say(project.id, "skip")).toMatchObject({ result: "refused" });
    expect(await project.say(project.id, "ready")).toMatchObject({ result: "taken" });
    expect(project.session().state).toBe("ready_for_human_review");
  });
});
