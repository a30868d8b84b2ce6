import { describe, expect, test, vi } from "vitest";
import { expectGolden } from "./testing/golden-file.ts";
import { asked } from "./testing/listen.ts";
import * as given from "./testing/login-feature.ts";
import { pictureOf } from "./testing/picture.ts";
import { type Plan, type SampleProject, sampleProject } from "./testing/sample-project.ts";

vi.mock(import("@anneal/adapters/scripted"), async (load) =>
  (await import("./testing/listen.ts")).listening(await load()),
);

async function sample(steps: Plan["steps"], feature: object = {}): Promise<SampleProject & { id: string }> {
  asked.length = 0;
  const project = await sampleProject({ files: given.FILES });
  const id = await project.add({ ...given.FEATURE, ...feature }, { steps });
  return { ...project, id };
}

/** The requests of fixers since the last look; the fences' marks are new each time. */
function fixersAsked(): string[] {
  const prompts = asked.splice(0).filter(({ role }) => role === "fixer");
  return prompts.map(({ prompt }) => {
    const mark = /BEGIN DATA (\S+):/.exec(prompt)?.[1] ?? "no mark";
    return prompt.slice(prompt.indexOf("# Feature: ")).replaceAll(mark, "NONCE");
  });
}

async function runToTheEnd({ id, run, troubles }: SampleProject & { id: string }) {
  const { settled, broken, blocked } = await run([id]);
  expect({ broken: [...broken], blocked, troubles }).toEqual({ broken: [], blocked: [], troubles: [] });
  return settled.get(id);
}

describe("a feature leaves the files, statuses, commits, events and messages that seed 000 names", () => {
  test("when it passes at once", async () => {
    const project = await sample([given.implementWell, given.approveWithRemark]);
    expect(await runToTheEnd(project)).toMatchObject({ stage: "ended", outcome: "passed" });
    expectGolden("flows/pass-at-once", await pictureOf(project, project.id));
  });

  test("when it fails, is fixed and passes", async () => {
    const project = await sample([given.implementBadly, given.reject, given.fixValidator, given.approve]);
    expect(await runToTheEnd(project)).toMatchObject({ stage: "ended", outcome: "passed" });
    expectGolden("flows/fail-fix-pass", await pictureOf(project, project.id, fixersAsked()));
  });

  test("when its rounds run out, and when a person resumes it with a note", async () => {
    const project = await sample([
      ...[given.implementBadly, given.reject, given.fixElsewhere("passwords"), given.rejectAgain],
      ...[given.fixElsewhere("e-mail"), given.rejectAgain, given.fixValidator, given.approve],
    ]);
    expect(await runToTheEnd(project)).toMatchObject({ stage: "waiting-for-human", reason: "rounds-exhausted" });
    const ranOut = await pictureOf(project, project.id, fixersAsked());
    expectGolden("flows/run-out", ranOut);
    await runToTheEnd(project);
    expect(ranOut.startsWith(await pictureOf(project, project.id)), "it is paused: nothing is tried again").toBe(true);
    expect(await project.say(project.id, "resume", "Change the validator itself.")).toMatchObject({ result: "taken" });
    expect(project.feature(project.id).status).toBe("in_progress");
    expect(await runToTheEnd(project)).toMatchObject({ stage: "ended", outcome: "passed" });
    expectGolden("flows/resumed", await pictureOf(project, project.id, fixersAsked()));
  });

  test("when its review breaks, and when a person has it tried again", async () => {
    const project = await sample([given.implementWell, ...Array(4).fill(given.babble), given.approve]);
    expect(await runToTheEnd(project)).toMatchObject({ stage: "waiting-for-human", reason: "review-broke" });
    expectGolden("flows/review-breaks", await pictureOf(project, project.id));
    expect(await project.say(project.id, "retry")).toMatchObject({ result: "taken" });
    expect(await runToTheEnd(project)).toMatchObject({ stage: "ended", outcome: "passed" });
    expectGolden("flows/review-retried", await pictureOf(project, project.id));
  });

  test("when its agent changes nothing", async () => {
    const project = await sample([given.idle]);
    expect(await runToTheEnd(project)).toMatchObject({ stage: "waiting-for-human", reason: "no-change" });
    expectGolden("flows/no-change", await pictureOf(project, project.id));
    const before = project.feature(project.id);
    expect(await project.say(project.id, "stop")).toMatchObject({ result: "taken" });
    expect(project.feature(project.id)).toEqual({ ...before, status: "backlog" });
  });

  test("when the project has a pipeline of its own whose steps change nothing", async () => {
    const project = await sample([given.implementWell, given.approve, given.stepIdle, given.stepIdle], {
      skipTests: false,
    });
    project.repo.write({ ".automaker/pipeline.json": JSON.stringify(given.PIPELINE, null, 2) });
    expect(await runToTheEnd(project)).toMatchObject({ stage: "ended", outcome: "passed" });
    expectGolden("flows/pipeline-verified", await pictureOf(project, project.id));
  });

  test("when the steps of its pipeline change the code, and a person verifies it by hand", async () => {
    const project = await sample(
      [
        ...[given.implementWell, given.approve, given.stepChanges("lint.txt"), given.stepChanges("CHANGELOG.md")],
        given.approveWithRemark,
      ],
      { skipTests: true },
    );
    project.repo.write({ ".automaker/pipeline.json": JSON.stringify(given.PIPELINE, null, 2) });
    expect(await runToTheEnd(project)).toMatchObject({ stage: "waiting-for-human", reason: "approval" });
    expectGolden("flows/pipeline-waiting", await pictureOf(project, project.id));
    expect(await project.say(project.id, "approve")).toMatchObject({ result: "taken" });
    expect(project.feature(project.id).status).toBe("verified");
  });
});
