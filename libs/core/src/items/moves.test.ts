import type { FeatureStatus, LoopState, Policy } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { refusal } from "../loop/signals.ts";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import { featureStatus } from "./feature-status.ts";
import { signalOfMove } from "./moves.ts";

const WANTED: FeatureStatus[] = [
  "backlog",
  "in_progress",
  "code_review",
  "waiting_approval",
  "verified",
  "completed",
  "pipeline_docs",
];

type Scene = [where: string, state: LoopState];

/** A play that has come somewhere, and the same one paused there. */
function both(play: () => Play): Scene[] {
  const name = play().where;
  return [
    [name, play().state],
    [`paused while ${name}`, play().signal("pause").state],
  ];
}

function gateScenes(): Scene[] {
  const policy = POLICIES.gate;
  const at = (play: Play): Scene => [play.where, play.state];
  const play = (options?: ConstructorParameters<typeof Play>[1]) => new Play(policy, options);
  const rejected = (p: Play, rounds: number) => {
    for (let n = 1; n <= rounds; n++) {
      p.review(bad("high", n));
      if (n < rounds) p.mend();
    }
    return p;
  };
  const step = () =>
    play({ steps: ["docs"] })
      .build()
      .review(clean);
  return [
    ...both(() => play()),
    ...both(() => play().implement()),
    ...both(() => play().implement().validate()),
    ...both(() => play().build()),
    ...both(() => play().build().review(bad("high"))),
    ["in step docs", step().state],
    ["paused in step docs", step().signal("pause").state],
    at(play().implement(false)),
    at(play().build().breaks().breaks().breaks().breaks()),
    at(play().breaks().breaks().breaks().breaks()),
    at(rejected(play().build(), 3)),
    at(play().build().review(bad("high")).fix(false)),
    at(play({ needsApproval: true }).build().review(clean)),
    at(play().build().review(clean, { requirementsJudged: false })),
    at(play().build().cap()),
    at(play().build().review(clean)),
    at(play().signal("stop")),
  ];
}

function pullRequestScenes(): Scene[] {
  const at = (play: Play): Scene => [play.where, play.state];
  const play = () => new Play(POLICIES["pull-request"]);
  const opened = () => play().build().review(clean);
  const secret = () => play().build().review(bad("critical")).signal("skip");
  const ready = () => opened().pr().feedback();
  const wish = { report: report({ findings: [finding()] }) };
  const unsettled = () => {
    const p = opened().pr();
    while (p.where !== "waiting: feedback-exhausted") {
      if (p.state.stage === "fixing") p.mend();
      else if (p.state.stage === "reviewing") p.review(clean);
      else if (p.state.stage === "opening-pr") p.pr();
      else p.feedback(wish);
    }
    return p;
  };
  const conflicted = () =>
    ready()
      .signal("approve")
      .feed({ type: "merge-conflicted", at: 9_000, files: ["src/cart.ts"] });
  return [
    ...both(opened),
    ...both(() => opened().pr()),
    at(ready()),
    [
      "waiting: ready-for-human, with findings",
      play()
        .build()
        .review(bad("high", 1))
        .mend()
        .review(bad("high", 2))
        .mend()
        .review(bad("high", 3))
        .pr()
        .signal("ready").state,
    ],
    at(secret()),
    at(unsettled()),
    ...both(() => ready().signal("approve")),
    at(conflicted()),
    at(opened().breaks().breaks().breaks().breaks()),
    at(ready().signal("approve").merged()),
  ];
}

