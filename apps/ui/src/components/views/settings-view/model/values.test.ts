import { DEFAULT_REVIEW_LOOP_CONFIG, GlobalSettings, ProjectSettings } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { BUDGETS, CAST, CHECKS, RUNNING } from "./general-settings.ts";
import { PULL_REQUESTS, REVIEW_LOOP } from "./loop-settings.ts";
import { changedBetween, held, heldBelow, patchOf, problemAt, valueAt } from "./values.ts";

const setting = { path: "reviewLoop.maxIterations", fallback: 3 };
const says = (rounds: number) => ({ reviewLoop: { maxIterations: rounds } });

describe("a value comes from the nearest file that says it", () => {
  test.for([
    { scope: "project", own: says(7), below: says(5), value: 7, from: "project" },
    { scope: "project", own: {}, below: says(5), value: 5, from: "global" },
    { scope: "project", own: {}, below: {}, value: 3, from: "default" },
    { scope: "global", own: says(5), below: {}, value: 5, from: "global" },
    { scope: "global", own: {}, below: says(9), value: 3, from: "default" },
  ] as const)("$scope with $own over $below is $value from $from", ({ scope, own, below, value, from }) => {
    expect(held(setting, { scope, own, below })).toEqual({ value, from });
  });

  test("given back, the level below holds", () => {
    expect(heldBelow(setting, { scope: "project", own: says(7), below: says(5) })).toEqual({
      value: 5,
      from: "global",
    });
    expect(heldBelow(setting, { scope: "global", own: says(7), below: {} })).toEqual({ value: 3, from: "default" });
  });
});

test("several changes make one merge patch, and what is taken away is null", () => {
  const changes = new Map<string, unknown>([
    ["reviewLoop.maxIterations", 4],
    ["reviewLoop.enabled", null],
    ["budgets.perDay.costUsd", 2],
    ["maxConcurrency", 1],
  ]);
  expect(patchOf(changes)).toEqual({
    reviewLoop: { maxIterations: 4, enabled: null },
    budgets: { perDay: { costUsd: 2 } },
    maxConcurrency: 1,
  });
});

test("what others changed is told by path; lists are compared as a whole", () => {
  const was = { reviewLoop: { maxIterations: 3, enabled: true }, labels: ["a"], same: 1 };
  const now = { reviewLoop: { maxIterations: 4, enabled: true }, labels: ["a", "b"], same: 1, more: true };
  expect(changedBetween(was, now)).toEqual([
    { path: "reviewLoop.maxIterations", was: 3, now: 4 },
    { path: "labels", was: ["a"], now: ["a", "b"] },
    { path: "more", was: undefined, now: true },
  ]);
  expect(changedBetween(was, was)).toEqual([]);
});

test.for([
  { problems: [{ path: "policies", message: "no" }], told: "no" },
  { problems: [{ path: "policies[0].name", message: "bad" }], told: "policies[0].name: bad" },
  { problems: [{ path: "policiesOfOthers", message: "bad" }], told: undefined },
])("a problem at $problems.0.path is told beside its field", ({ problems, told }) => {
  expect(problemAt(problems, "policies")).toBe(told);
});

describe("the page offers what the files can hold", () => {
  test("the defaults of the review loop are those of the seed", () => {
    const shown = Object.fromEntries(REVIEW_LOOP.map(({ path, fallback }) => [path.split(".")[1], fallback]));
    expect(shown).toEqual(DEFAULT_REVIEW_LOOP_CONFIG);
  });

  const all = [...RUNNING, ...CHECKS, ...CAST, ...BUDGETS, ...REVIEW_LOOP, ...PULL_REQUESTS];
  test.for(all)("$path is a key that a settings file knows, and rejects what it should not hold", ({ path, only }) => {
    const schema = only === "global" ? GlobalSettings : ProjectSettings;
    const wrong = patchOf(new Map([[path, { not: "a value of it" }]]));
    expect(schema.safeParse(wrong).error?.issues.map((issue) => issue.path.join("."))).toContainEqual(
      expect.stringMatching(new RegExp(`^${path.split(".")[0]}`)),
    );
    expect(valueAt(wrong, path)).toEqual({ not: "a value of it" });
  });
});
