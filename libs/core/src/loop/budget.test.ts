import type { Caps } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import { dollars, tighter } from "./budget.ts";

const names = Object.keys(POLICIES) as (keyof typeof POLICIES)[];
const dear = { usage: { inputTokens: 600, outputTokens: 500, costUsd: 3 }, at: 9_000 };
const STUCK = 'stuck on "Total is wrong for an empty cart" in src/cart.ts:1';
const STUCK_ON_3 = STUCK.replace("Total is wrong for an empty cart", "Defect3").replace(":1", ":3");

/** Where a loop stands, with its detail where it has one. */
function shown({ state, where }: Play): string {
  return "detail" in state ? `${where}: ${state.detail}` : where;
}

describe("a cap of one loop says what is used, what is stuck, the rounds so far and the options", () => {
  const LIMITS: { caps: Caps; says: string }[] = [
    { caps: { tokens: 1_000 }, says: "1100 of 1000 tokens are used" },
    { caps: { costUsd: 2.5 }, says: "$3 of $2.5 are spent" },
    { caps: { wallMs: 8_000 }, says: "9000 of 8000 ms are used" },
  ];
  const ENDS: Record<keyof typeof POLICIES, string | null> = {
    gate: "possible: resume, stop",
    "pull-request": "possible: resume, skip, stop",
    scored: "possible: resume, stop",
    adversarial: "possible: resume, take-over, accept, stop",
    // It never holds anything up: what it has is merged.
    advisory: null,
  };
  test.for(names.flatMap((policy) => LIMITS.map((limit) => ({ policy, ...limit }))))(
    "$policy: $says",
    ({ policy, caps, says }) => {
      const play = new Play({ ...POLICIES[policy], caps }).build().review(bad("critical"), dear);
      const { reviews } = POLICIES[policy].limits;
      const ends = ENDS[policy];
      const detail = `${says}; ${STUCK}; 1 of ${reviews} rounds so far; ${ends}`;
      expect(shown(play)).toBe(ends === null ? "merging" : `waiting: capped: ${detail}`);
    },
  );

  test.for(names)("%s: also before there is anything to review", (policy) => {
    const play = new Play({ ...POLICIES[policy], caps: { wallMs: 500 } }).implement();
    expect(shown(play)).toContain("waiting: capped: 1000 of 500 ms are used; the work is not checked; 0 of ");
    expect(shown(play)).toMatch(/possible: .*resume.*, stop$/);
    expect(shown(play)).not.toMatch(/skip|accept/);
  });
});

describe("the cap on time, where it comes while something is under way,", () => {
  const timed = { ...POLICIES.gate, caps: { wallMs: 60_000 } };
  const broke = { type: "broke", usage: {}, reason: "cut off" } as const;

  test("cuts it off: nobody failed, nothing is retried, and the message says which cap it was", () => {
    const play = new Play(timed);
    const { retries } = timed.limits;
    for (let n = 0; n < retries; n += 1) play.breaks();
    expect(play.state).toMatchObject({ stage: "implementing", breaks: retries });
    play.feed({ ...broke, at: play.state.startedAt + 60_000, stage: "implementing", outOfTime: true });
    expect(play.state).toMatchObject({ stage: "waiting-for-human", reason: "capped", backTo: "implementing" });
    expect(shown(play)).toContain("60000 of 60000 ms are used; the work is not done; 0 of 3 rounds so far");
    expect(play.signal("resume").state).toMatchObject({ stage: "implementing", breaks: 0, notBefore: null });
  });

  test("is not slept through", () => {
    const play = new Play({ ...timed, limits: { ...timed.limits, retries: 1, retryBackoffMs: 3_600_000 } }).breaks();
    expect(play.state.notBefore).toBe(play.state.startedAt + 60_000);
  });
});

// What later reviews, which rejected, said nothing about.
const gone = (title: string) => `${title} (its code is gone, but no review has confirmed the fix)`;

describe("rounds that run out say what is stuck, the rounds so far and the options", () => {
  test.for([
    {
      policy: "gate",
      says: `waiting: rounds-exhausted: 1 finding blocks; ${STUCK_ON_3}; 3 of 3 rounds so far; possible: resume, stop`,
    },
    {
      policy: "pull-request",
      says: `waiting: never-publish: not pushed while these findings are open: ${gone("Total is wrong for an empty cart")}; ${gone("Defect2")}; Defect3; ${STUCK_ON_3}; 3 of 3 rounds so far; possible: refine, take-over, stop`,
    },
    {
      policy: "scored",
      says: `ended: failed: 1 finding blocks; ${STUCK_ON_3}; 3 of 3 rounds so far`,
    },
    {
      policy: "adversarial",
      says: `waiting: rounds-exhausted: 1 finding blocks; ${STUCK_ON_3}; 3 of 3 rounds so far; possible: take-over, accept, one-more, stop`,
    },
    { policy: "advisory", says: "merging" },
  ] as const)("$policy", ({ policy, says }) => {
    const play = new Play(POLICIES[policy]).build();
    for (let n = 1; n <= 9 && ["reviewing", "fixing"].includes(play.state.stage); n++) {
      if (play.state.stage === "reviewing") play.review(bad("critical", n));
      if (play.state.stage === "fixing") play.mend();
    }
    expect(shown(play)).toBe(says);
  });
});

