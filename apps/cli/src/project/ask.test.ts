import { PassThrough } from "node:stream";
import { escalation } from "@anneal/core/stories";
import { afterEach, describe, expect, test, vi } from "vitest";
import { exhausted } from "../../../../libs/core/src/stories/testing/rounds.ts";
import * as story from "../../../../libs/engine/src/golden/testing/sample-stories.ts";
import { tempFolder } from "../../../../libs/system/src/testing/temp-folder.ts";
import { withAutomationToken } from "../testing/automation.ts";
import { answered, ask, questionsIn } from "./ask.ts";

const asked = escalation({ id: "2.1" }, exhausted("high", "low").state);

/** Asks somebody who types these lines and then leaves. */
async function answering(lines: string) {
  if (asked === null) throw new Error("nobody is asked");
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  stdin.end(lines);
  const signal = await ask({ key: "story:2.1", asked }, { stdin, stdout });
  return { signal, text: String(stdout.read()) };
}

describe("a person at a terminal", () => {
  test("is shown where the document waits, the block of the seed to its last line, and is asked for a choice", async () => {
    const { text } = await answering("b\n");
    expect(text).toContain("is at .automaker/stories/2.1/story-2.1-review-findings-round-3.md;");
    expect(text.endsWith(`\n\n${asked?.text} `)).toBe(true);
  });

  test.for([
    { types: "a", signal: "take-over" },
    { types: "b", signal: "accept" },
    { types: "c", signal: "one-more" },
    { types: "what?\n\n(C)", signal: "one-more" },
  ])("who types $types says $signal", async ({ types, signal }) => {
    expect((await answering(`${types}\n`)).signal).toBe(signal);
  });

  test("who leaves has not answered, and is told how to do that later", async () => {
    const { signal, text } = await answering("what?\n");
    expect(signal).toBeNull();
    expect(text).toContain("type a, b, c, or press Ctrl-D to decide later\n");
    expect(text).toContain("Answer later with anneal take-over | accept | one-more story:2.1\n");
  });
});

describe("an answer", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const rounds = [1, 2, 3].flatMap((round) => [story.findings(round, [1, 0, 0]), story.fixElsewhere(`round ${round}`)]);
  const steps = [story.implement, ...rounds, story.findings(4, [3, 2, 0])];

  /** Somebody who types b, as soon as they are asked. */
  const accepting = () => {
    const stdin = new PassThrough();
    stdin.end("b\n");
    return { stdin, stdout: new PassThrough() };
  };

  test("holds for the round that was shown: another one that came meanwhile is not accepted unseen", async () => {
    const project = await story.storiesProject({ [story.ID]: steps });
    using data = tempFolder();
    // Nobody sits at the terminal of a suite.
    const env = { ...withAutomationToken(data.dir), ANNEAL_DATA_DIR: data.dir };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const shown = questionsIn(await project.runStories());
    expect(await project.say(story.KEY, "one-more")).toMatchObject({ result: "taken" });
    const again = questionsIn(await project.runStories());
    const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      expect([...(await answered(project.root, shown, accepting()))]).toEqual([]);
      expect(String(told.mock.calls)).toMatch(
        /anneal story: accept was refused: accept was meant for \w{7} after round 3, and the loop is now at \w{7} after round 4: /,
      );
    } finally {
      told.mockRestore();
    }
    const heard = await answered(project.root, again, accepting());
    expect(heard.get(story.KEY)).toMatchObject({ acceptedBy: expect.any(String) });
  });
});
