import { describe, expect, test, vi } from "vitest";
import { expectGolden } from "./testing/golden-file.ts";
import { asked } from "./testing/listen.ts";
import * as given from "./testing/sample-units.ts";

vi.mock(import("@anneal/adapters/scripted"), async (load) =>
  (await import("./testing/listen.ts")).listening(await load()),
);

async function sample(options: given.UnitsOptions): Promise<given.UnitsProject> {
  asked.length = 0;
  return await given.unitsProject(options);
}

async function runToTheEnd({ runUnits, troubles }: given.UnitsProject) {
  const { settled, broken, blocked } = await runUnits();
  expect({ broken: [...broken], blocked, troubles }).toEqual({ broken: [], blocked: [], troubles: [] });
  return settled.get("unit:greeting");
}

function fixersAsked(): string[] {
  const prompts = asked.splice(0).filter(({ role }) => role === "fixer");
  return prompts.map(({ prompt }) => {
    const mark = /BEGIN DATA (\S+):/.exec(prompt)?.[1] ?? "no mark";
    return prompt.slice(prompt.indexOf("## Issues")).replaceAll(mark, "NONCE");
  });
}

const MERGED = { stage: "ended", outcome: "merged" };
const CHECKED = "baseline_checks:\n  - name: sources\n    command: test -d src\n";

describe("a unit leaves the files, statuses, commits, events and messages that seed 004 names", () => {
  test("when its review finds nothing", async () => {
    const project = await sample({
      files: given.unitFiles("greeting", [
        ["Greet", given.GREETS],
        ["Write it down", "test -s docs/greet.md"],
      ]),
      steps: { greeting: [given.implement, given.document] },
      reviews: [given.clean],
      choo: `${CHECKED}parallelism: 4\n`,
    });
    expect(await runToTheEnd(project)).toMatchObject(MERGED);
    expectGolden("units/pass-at-once", await given.unitPicture(project));
  });

  test("when its issues are fixed", async () => {
    const project = await sample({
      steps: { greeting: [given.implement, given.fix] },
      reviews: [given.issues],
    });
    expect(await runToTheEnd(project)).toMatchObject(MERGED);
    expectGolden("units/issues-fixed", await given.unitPicture(project, { prompts: fixersAsked() }));
  });

  test("when its fixes are used up and issues are left", async () => {
    const again = { ...given.fix, edits: [given.greet('"Hello there, " + name')] };
    const project = await sample({
      steps: { greeting: [given.implement, again, given.fix] },
      reviews: [given.issues, given.issues],
      choo: "code_review:\n  max_fix_iterations: 2\n",
    });
    expect(await runToTheEnd(project)).toMatchObject(MERGED);
    expectGolden("units/used-up", await given.unitPicture(project));
  });

  test("when its review cannot be read", async () => {
    const project = await sample({ steps: { greeting: [given.implement] }, reviews: [given.babble] });
    expect(await runToTheEnd(project)).toMatchObject(MERGED);
    expectGolden("units/review-breaks", await given.unitPicture(project));
  });
});

/** The names of the seed's events, what it wrote to people, and what came into the feature branch. */
async function story(project: given.UnitsProject) {
  const notifications = await project.notifications();
  return {
    events: notifications.flatMap(({ seed }) => seed.map(({ type }) => type.replace("codereview.", ""))).join(" "),
    lines: notifications.flatMap(({ lines }) => lines),
    merged: project.repo.git("show", "main:src/greet.js"),
    subjects: project.repo.git("log", "--format=%s", "main").split("\n"),
  };
}

const BUILT = given.greet('"Hello " + name').content.trim();
const FIXED = given.fix.edits[0]?.content.trim();
const UNFIXED = ["Merge unit greeting into main", "feat(greeting): Greet", "first"];
const WITH_FIX = [
  "Merge unit greeting into main",
  "fix: address code review feedback",
  "feat(greeting): Greet",
  "first",
];
const found = "Code review found 1 issues, attempting fix";
const removing = (n: number) => ({
  role: "fixer",
  answer: "Gone.",
  edits: [{ path: "src/greet.js", content: `// nothing ${n}\n` }],
});
const inFix = "if grep -q nobody src/greet.js; then";
const NO_NOBODY = `${inFix} echo "nobody is not a name" >&2; exit 1; fi`;

