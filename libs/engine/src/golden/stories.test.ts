import { describe, expect, test, vi } from "vitest";
import { expectGolden } from "./testing/golden-file.ts";
import * as given from "./testing/sample-stories.ts";
import { storyPicture } from "./testing/sample-stories.ts";
import { watched } from "./testing/watch-agents.ts";

vi.mock(import("@anneal/adapters/scripted"), async (load) =>
  (await import("./testing/watch-agents.ts")).watching(await load()),
);

async function sample(steps: object[]) {
  watched.length = 0;
  return await given.storiesProject({ [given.ID]: steps });
}

type Sample = Awaited<ReturnType<typeof sample>>;

async function runToTheEnd({ runStories, troubles }: Sample) {
  const { settled, broken, blocked } = await runStories();
  expect({ broken: [...broken], blocked, troubles }).toEqual({ broken: [], blocked: [], troubles: [] });
  return settled.get(given.KEY);
}

/** The requests of fixers since the last look; the fences' marks are new each time. */
function fixersAsked(): string[] {
  const prompts = watched.splice(0).filter(({ request }) => request.role === "fixer");
  return prompts.map(({ request: { prompt } }) => {
    const mark = /BEGIN DATA (\S+):/.exec(prompt)?.[1] ?? "no mark";
    return prompt.slice(prompt.indexOf("## This Fix")).replaceAll(mark, "NONCE");
  });
}

describe("a story leaves the files, statuses, commits and messages that seed 003 names", () => {
  test("when it passes at once", async () => {
    const project = await sample([given.implement, given.findings(1, [0, 0, 1])]);
    expect(await runToTheEnd(project)).toMatchObject({ stage: "ended", outcome: "passed" });
    expectGolden("stories/pass-at-once", await storyPicture(project));
  });

  test("when it fails, is fixed and passes", async () => {
    const project = await sample([
      ...[given.implement, given.findings(1, [1, 1, 1]), given.fix, given.findings(2, [0, 0, 0])],
    ]);
    expect(await runToTheEnd(project)).toMatchObject({ stage: "ended", outcome: "passed" });
    expectGolden("stories/fail-fix-pass", await storyPicture(project, fixersAsked()));
  });

  test("when its rounds run out, when a person adds two more, after which none can be added, and accepts it", async () => {
    const rounds = [1, 2, 3, 4, 5].flatMap((round) => [
      given.findings(round, [0, 1, 1], `matter ${round}`),
      given.fixElsewhere(`matter ${round}`),
    ]);
    const project = await sample([given.implement, ...rounds]);
    expect(await runToTheEnd(project)).toMatchObject({ reason: "rounds-exhausted" });
    expectGolden("stories/run-out", await storyPicture(project));
    for (const round of [4, 5]) {
      expect(await project.say(given.KEY, "one-more"), `${round}`).toMatchObject({ result: "taken" });
      expect(await runToTheEnd(project)).toMatchObject({ reason: "rounds-exhausted" });
    }
    expect(await project.say(given.KEY, "one-more")).toMatchObject({ result: "refused" });
    expectGolden("stories/five-rounds", await storyPicture(project));
    expect(await project.say(given.KEY, "accept")).toMatchObject({ result: "taken" });
    expect(await runToTheEnd(project)).toMatchObject({ stage: "ended", outcome: "accepted" });
    expectGolden("stories/accepted", await storyPicture(project));
  });

  test("when a person takes it over, works on it by hand and has that reviewed", async () => {
    const project = await sample([
      given.implement,
      given.findings(1, [1, 0, 0]),
      { role: "fixer", answer: "No idea." },
    ]);
    expect(await runToTheEnd(project)).toMatchObject({ reason: "stalled" });
    expect(await project.say(given.KEY, "take-over")).toMatchObject({ result: "taken" });
    expectGolden("stories/taken-over", await storyPicture(project));
    // The person keeps the branch checked out: it has to follow.
    const { repo } = project;
    repo.git("worktree", "add", "--quiet", ".worktrees/by-hand", given.BRANCH);
    repo.write({ ".worktrees/by-hand/src/loans.js": "export const lend = () => false;\n" });
    repo.git("-C", ".worktrees/by-hand", "commit", "--quiet", "--all", "--message", "by hand");
    const refused = await project.runStories();
    expect(String(refused.broken.get(given.KEY))).toContain("is blocked; write `status: review` when the work is on");
    project.setStatus("review");
    project.plan(given.ID, { steps: [given.findings(1, [0, 0, 0])] });
    expect(await runToTheEnd(project)).toMatchObject({ stage: "ended", outcome: "passed" });
    expectGolden("stories/by-hand", await storyPicture(project));
    expect(repo.git("-C", ".worktrees/by-hand", "status", "--porcelain")).toBe("");
  });

  test("when its review breaks, and when a person has it tried again", async () => {
    const project = await sample([given.implement, ...Array(4).fill(given.babble), given.findings(1, [0, 0, 0])]);
    expect(await runToTheEnd(project)).toMatchObject({ stage: "waiting-for-human", reason: "review-broke" });
    expectGolden("stories/review-breaks", await storyPicture(project));
    expect(await project.say(given.KEY, "retry")).toMatchObject({ result: "taken" });
    expect(await runToTheEnd(project)).toMatchObject({ stage: "ended", outcome: "passed" });
    expectGolden("stories/review-retried", await storyPicture(project));
  });
});