/** Where a move is a word, that word; all other moves are refused. */
const TABLE: Record<"gate" | "pull-request", Record<string, string>> = {
  gate: {
    implementing: "in_progress: backlog stop",
    validating: "in_progress: backlog stop",
    committing: "in_progress: backlog stop",
    reviewing: "code_review: backlog stop",
    fixing: "in_progress: backlog stop",
    "in step docs": "pipeline_docs: backlog stop",
    "paused while implementing": "in_progress: backlog stop, in_progress resume",
    "paused while validating": "in_progress: backlog stop, in_progress resume",
    "paused while committing": "in_progress: backlog stop, in_progress resume",
    "paused while reviewing": "code_review: backlog stop, in_progress resume, code_review resume",
    "paused while fixing": "in_progress: backlog stop, in_progress resume",
    "paused in step docs": "in_progress: backlog stop, in_progress resume, pipeline_docs resume",
    "waiting: no-change": "in_progress: backlog stop, in_progress retry",
    "waiting: review-broke": "in_progress: backlog stop, in_progress retry, code_review retry",
    "waiting: step-broke": "in_progress: backlog stop, in_progress retry",
    "waiting: rounds-exhausted": "in_progress: backlog stop, in_progress resume",
    "waiting: stalled": "in_progress: backlog stop, in_progress resume",
    "waiting: capped": "in_progress: backlog stop, in_progress resume, code_review resume",
    "waiting: approval": "waiting_approval: backlog stop, code_review refine, verified approve",
    "waiting: requirements-not-judged": "waiting_approval: backlog stop, code_review refine, verified approve",
    "ended: passed": "verified:",
    "ended: stopped": "backlog:",
  },
  "pull-request": {
    "opening-pr": "waiting_approval: backlog stop",
    "awaiting-feedback": "waiting_approval: backlog stop, code_review refine",
    merging: "verified: backlog stop",
    "paused while opening-pr": "in_progress: backlog stop, in_progress resume, waiting_approval resume",
    "paused while awaiting-feedback": "in_progress: backlog stop, in_progress resume, waiting_approval resume",
    "paused while merging": "in_progress: backlog stop, in_progress resume, verified resume",
    "waiting: ready-for-human": "waiting_approval: backlog stop, code_review refine, verified approve",
    "waiting: ready-for-human, with findings": "waiting_approval: backlog stop, in_progress refine, verified approve",
    "waiting: never-publish": "waiting_approval: backlog stop, in_progress refine",
    "waiting: feedback-exhausted": "waiting_approval: backlog stop, in_progress refine",
    "waiting: merge-conflict": "waiting_approval: backlog stop, verified retry",
    "waiting: step-broke": "in_progress: backlog stop, in_progress retry, waiting_approval retry",
    "ended: merged": "completed:",
  },
};

const scenes = { gate: gateScenes, "pull-request": pullRequestScenes };

function meant(policy: Policy, state: LoopState): string {
  const words = WANTED.flatMap((wanted) => {
    const move = signalOfMove(policy, state, wanted);
    return "signal" in move ? [`${wanted} ${move.signal}`] : [];
  });
  return [`${featureStatus(state)}:`, words.join(", ")].join(" ").trim();
}

describe("a move on the board, as stage × wanted status", () => {
  test.for(["gate", "pull-request"] as const)("%s", (name) => {
    const found = scenes[name]().map(([where, state]) => [where, meant(POLICIES[name], state)]);
    expect(Object.fromEntries(found)).toEqual(TABLE[name]);
  });

  test.for(["gate", "pull-request"] as const)(
    "%s: what is meant is legal; what is refused says why in words",
    (name) => {
      const policy = POLICIES[name];
      for (const [where, state] of scenes[name]()) {
        for (const wanted of WANTED) {
          const move = signalOfMove(policy, state, wanted);
          if ("signal" in move) expect(refusal(policy, state, move.signal), `${where} → ${wanted}`).toBeNull();
          else expect(move.refused, `${where} → ${wanted}`).toMatch(/^(it|the loop) \w+ .*\w$/);
        }
      }
    },
  );

  test.for<{ where: string; wanted: FeatureStatus; refused: string }>([
    {
      where: "reviewing",
      wanted: "verified",
      refused: "the loop is reviewing, and only an approval moves the card there; possible now: backlog",
    },
    {
      where: "waiting: approval",
      wanted: "in_progress",
      refused:
        "it waits (approval), and there is nothing left to work on; use refine with a note that says what is missing; possible now: backlog, code_review, verified",
    },
    { where: "reviewing", wanted: "code_review", refused: "it is in code_review already" },
    { where: "ended: passed", wanted: "backlog", refused: "the loop has ended" },
  ])("$where → $wanted is refused", ({ where, wanted, refused }) => {
    const state = Object.fromEntries(gateScenes())[where];
    if (state === undefined) throw new Error(`no scene ${where}`);
    expect(signalOfMove(POLICIES.gate, state, wanted)).toEqual({ refused });
  });

  test("no move skips a review, accepts open findings or takes a loop over", () => {
    for (const policy of Object.values(POLICIES)) {
      const play = new Play(policy).build().review(bad("critical"));
      for (const state of [play.state, play.signal("pause").state]) {
        const words = WANTED.map((wanted) => signalOfMove(policy, state, wanted));
        for (const word of words) if ("signal" in word) expect(["stop", "resume"]).toContain(word.signal);
      }
    }
  });
});