describe("the day's cap", () => {
  const OPTIONS: Record<keyof typeof POLICIES, string> = {
    gate: "resume, retry, stop",
    "pull-request": "resume, retry, skip, stop",
    scored: "resume, retry, stop",
    adversarial: "resume, retry, take-over, accept, stop",
    advisory: "resume, retry, stop",
  };
  test.for(names)("%s: waits for a person before paid work, and says how it stands", (policy) => {
    const { reviews } = POLICIES[policy].limits;
    const play = new Play(POLICIES[policy]).build().review(bad("critical")).cap("900 of 800 tokens are used today");
    const detail = `900 of 800 tokens are used today; ${STUCK}; 1 of ${reviews} rounds so far; possible: ${OPTIONS[policy]}`;
    expect(shown(play)).toBe(`waiting: capped: ${detail}`);
    expect(play.state).toMatchObject({ backTo: "fixing" });
  });

  test.for([
    { before: "implementing", to: (play: Play) => play, says: "the work is not done; 0 of 3 rounds so far" },
    {
      before: "reviewing",
      to: (play: Play) => play.build(),
      says: "the last commit is not reviewed; 0 of 3 rounds so far",
    },
    { before: "fixing", to: (play: Play) => play.implement().validate("failed"), says: 'stuck on "2 tests fail"' },
  ])("holds before $before, and resumes there", ({ before, to, says }) => {
    const play = to(new Play(POLICIES.gate)).cap();
    expect(play.state).toMatchObject({ reason: "capped", backTo: before, detail: expect.stringContaining(says) });
    expect(play.signal("resume").where).toBe(before);
  });

  test.for([
    { stage: "validating", to: (play: Play) => play.implement() },
    { stage: "committing", to: (play: Play) => play.implement().validate() },
    { stage: "opening-pr", to: (play: Play) => play.build().review(clean) },
    { stage: "awaiting-feedback", to: (play: Play) => play.build().review(clean).pr() },
  ])("does not touch $stage, which costs nothing", ({ stage, to }) => {
    expect(to(new Play(POLICIES["pull-request"])).cap().where).toBe(stage);
  });

  test("caps again at the next check, and gives no fresh rounds and no fresh budget", () => {
    const play = new Play({ ...POLICIES.gate, caps: { tokens: 2_000 } }).build().review(bad("high", 1), dear);
    const { cycle } = play.state;
    play.cap().signal("resume").cap().signal("retry");
    expect(play.where).toBe("fixing");
    expect(play.state.cycle).toMatchObject({ reviews: 1, fixes: cycle.fixes, tokens: 1_100, costUsd: 3 });
    play.mend().review(bad("high", 2)).cap().signal("resume").mend().review(bad("high", 3));
    expect(play.where).toBe("waiting: rounds-exhausted");
  });

  test("a title of many lines becomes one short line", () => {
    const title = `Broken\n\n${"very ".repeat(40)}badly`;
    const play = new Play(POLICIES.gate).build();
    play.review(report({ claim: "fail", findings: [finding({ title }), finding({ title, snippet: "b" })] })).cap();
    const detail = shown(play);
    expect(detail).not.toContain("\n");
    expect(detail).toMatch(/stuck on "Broken very [^"]{60,70}…" in src\/cart.ts:10 and 1 more;/);
  });
});

test.for([
  [0, "$0"],
  [5, "$5"],
  [0.1 + 0.2, "$0.3"],
  [1.23456, "$1.2346"],
  [0.0006, "$0.0006"],
  [0.00004, "$0.00004"],
  [0.0000123456, "$0.000012"],
  [1_000, "$1000"],
] as const)("%d dollars are shown as %s", ([amount, shown]) => {
  expect(dollars(amount)).toBe(shown);
});

test("of two caps the smaller holds, key by key", () => {
  expect(tighter({ tokens: 5, costUsd: 9 }, { tokens: 7, costUsd: 2, wallMs: 1 })).toEqual({
    tokens: 5,
    costUsd: 2,
    wallMs: 1,
  });
  expect(tighter({}, {})).toEqual({});
});
