import { EventMap, type EventName } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { type ForgeProject, forgeProject } from "./testing/forge-project.ts";
import { listener, type SeedEventPair } from "./testing/live-events.ts";
import * as gate from "./testing/login-feature.ts";
import * as pull from "./testing/login-review-loop.ts";
import { sampleProject } from "./testing/sample-project.ts";
import * as unit from "./testing/sample-units.ts";

/** No payload has more or less than its seed names. */
function valid(reported: SeedEventPair[]): SeedEventPair[] {
  // Times were taken out.
  const text = JSON.stringify(reported).replaceAll("TIME", "2026-01-09T14:00:00Z");
  for (const [type, payload] of JSON.parse(text) as SeedEventPair[])
    expect(EventMap.shape[type as EventName].parse(payload), type).toEqual(payload);
  return reported;
}

const breaksValidatorAgain = { role: "fixer", answer: "Back.", edits: gate.implementBadly.edits.slice(0, 1) };

describe("seed 000, reported by a running loop: every event with its payload, in order", () => {
  const f = { featureId: "f" };
  const PASSWORDS = {
    category: "compliance",
    severity: "error",
    title: "Empty passwords are accepted",
    description: 'isPassword("") gives true, so anybody logs in without one.',
    suggestion: "return text.length >= 8;",
    file: "src/auth/validator.js",
    line: 3,
  };
  const passwords =
    "Compliance issue: Empty passwords are accepted (src/auth/validator.js:3). Suggestion: return text.length >= 8;";
  const STATUS = {
    category: "code",
    severity: "error",
    title: "Everybody gets 200",
    description: "The status is wrong.",
    file: "src/auth/login.js",
    line: 3,
  };
  const status = "Code Quality issue: Everybody gets 200 (src/auth/login.js:3). The status is wrong.";
  const rejectStatus = gate.review(
    "REJECTED",
    "- **[CODE]** - error: Everybody gets 200\n  - Description: The status is wrong.\n  - File: src/auth/login.js\n  - Line: 3",
    "The status is wrong.",
  );
  const saying = (iterationNumber: number, message: string): SeedEventPair => [
    "feature:code-review-progress",
    { ...f, iterationNumber, message },
  ];
  const began = (iterationNumber: number, { answer }: { answer: string }): SeedEventPair[] => [
    ["feature:code-review-started", { ...f, iterationNumber }],
    saying(iterationNumber, "the reviewer is working"),
    saying(iterationNumber, answer),
  ];
  const rejected = (
    iterationNumber: number,
    finding: object,
    summary: string,
    rejectionReason: string,
  ): SeedEventPair[] => [
    ["feature:code-review-completed", { ...f, iterationNumber, status: "rejected", findings: [finding], summary }],
    ["feature:code-review-rejected", { ...f, iterationNumber, rejectionReason }],
  ];
  const approved = (iterationNumber: number): SeedEventPair[] => [
    [
      "feature:code-review-completed",
      {
        ...{ ...f, iterationNumber, status: "approved", findings: [] },
        summary: "The login does what was asked. Everything was looked at.",
      },
    ],
    ["feature:code-review-approved", { ...f, nextStatus: "verified" }],
  ];
  const again = (iterationNumber: number) => [
    ...began(iterationNumber, gate.rejectAgain),
    ...rejected(iterationNumber, PASSWORDS, "Passwords of any length still get in.", passwords),
  ];
  const last: SeedEventPair = ["feature:code-review-max-iterations", f];

  test.for<{ what: string; steps: object[]; stands: object; is: SeedEventPair[] }>([
    {
      what: "approved at once",
      steps: [gate.implementWell, gate.approve],
      stands: { stage: "ended", outcome: "passed" },
      is: [...began(1, gate.approve), ...approved(1)],
    },
    {
      what: "rejected, fixed and approved",
      steps: [gate.implementBadly, gate.rejectAgain, gate.fixValidator, gate.approve],
      stands: { stage: "ended", outcome: "passed" },
      is: [...again(1), ...began(2, gate.approve), ...approved(2)],
    },
    {
      what: "rejected three times",
      steps: [
        ...[gate.implementBadly, gate.rejectAgain, gate.fixElsewhere("passwords"), gate.rejectAgain],
        ...[gate.fixElsewhere("e-mail"), gate.rejectAgain],
      ],
      stands: { stage: "waiting-for-human", reason: "rounds-exhausted" },
      is: [...again(1), ...again(2), ...again(3), last],
    },
    {
      what: "going in circles at the limit",
      steps: [
        ...[gate.implementBadly, gate.rejectAgain, gate.fixValidator, rejectStatus],
        ...[breaksValidatorAgain, gate.rejectAgain],
      ],
      stands: { stage: "waiting-for-human", reason: "oscillating" },
      is: [
        ...again(1),
        ...[...began(2, rejectStatus), ...rejected(2, STATUS, "The status is wrong.", status)],
        ...began(3, gate.rejectAgain),
        ...rejected(3, PASSWORDS, "Passwords of any length still get in.", `- ${passwords}\n- ${status}`),
        last,
      ],
    },
    {
      what: "answers that nobody can read",
      steps: [gate.implementWell, ...Array(4).fill(gate.babble)],
      stands: { stage: "waiting-for-human", reason: "review-broke" },
      is: [
        ...began(1, gate.babble),
        ...[2, 3, 4].flatMap((attempt) => [
          saying(1, `the reviewer retries (attempt ${attempt})`),
          saying(1, gate.babble.answer),
        ]),
        ["feature:code-review-failed", { ...f, error: expect.stringMatching(/no section.*Asked to correct it/) }],
      ],
    },
  ])("$what", async ({ steps, stands, is }) => {
    const project = await sampleProject({ files: gate.FILES });
    const id = await project.add(gate.FEATURE, { steps });
    const { hears, heard } = listener(project, { [id]: "f" });
    const { settled } = await project.run([id], hears);
    expect(settled.get(id)).toMatchObject(stands);
    expect(valid(heard())).toEqual(is);
  });
});

