import { probeSandbox } from "@anneal/system/sandbox/probe";
import { describe, expect, test } from "vitest";
import type { SampleProject } from "./testing/sample-project.ts";
import * as stories from "./testing/sample-stories.ts";
import * as units from "./testing/sample-units.ts";
import { type Searcher, searchingReviewer } from "./testing/searching-reviewer.ts";

/** Only the first round and its fix know these. */
const OF_ROUND_1 = ["ROUND-1-Critical", "of round 1", "address code review", "FIRST-ATTEMPT"];
/** And these were there before the loop began, in a file, an older file and an older message. */
const OF_THE_BASE = ["STANDS-IN-BASE", "STOOD-THERE-ONCE", "SAID-IN-A-MESSAGE"];
const WORDS = [...OF_ROUND_1, ...OF_THE_BASE];

const boxed = (await probeSandbox()).state === "works";
const SEARCH = { words: WORDS, rejects: "FIRST-ATTEMPT", above: boxed };

/** What the search shows that it works by. */
const CONTROL = [
  "SAID-IN-A-MESSAGE in objects",
  "SAID-IN-A-MESSAGE in refs",
  "SAID-IN-A-MESSAGE in the log",
  "STANDS-IN-BASE in files",
  "STANDS-IN-BASE in objects",
  ...(boxed ? ["STANDS-IN-BASE in the folders above"] : []),
  "STANDS-IN-BASE in the log",
  "STOOD-THERE-ONCE in objects",
  "STOOD-THERE-ONCE in the log",
];

const HISTORY = { "old.txt": "STOOD-THERE-ONCE\n" };

/** Programs are named in the settings of the person alone. */
function prepare({ repo }: SampleProject, { setup }: Searcher): void {
  repo.write({ ".git/no-data/settings.json": JSON.stringify({ version: 4, agentSetup: { searcher: setup } }) });
  repo.write({ "old.txt": "STANDS-IN-BASE\n" });
  repo.git("commit", "--quiet", "--message", "SAID-IN-A-MESSAGE", "old.txt");
}

describe("a reviewer of the second round that searches all that its folder leads to finds nothing of the first", () => {
  test("of a story", async () => {
    const [implement, fix] = [
      { ...stories.implement, edits: [{ path: "src/loans.js", content: "export const lend = 'FIRST-ATTEMPT';\n" }] },
      // It writes down its prompt, too.
      { ...stories.fix, edits: [...stories.fix.edits, { path: stories.DOCUMENT(1), content: "ROUND-1-Critical\n" }] },
    ];
    const [rejection, approval] = [stories.findings(1, [1, 1, 1]).answer, stories.findings(2, [0, 0, 0]).answer];
    const searcher = searchingReviewer({ ...SEARCH, rejection, approval });
    const project = await stories.storiesProject({ [stories.ID]: [implement, fix] }, { files: HISTORY });
    prepare(project, searcher);
    const cast = { reviewer: "searcher" };
    const { settled, broken } = await project.runStories([stories.FILE], 1, { cast });
    expect([...broken]).toEqual([]);
    const state = settled.get(stories.KEY);
    expect(state).toMatchObject({ outcome: "passed", rounds: [{ number: 1 }, { number: 2 }] });
    expect(searcher.found(state?.rounds[1])).toEqual(CONTROL);
    // The same search finds all of it where the loop worked.
    for (const word of OF_ROUND_1)
      expect(searcher.searchIn(project.root).filter((one) => one.startsWith(`${word} in`))).not.toEqual([]);
  });

  test("of a unit", async () => {
    const implement = { ...units.implement, edits: [units.greet("'FIRST-ATTEMPT'")] };
    const issue = { file: "src/greet.js", line: 1, severity: "error", message: "ROUND-1-Critical", suggestion: "" };
    const rejection = JSON.stringify({ passed: false, summary: "One thing of round 1.", issues: [issue] });
    const searcher = searchingReviewer({ ...SEARCH, rejection, approval: JSON.stringify(units.clean.answer) });
    const project = await units.unitsProject({
      steps: { greeting: [implement, units.fix] },
      choo: "code_review:\n  max_fix_iterations: 2\n",
      files: { ...HISTORY, ...units.unitFiles("greeting", [["Greet", units.GREETS]]) },
    });
    prepare(project, searcher);
    const { settled, broken } = await project.run(["unit:greeting"], { cast: { reviewer: "searcher" } });
    expect([...broken]).toEqual([]);
    const state = settled.get("unit:greeting");
    expect(state).toMatchObject({
      outcome: "merged",
      rounds: [{ verdict: { result: "fail" } }, { verdict: { result: "pass" } }],
    });
    expect(searcher.found(state?.rounds[1])).toEqual(CONTROL);
  });
});
