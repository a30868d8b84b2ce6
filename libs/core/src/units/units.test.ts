import { AdvisoryReviewResult, Policy } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { NO_FIX } from "../lineage/fix-account.ts";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, type Play } from "../testing/build.ts";
import {
  policyFromChoo,
  reviewerFromChoo,
  TASK_STATUSES,
  taskOrder,
  taskStatus,
  unitCommitMessage,
  unitMergeMessage,
} from "./index.ts";
import { toReviewIssue } from "./review-result.ts";
import { choo, unit } from "./testing/plays.ts";

describe("the policy that .choo.yaml makes", () => {
  test.for([
    { max_fix_iterations: 0, reviews: 1, fixes: 0 },
    { max_fix_iterations: 1, reviews: 1, fixes: 1 },
    { max_fix_iterations: 2, reviews: 2, fixes: 2 },
    { max_fix_iterations: 3, reviews: 3, fixes: 3 },
    { max_fix_iterations: 99, reviews: 50, fixes: 50 },
  ])(
    "max_fix_iterations $max_fix_iterations: $reviews reviews and $fixes fixes",
    ({ max_fix_iterations, ...limits }) => {
      const policy = policyFromChoo(choo({ max_fix_iterations }), POLICIES.advisory);
      expect(policy.limits).toMatchObject(limits);
      expect(Policy.parse(policy)).toEqual(policy);
    },
  );

  test("the default is the advisory policy itself, with its 300 seconds", () => {
    const policy = policyFromChoo(choo(), POLICIES.advisory);
    expect(policy).toEqual(POLICIES.advisory);
    expect(policy.reviewer.timeoutMs).toBe(300_000);
  });

  test("everything else of the base policy stays", () => {
    const base = { ...POLICIES.adversarial, caps: { tokens: 5 } };
    const { limits, ...rest } = policyFromChoo(choo({ max_fix_iterations: 9 }), base);
    const { limits: own, ...others } = base;
    expect(rest).toEqual(others);
    expect(limits).toEqual({ ...own, reviews: 9, fixes: 9, hardReviews: 9 });
  });

  test("switched off, the work is committed and merged without a review", () => {
    const play = unit({ enabled: false }).implement().validate();
    expect(play.commit().state).toMatchObject({ stage: "merging", head: "c1", rounds: [] });
  });
});

describe("the reviewer that .choo.yaml names", () => {
  test.for([
    { config: {}, is: { provider: "codex", agent: "codex-review" } },
    { config: { provider: "claude" }, is: { provider: "claude", agent: "claude" } },
    { config: { command: " /opt/codex " }, is: { provider: "codex", agent: "codex-review", command: "/opt/codex" } },
    { config: { enabled: false, provider: "claude" }, is: null },
  ] as const)("$config → $is", ({ config, is }) => {
    expect(reviewerFromChoo(choo(config))).toEqual(is);
  });
});

describe("an issue of seed 004", () => {
  test.for([
    ["critical", "error"],
    ["high", "error"],
    ["medium", "warning"],
    ["low", "suggestion"],
    ["info", "suggestion"],
  ] as const)("of a %s finding has the severity %s", ([severity, word]) => {
    expect(toReviewIssue(finding({ severity })).severity).toBe(word);
  });
});

test("an issue of no file and no line has an empty file, line 0 and no suggestion", () => {
  const { file: _file, line: _line, ...nowhere } = finding({ severity: "low" });
  const issue = toReviewIssue(nowhere);
  expect(issue).toEqual({ file: "", line: 0, severity: "suggestion", message: issue.message });
  expect(AdvisoryReviewResult.shape.issues.parse([issue])).toEqual([issue]);
});

describe("the status of a task", () => {
  const three = () => unit({}, ["1", "2", "3"]);
  const second = () => three().build();
  const refusedTwice = (play: Play) => play.implement().validate("failed").fix().validate("failed").fix();

  test.for<{ when: string; play: () => Play; is: string }>([
    { when: "the first is built", play: three, is: "in_progress pending pending" },
    { when: "the first is checked", play: () => three().implement(), is: "in_progress pending pending" },
    {
      when: "the first is repaired",
      play: () => three().implement().validate("failed"),
      is: "in_progress pending pending",
    },
    { when: "the second is built", play: second, is: "complete in_progress pending" },
    { when: "the last is committed", play: () => second().build().build(), is: "complete complete complete" },
    { when: "merged", play: () => second().build().build().review(clean).merged(), is: "complete complete complete" },
    {
      when: "its checks never pass",
      play: () => refusedTwice(second()).validate("failed"),
      is: "complete failed pending",
    },
    { when: "it was paused", play: () => second().signal("pause"), is: "complete in_progress pending" },
    { when: "it was stopped", play: () => second().signal("stop"), is: "complete pending pending" },
    { when: "there is no loop task of that number", play: () => unit(), is: "complete complete complete" },
  ])("$when: $is", ({ play, is }) => {
    const { state } = play();
    expect([1, 2, 3].map((task) => taskStatus(state, task)).join(" ")).toBe(is);
    for (const word of is.split(" ")) expect(TASK_STATUSES).toContain(word);
  });
});

describe("the order of tasks", () => {
  test.for([
    { name: "by number", tasks: [[3], [1], [2]], order: [1, 2, 3] },
    { name: "dependencies first", tasks: [[1, 3], [2], [3]], order: [2, 3, 1] },
    { name: "a diamond", tasks: [[4, 2, 3], [3, 1], [2, 1], [1]], order: [1, 2, 3, 4] },
    { name: "an unknown dependency holds nothing up", tasks: [[1, 9], [2]], order: [1, 2] },
    { name: "a circle comes last and is not lost", tasks: [[1, 2], [2, 1], [3]], order: [3, 1, 2] },
    { name: "none", tasks: [], order: [] },
  ])("$name", ({ tasks, order }) => {
    const list = tasks.map(([task = 0, ...depends_on]) => ({ task, depends_on }));
    expect(taskOrder(list).map(({ task }) => task)).toEqual(order);
  });
});

describe("commit messages of a unit", () => {
  test("a task, the fix and the merge", () => {
    const app = { unit: "app-shell", task: "Navigation\nand routes" };
    expect(unitCommitMessage(app, unit().implement().state, NO_FIX)).toBe("feat(app-shell): Navigation and routes");
    expect(unitCommitMessage(app, unit().build().review(bad()).state, NO_FIX)).toBe(
      "fix: address code review feedback",
    );
    expect(unitMergeMessage({ unit: "app-shell", into: "feature/x" })).toBe("Merge unit app-shell into feature/x");
  });
});