describe("seed 001, reported by a running loop: every event with its payload, in order", () => {
  const f = { featureId: "f" };
  const issue = (id: string, over: object = {}) => ({
    id,
    severity: "high",
    category: "security",
    file: "src/auth/validator.js",
    lineStart: 3,
    lineEnd: 3,
    description: "Empty passwords are accepted. isPassword gives true for every text.",
    suggestedFix: "return text.length >= 8;",
    ...over,
  });
  const OPEN_URL = { prNumber: 1, prUrl: "file:///ROOT/.git/forge.git/pull/1" };
  const STATUS = {
    severity: "high",
    category: "logic",
    file: "src/auth/login.js",
    lineStart: 3,
    description: "Wrong.",
  };
  const wrongStatus = pull.selfReview("needs_work", [STATUS], "The status is wrong.");
  const statusIssue = (id: string) => ({ id, ...STATUS, lineEnd: 3 });

  /** What a session tells, with what it has come to so far. */
  class Story {
    readonly reported: SeedEventPair[] = [];
    #state = "pending_self_review";
    #iterations: object[] = [];
    #more: object = {};

    to(...states: string[]): this {
      for (const newState of states) {
        const isRunning = newState === "self_reviewing";
        if (newState === "pr_created") this.#more = OPEN_URL;
        const session = {
          ...{ ...f, state: newState, iterations: [...this.#iterations], ...this.#more },
          currentIteration: this.#iterations.length + (isRunning ? 1 : 0),
          ...{ startedAt: "TIME", lastUpdatedAt: "TIME" },
          ...(["merged", "closed"].includes(newState) ? { completedAt: "TIME" } : {}),
        };
        this.reported.push(["review-loop:state-changed", { ...f, previousState: this.#state, newState, session }]);
        this.#state = newState;
      }
      return this;
    }

    reviewed(verdict: string, summary: string, ...issues: object[]): this {
      const iteration = this.#iterations.length + 1;
      const result = { verdict, issues, summary, iteration, timestamp: "TIME" };
      this.#iterations = [...this.#iterations, result];
      this.reported.push(["review-loop:review-completed", { ...f, result }]);
      return this;
    }

    refined(notes: string, addressedIssueIds: string[], unaddressedIssueIds: string[] = []): this {
      const result = { addressedIssueIds, unaddressedIssueIds, newIssuesIntroduced: [], notes };
      this.reported.push(["review-loop:refinement-completed", { ...f, result }]);
      return this;
    }

    tells(name: string, payload: object): this {
      this.reported.push([`review-loop:${name}`, { ...f, ...payload }]);
      return this;
    }
  }
  const passes = "The login does what was asked.";
  const fails = "Passwords of any length get in.";
  const still = "Passwords of any length still get in.";
  const story = () => new Story().to("self_reviewing");
  const opened = (so: Story) => so.to("self_review_passed", "pr_created", "awaiting_pr_feedback");
  const failed = (so: Story) => so.to("self_review_failed", "refining");

  const QUIET_MS = 5 * 60_000;
  const silence = async ({ clock }: ForgeProject) => clock.sleep(QUIET_MS, new AbortController().signal);
  const asks = async ({ forge }: ForgeProject) =>
    void (await forge
      .as("alice")
      .comment(1, "Please refuse a login without any password.", { file: "src/auth/login.js", line: 3 }));
  const closes = async ({ forge }: ForgeProject) => void (await forge.as("alice").close(1));
  const approves = async ({ forge }: ForgeProject) =>
    void (await forge.as("alice").review(1, { state: "approved", body: "Thank you." }));
  const ready = (so: Story, summary: string) =>
    so.to("ready_for_human_review").tells("ready-for-human", { prUrl: OPEN_URL.prUrl, summary });
  const REQUEST = "pr-line:1:932d6d5b";
  const feedback = {
    actionableIssues: [
      {
        ...{ source: "comment", sourceId: 1, author: "alice", severity: "medium", file: "src/auth/login.js", line: 3 },
        description: "Please refuse a login without any password.",
      },
    ],
    ...{ questionsToAnswer: [], requiresHumanDecision: [], overallStatus: "ready_to_fix" },
  };

  test.for<{
    what: string;
    steps: object[];
    next?: ((project: ForgeProject) => Promise<unknown>)[];
    settings?: object;
    stands: object;
    column: string;
    is: () => Story;
  }>([
    {
      what: "approved at once, ready, approved by a person and merged",
      steps: [gate.implementWell, pull.passes],
      next: [silence, approves],
      stands: { stage: "ended", outcome: "merged" },
      column: "completed",
      is: () =>
        ready(opened(story().reviewed("pass", passes)), "no open feedback, no checks; 1 iteration, no open issues").to(
          "approved",
          "merged",
        ),
    },
    {
      what: "refined and passed",
      steps: [gate.implementBadly, pull.fails, gate.fixValidator, pull.passes],
      stands: { stage: "awaiting-feedback" },
      column: "waiting_approval",
      is: () =>
        opened(
          failed(story().reviewed("needs_work", fails, issue("issue-1")))
            .to("self_reviewing")
            .refined("1 of 1 issues are gone.", ["issue-1"])
            .reviewed("pass", passes),
        ),
    },
    {
      what: "rejected three times",
      steps: [
        ...[gate.implementBadly, pull.fails, gate.fixElsewhere("passwords"), pull.failsAgain],
        ...[gate.fixElsewhere("e-mail"), pull.failsAgain],
      ],
      stands: { stage: "awaiting-feedback" },
      column: "waiting_approval",
      is: () =>
        failed(
          failed(
            failed(story().reviewed("needs_work", fails, issue("issue-1")))
              .to("self_reviewing")
              .refined("0 of 1 issues are gone.", [], ["issue-1"])
              .reviewed("needs_work", still, issue("issue-1")),
          )
            .to("self_reviewing")
            .refined("0 of 1 issues are gone.", [], ["issue-1"])
            .reviewed("needs_work", still, issue("issue-1")),
        ).to("pr_created", "awaiting_pr_feedback"),
    },
    {
      what: "going in circles at the limit",
      steps: [
        ...[gate.implementBadly, pull.fails, gate.fixValidator, wrongStatus],
        ...[breaksValidatorAgain, pull.failsAgain],
      ],
      stands: { stage: "awaiting-feedback" },
      column: "waiting_approval",
      is: () =>
        failed(
          failed(
            failed(story().reviewed("needs_work", fails, issue("issue-1")))
              .to("self_reviewing")
              .refined("1 of 1 issues are gone.", ["issue-1"])
              .reviewed("needs_work", "The status is wrong.", statusIssue("issue-2")),
          )
            .to("self_reviewing")
            .refined("0 of 1 issues are gone.", [], ["issue-2"])
            .reviewed("needs_work", still, issue("issue-1"), statusIssue("issue-2")),
        ).to("pr_created", "awaiting_pr_feedback"),
    },
    {
      what: "answers that nobody can read",
      steps: [gate.implementWell, ...Array(4).fill(gate.babble)],
      stands: { stage: "waiting-for-human", reason: "review-broke" },
      column: "in_progress",
      is: () =>
        story().tells("error", {
          error: expect.stringMatching(/; possible: retry, skip, stop$/),
          stage: "self_reviewing",
        }),
    },
    {
      what: "feedback that is addressed",
      steps: [gate.implementWell, pull.passes, pull.fixLogin, pull.passes],
      next: [asks],
      stands: { stage: "waiting-for-human", reason: "ready-for-human" },
      column: "waiting_approval",
      is: () =>
        ready(
          opened(story().reviewed("pass", passes))
            .tells("pr-feedback-received", { feedback })
            .to("addressing_feedback")
            .refined("1 of 1 issues are gone.", [REQUEST])
            .reviewed("pass", passes),
          "the feedback is addressed; 2 iterations, no open issues",
        ),
    },
    {
      what: "feedback that waits for a person",
      steps: [gate.implementWell, pull.passes],
      settings: { reviewLoop: { autoAddressReviewComments: false } },
      next: [asks],
      stands: { stage: "waiting-for-human", reason: "feedback-exhausted" },
      column: "waiting_approval",
      is: () =>
        opened(story().reviewed("pass", passes)).tells("pr-feedback-received", { feedback }).tells("error", {
          error: "under this policy people handle the feedback; possible: refine, ready, take-over, stop",
          stage: "awaiting_pr_feedback",
        }),
    },
    {
      what: "a pull request that is closed while it waits for feedback",
      steps: [gate.implementWell, pull.passes],
      next: [closes],
      stands: { stage: "ended", outcome: "closed" },
      column: "waiting_approval",
      is: () => opened(story().reviewed("pass", passes)).to("closed"),
    },
    {
      what: "a pull request that is closed when it was ready",
      steps: [gate.implementWell, pull.passes],
      next: [silence, closes],
      stands: { stage: "ended", outcome: "closed" },
      column: "waiting_approval",
      is: () =>
        ready(opened(story().reviewed("pass", passes)), "no open feedback, no checks; 1 iteration, no open issues").to(
          "closed",
        ),
    },
  ])("$what", async ({ steps, next = [], settings = {}, stands, column, is }) => {
    const project = await forgeProject(steps, { settings: { pullRequests: { quietMs: QUIET_MS }, ...settings } });
    const { id, run } = project;
    const { hears, heard } = listener(project, { [id]: "f" });
    let { settled } = await run([id], hears);
    for (const act of next) {
      await act(project);
      ({ settled } = await run([id], hears));
    }
    expect(settled.get(id)).toMatchObject(stands);
    expect(project.feature(id).status).toBe(column);
    expect(valid(heard("review-loop:"))).toEqual(is().reported);
  });
});

describe("seed 004, reported by a running loop: every event with its payload, in order", () => {
  const ISSUE = {
    file: "src/greet.js",
    line: 1,
    severity: "warning",
    message: "Greets undefined where there is no name",
    suggestion: "Fall back to a word",
  };
  const RUDE = { file: "src/greet.js", line: 1, severity: "error", message: "It is rude", suggestion: "Say please" };
  const finds = (...issues: object[]) => ({
    role: "reviewer",
    answer: { passed: false, summary: "Not yet.", issues },
  });
  const started: SeedEventPair = ["codereview.started", null];
  const fixed: SeedEventPair = ["codereview.fix_applied", null];
  const found = (...issues: object[]): SeedEventPair => ["codereview.issues_found", { count: issues.length, issues }];
  const passed: SeedEventPair = ["codereview.passed", { summary: "Reads well." }];
  const changes = (words: string) => ({ ...unit.fix, edits: [unit.greet(words)] });
  const [good, other, bad] = ['"Hello " + (name ?? "nobody")', '"Hello there, " + name', '"Hello " + name'].map(
    changes,
  );

  test.for<{ what: string; steps: object[]; reviews: object[]; fixes?: number; is: SeedEventPair[] }>([
    { what: "nothing found", steps: [unit.implement], reviews: [unit.clean], is: [started, passed] },
    {
      what: "fixed",
      steps: [unit.implement, good ?? {}],
      reviews: [unit.issues],
      is: [started, found(ISSUE), fixed],
    },
    {
      what: "fixed and reviewed again",
      steps: [unit.implement, good ?? {}],
      reviews: [unit.issues, unit.clean],
      fixes: 2,
      is: [started, found(ISSUE), fixed, started, passed],
    },
    {
      what: "issues three times, until the fixes are used up",
      steps: [unit.implement, other ?? {}, good ?? {}, changes('"Oh, " + name')],
      reviews: [unit.issues, unit.issues, unit.issues],
      fixes: 3,
      is: [...[started, found(ISSUE), fixed], ...[started, found(ISSUE), fixed], ...[started, found(ISSUE), fixed]],
    },
    {
      what: "going in circles at the limit",
      // A third fix would be there to be reported.
      steps: [unit.implement, good ?? {}, bad ?? {}, good ?? {}],
      reviews: [unit.issues, finds(RUDE), unit.issues],
      fixes: 3,
      is: [started, found(ISSUE), fixed, started, found(RUDE), fixed, started, found(ISSUE)],
    },
    {
      what: "an answer that nobody can read",
      steps: [unit.implement],
      reviews: [unit.babble],
      is: [started, ["codereview.failed", { error: expect.stringContaining("No issues found") }]],
    },
  ])("$what; and it merges", async ({ steps, reviews, fixes, is }) => {
    const choo = fixes === undefined ? {} : { choo: `code_review:\n  max_fix_iterations: ${fixes}\n` };
    const project = await unit.unitsProject({ steps: { greeting: steps }, reviews, ...choo });
    const { hears, heard } = listener(project, {});
    const { settled } = await project.runUnits(["greeting"], 1, hears);
    expect(settled.get("unit:greeting")).toMatchObject({ stage: "ended", outcome: "merged" });
    expect(valid(heard())).toEqual(is);
  });
});