describe("whatever becomes of its review, a unit merges, and it is reported as what it was", () => {
  test.for<{ what: string; given: Partial<given.UnitsOptions>; steps?: object[]; is: object }>([
    {
      what: "the reviewer is missing",
      given: { choo: "code_review:\n  command: nosuch-codex\n" },
      is: {
        events: "started failed",
        lines: [expect.stringMatching(/^Code review failed to run: .*no program nosuch-codex on the PATH/)],
        subjects: UNFIXED,
      },
    },
    {
      what: "the reviewer's command is invalid",
      given: { choo: "code_review:\n  provider: claude\n  command: /no/such/claude\n" },
      is: { events: "started failed", lines: [expect.stringContaining("/no/such/claude")], subjects: UNFIXED },
    },
    {
      what: "the reviewer crashes",
      given: { reviews: [{ role: "reviewer", end: "crash", error: "out of memory" }] },
      is: { events: "started failed", lines: ["Code review failed to run: out of memory"], subjects: UNFIXED },
    },
    {
      what: "the reviewer changes the code",
      given: { reviews: [{ ...given.clean, edits: [given.greet("null")] }] },
      is: { events: "started failed", lines: [expect.stringContaining("tampered")], merged: BUILT, subjects: UNFIXED },
    },
    {
      what: "there is only a review, and no fix",
      given: { reviews: [given.issues], choo: "code_review:\n  max_fix_iterations: 0\n" },
      is: { events: "started issues_found", lines: ["Code review found 1 issues"], subjects: UNFIXED },
    },
    {
      what: "the fix is committed",
      given: { reviews: [given.issues] },
      steps: [given.fix],
      is: { events: "started issues_found fix_applied", lines: [found], merged: FIXED, subjects: WITH_FIX },
    },
    {
      what: "the fix fails half-way",
      given: { reviews: [given.issues] },
      steps: [{ ...given.fix, end: "crash", error: "no credit" }],
      is: {
        events: "started issues_found",
        lines: [found, "Fix attempt failed: no credit"],
        merged: BUILT,
        subjects: UNFIXED,
      },
    },
    {
      what: "the fix changes nothing",
      given: { reviews: [given.issues] },
      steps: [{ role: "fixer", answer: "It is fine." }],
      is: { events: "started issues_found", lines: [found], merged: BUILT, subjects: UNFIXED },
    },
    {
      what: "the fix breaks what a task achieved",
      given: { reviews: [given.issues] },
      steps: [1, 2, 3].map(removing),
      is: {
        events: "started issues_found",
        lines: [found, `Fix attempt failed: \`${given.GREETS}\` fails`],
        merged: BUILT,
        subjects: UNFIXED,
      },
    },
    {
      what: "the commit of the fix fails",
      given: { reviews: [given.issues], preCommit: `${inFix} git update-ref refs/heads/unit/greeting main; fi` },
      steps: [given.fix],
      is: {
        events: "started issues_found",
        lines: [found, expect.stringContaining("Failed to commit review fixes: ")],
        merged: BUILT,
        subjects: UNFIXED,
      },
    },
    {
      what: "a hook refuses the fix",
      given: { reviews: [given.issues], preCommit: NO_NOBODY },
      steps: [1, 2, 3].map((n) => ({ ...given.fix, edits: [...given.fix.edits, { path: `try-${n}`, content: "" }] })),
      is: {
        events: "started issues_found",
        lines: [found, "Failed to commit review fixes: nobody is not a name"],
        merged: BUILT,
        subjects: UNFIXED,
      },
    },
    {
      what: "a hook refuses the fix, and the next try writes the same",
      given: { reviews: [given.issues], preCommit: NO_NOBODY },
      steps: [given.fix, given.fix],
      is: {
        events: "started issues_found",
        lines: [found, "Failed to commit review fixes: nobody is not a name"],
        merged: BUILT,
        subjects: UNFIXED,
      },
    },
    {
      what: "a hook refuses the fix, and the next try fails",
      given: { reviews: [given.issues], preCommit: NO_NOBODY },
      steps: [given.fix, { role: "fixer", end: "crash", error: "no credit" }],
      is: {
        events: "started issues_found",
        lines: [found, "Failed to commit review fixes: nobody is not a name", "Fix attempt failed: no credit"],
        merged: BUILT,
        subjects: UNFIXED,
      },
    },
    {
      what: "a hook refuses the fix, and the next try takes it back",
      given: { reviews: [given.issues], preCommit: NO_NOBODY },
      steps: [given.fix, { ...given.implement, role: "fixer" }],
      is: {
        events: "started issues_found",
        lines: [found, "Fix attempt failed: the refused changes were undone, and no change is left"],
        merged: BUILT,
        subjects: UNFIXED,
      },
    },
  ])("$what", async ({ given: options, steps = [], is }) => {
    const project = await sample({ steps: { greeting: [given.implement, ...steps] }, ...options });
    expect(await runToTheEnd(project)).toMatchObject(MERGED);
    expect(await story(project)).toMatchObject(is);
    expect(given.planOf(project)).toMatchObject({ orch_status: "complete" });
    expect(project.repo.git("-C", String(given.planOf(project).orch_worktree), "status", "--porcelain")).toBe("");
  });

  test("a review that is switched off does not run at all", async () => {
    const project = await sample({
      steps: { greeting: [given.implement] },
      reviews: [given.issues],
      choo: "code_review:\n  enabled: false\n",
    });
    expect(await runToTheEnd(project)).toMatchObject({ ...MERGED, rounds: [] });
    expect(await story(project)).toMatchObject({ events: "", lines: [], subjects: UNFIXED });
    expect(asked.map(({ role }) => role)).toEqual(["implementer"]);
  });

  test("the agent that does the tasks does not review, whatever the settings say, and its issues go back to it", async () => {
    const project = await sample({
      steps: { greeting: [given.implement, { ...given.clean, answer: "I am great." }, given.fix] },
      reviews: [given.issues],
    });
    expect(await runToTheEnd(project)).toMatchObject(MERGED);
    const played = (await project.notifications()).flatMap(({ event }) =>
      "by" in event ? [[event.type, event.by]] : [],
    );
    expect(played).toMatchObject([
      ["implemented", { agent: "scripted" }],
      ["reviewed", { agent: "scripted", model: "reviewing-model" }],
      ["fixed", { agent: "scripted" }],
    ]);
  });
});
