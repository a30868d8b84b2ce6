import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "@anneal/engine";
import { openProject } from "@anneal/engine/project";
import { EventFrame } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as epic from "../../../../libs/engine/src/golden/testing/sample-epics.ts";
import * as story from "../../../../libs/engine/src/golden/testing/sample-stories.ts";
import * as unit from "../../../../libs/engine/src/golden/testing/sample-units.ts";
import type { Files } from "../../../../libs/git/src/testing/make-repo.ts";
import { type Heard, hearing } from "../testing/listener.ts";
import { approves, build, fix, hangs, type LoopWorld, loopWorld, rejects } from "../testing/loop-world.ts";

let world: LoopWorld;
let heard: Heard;
beforeAll(async () => {
  world = await loopWorld(4);
  heard = await hearing(world, world.project);
}, 60_000);
afterAll(async () => {
  heard[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

const write = (files: Files) => {
  for (const [path, content] of Object.entries(files)) {
    if (typeof content !== "string") continue;
    const file = join(world.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
};

describe("a gate is told over the socket in seed 000's names and payloads, in their order", () => {
  const featureId = (n: number) => ({ featureId: `f${n}` });
  const begins = (n: number, iterationNumber: number, { answer }: { answer?: string } = {}) => [
    ["feature:code-review-started", { ...featureId(n), iterationNumber }],
    ["feature:code-review-progress", { ...featureId(n), iterationNumber, message: "the reviewer is working" }],
    ...(answer === undefined
      ? []
      : [["feature:code-review-progress", { ...featureId(n), iterationNumber, message: answer }]]),
  ];
  const finding = {
    category: "code",
    severity: "error",
    title: "Empty input is let in",
    description: "It must not be.",
    suggestion: "Check its length.",
    file: "a.js",
    line: 1,
  };
  const rejected = (n: number, iterationNumber: number) => [
    [
      "feature:code-review-completed",
      { ...featureId(n), iterationNumber, status: "rejected", findings: [finding], summary: "Not yet." },
    ],
    [
      "feature:code-review-rejected",
      {
        ...featureId(n),
        iterationNumber,
        rejectionReason: "Code Quality issue: Empty input is let in (a.js:1). Suggestion: Check its length.",
      },
    ],
  ];
  const built = build("a.js", "1;\n");
  const found = rejects("a.js");

  test.for([
    {
      what: "rejected, fixed and approved",
      n: 1,
      steps: [built, found, fix("a.js", "2;\n"), approves],
      last: "feature:code-review-approved",
      is: [
        ...begins(1, 1, found),
        ...rejected(1, 1),
        ...begins(1, 2, approves),
        [
          "feature:code-review-completed",
          { ...featureId(1), iterationNumber: 2, status: "approved", findings: [], summary: "Does what was asked." },
        ],
        ["feature:code-review-approved", { ...featureId(1), nextStatus: "verified" }],
      ],
    },
    {
      what: "out of iterations",
      n: 2,
      steps: [built, found, fix("a.js", "2;\n"), found, fix("a.js", "3;\n"), found],
      last: "feature:code-review-max-iterations",
      is: [
        ...[1, 2, 3].flatMap((round) => [...begins(2, round, found), ...rejected(2, round)]),
        ["feature:code-review-max-iterations", featureId(2)],
      ],
    },
    {
      what: "a review that breaks",
      n: 3,
      // A script without a step for the reviewer is a break that no retry mends.
      steps: [built],
      last: "feature:code-review-failed",
      is: [
        ...begins(3, 1),
        [
          "feature:code-review-failed",
          { ...featureId(3), error: expect.stringContaining("no step left for the role reviewer") },
        ],
      ],
    },
  ])("$what", async ({ n, steps, last, is }) => {
    world.script(`f${n}`, steps);
    await world.call("POST", `/api/projects/${world.project}/items/f${n}/start`);
    expect(await heard.inSeeds(`f${n}`, ({ type }) => type === last)).toEqual(is);
  });

  const SAYS = "Reading a.txt now.";

  test("what the reviewer says is told while it says it", async () => {
    world.script("f4", [build("a.js", "1;\n"), hangs]);
    await world.call("POST", `/api/projects/${world.project}/items/f4/start`);
    const saying = {
      type: "loop:activity",
      project: world.project,
      loop: "f4~1",
      item: "f4",
      payload: expect.objectContaining({ role: "reviewer", kind: "text", text: SAYS }),
    };
    const isSaying = ({ type, item, payload }: { type: string; item: string; payload: unknown }) =>
      type === "loop:activity" && item === "f4" && (payload as { role: string }).role === "reviewer";
    const said = await heard.inSeeds("f4", ({ payload }) => (payload as { message?: string }).message === SAYS);
    expect(heard.frames.find(isSaying)).toEqual(saying);
    expect(said).toEqual(begins(4, 1, { answer: SAYS }));
  });
});

describe("a unit is told over the socket in seed 004's names and payloads, in their order", () => {
  const issue = {
    file: "src/greet.js",
    line: 1,
    severity: "warning",
    message: "Greets undefined where there is no name",
    suggestion: "Fall back to a word",
  };
  const started = ["codereview.started", null];

  test.for([
    {
      what: "nothing was found",
      name: "clean",
      review: unit.clean,
      is: [started, ["codereview.passed", { summary: "Reads well." }]],
    },
    {
      what: "an issue was found and fixed",
      name: "mended",
      review: unit.issues,
      is: [started, ["codereview.issues_found", { count: 1, issues: [issue] }], ["codereview.fix_applied", null]],
    },
    {
      what: "the review broke",
      name: "broken",
      review: { role: "reviewer", end: "crash", error: "out of memory" },
      is: [started, ["codereview.failed", { error: "out of memory" }]],
    },
  ])("$what", async ({ name, review, is }) => {
    write(unit.unitFiles(name, [["Greet", unit.GREETS]]));
    world.script(name, [
      { ...unit.implement, edits: [...unit.implement.edits, { path: `${name}.txt`, content: "made\n" }] },
      unit.fix,
    ]);
    world.script(`${name}-review`, [review]);
    const reviewer = `scripted:${join(world.root, `.automaker/scripts/${name}-review.json`)}`;
    // A unit's reviewer is named by whoever runs it, as the command line beside a server does.
    using project = await openProject(world.root, systemClock);
    const overrides = { into: "main", cast: { reviewer } };
    const body = { kind: "start", item: `unit:${name}`, by: "cli", overrides } as const;
    project.store.post({ id: randomUUID(), loop: null, body });
    expect(await heard.inSeeds(`unit:${name}`, ({ type }) => type === "loop:merged")).toEqual(is);
  });
});

describe("what a seed gives no event is told in the loop's own words alone", () => {
  test.for([
    {
      what: "a story of seed 003",
      path: "/stories/2.1/start",
      item: "story:2.1",
      policy: "adversarial",
      files: { "stories/2.1.md": story.storyText("2.1", "Lend books") },
      script: "2.1",
      steps: [story.implement, story.findings(1, [0, 0, 0])],
    },
    {
      what: "a ticket of seed 002",
      path: `/epics/${epic.EPIC}/start`,
      item: `ticket:${epic.EPIC}/bucket`,
      policy: "scored",
      files: epic.epicFiles({ bucket: {} }),
      script: `${epic.EPIC}/bucket`,
      steps: [epic.build("bucket"), epic.pass],
    },
  ])("$what", async ({ path, item, policy, files, script, steps }) => {
    write(files);
    setTestCommand("true");
    world.script(script, steps);
    expect((await world.call("POST", `/api/projects/${world.project}${path}`)).status).toBe(202);
    expect(await heard.inSeeds(item, ({ type }) => type === "loop:reviewed")).toEqual([]);
    const reviewed = heard.frames.find((frame) => frame.item === item && frame.type === "loop:reviewed");
    expect(EventFrame.parse(reviewed)).toEqual(reviewed);
    expect(reviewed?.payload).toMatchObject({ item, policy, event: { type: "reviewed", report: { findings: [] } } });
  });
});

function setTestCommand(testCommand: string): void {
  const file = join(world.root, ".automaker/settings.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), testCommand }));
}
