import type { ActiveStage, SignalName } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { type ForgeProject, forgeProject } from "../../golden/testing/forge-project.ts";
import { fixValidator, implementBadly, implementWell } from "../../golden/testing/login-feature.ts";
import * as given from "../../golden/testing/login-review-loop.ts";
import type { SignalAnswer } from "../../signals/send-signal.ts";

const hangs = (role: string) => ({ role, end: "hang" });
/** The project's own check hangs where somebody left a file of that name. */
const settings = { testCommand: ["sh", "-c", "test ! -e hang || sleep 600"] };
const blocks = (role: string) => ({ role, answer: "Wrote it.", edits: [{ path: "hang", content: "" }] });

interface Said {
  stage: ActiveStage;
  /** Which beginning of that stage; the first by default. */
  nth?: number;
  signal: SignalName;
}

/** Runs a feature and says a word when a stage begins; a stage that begins once more after it ends the run. */
async function saidAt(project: ForgeProject, { stage, nth = 1, signal }: Said) {
  const stop = new AbortController();
  const answers: Promise<SignalAnswer>[] = [];
  let begun = 0;
  const { settled } = await project.run([project.id], {
    signal: stop.signal,
    onEvent: ({ event }) => {
      if (event.type !== "intended" || event.stage !== stage) return;
      begun += 1;
      if (begun === nth) answers.push(project.say(project.id, signal));
      if (begun > nth) stop.abort();
    },
  });
  return { answer: await answers[0], state: settled.get(project.id) };
}

describe("skip", () => {
  test.for([
    { stage: "reviewing", steps: [implementWell, hangs("reviewer")] },
    { stage: "fixing", steps: [implementBadly, given.fails, hangs("fixer")] },
    { stage: "validating", nth: 2, steps: [implementBadly, given.fails, blocks("fixer")] },
  ] as const)("while $stage stops the work and leads to a draft, NOT REVIEWED", async ({ steps, ...at }) => {
    const project = await forgeProject([...steps], { settings });
    const { answer, state } = await saidAt(project, { ...at, signal: "skip" });
    expect(answer).toMatchObject({ result: "taken" });
    expect(state).toMatchObject({ reason: "ready-for-human", pr: { number: 1, draft: true } });
    expect((await project.forge.get(1)).title).toBe("NOT REVIEWED: Add user authentication");
    const branch = `feature/${project.id}`;
    expect(project.repo.git("ls-remote", "origin", branch)).toContain(project.repo.git("rev-parse", branch));
  });

  test("before there is a commit is refused", async () => {
    const project = await forgeProject([hangs("implementer")]);
    const stop = new AbortController();
    const answers: Promise<SignalAnswer>[] = [];
    await project.run([project.id], {
      signal: stop.signal,
      onEvent: ({ event }) => {
        if (event.type !== "intended") return;
        answers.push(project.say(project.id, "skip").finally(() => stop.abort()));
      },
    });
    expect(await answers[0]).toEqual({
      result: "refused",
      reason: "there is no commit yet to open a pull request for",
    });
  });
});

describe("retry", () => {
  test.for([
    { stage: "implementing", steps: [hangs("implementer")], next: [implementWell, given.passes] },
    { stage: "reviewing", steps: [implementWell, hangs("reviewer")], next: [implementWell, given.passes] },
    {
      stage: "fixing",
      steps: [implementBadly, given.fails, hangs("fixer")],
      next: [implementBadly, given.fails, fixValidator, given.passes],
    },
  ] as const)(
    "while $stage begins the stage anew, and the loop goes on to its pull request",
    async ({ stage, steps, next }) => {
      const project = await forgeProject([...steps]);
      expect((await saidAt(project, { stage, signal: "retry" })).answer).toMatchObject({ result: "taken" });
      const types = (await project.notifications()).map(({ event }) => event.type);
      const at = types.indexOf("signalled");
      expect(types.slice(at - 1, at + 2)).toEqual(["abandoned", "signalled", "intended"]);
      project.plan(project.id, { steps: [...next] });
      const { settled } = await project.run([project.id]);
      expect(settled.get(project.id)).toMatchObject({ stage: "awaiting-feedback", pr: { draft: false } });
    },
  );
});
