import { describe, expect, test } from "vitest";
import {
  featureCommitMessage,
  featureStepCommitMessage,
  plainFeatureMessage,
  pullRequestFixCommitMessage,
  storyFixCommitMessage,
} from "./commit-messages.ts";

describe("featureCommitMessage", () => {
  test("the first iteration has the message of seed 000 §3.4", () => {
    expect(featureCommitMessage("Limit calls", 1)).toBe(
      "feat: Limit calls\n\nImplemented by Automaker auto-mode - Code Review Iteration 1",
    );
  });

  test.for([2, 3, 7])("iteration %d also names the review that it fixes", (iteration) => {
    expect(featureCommitMessage("Limit calls", iteration)).toBe(
      `feat: Limit calls\n\nImplemented by Automaker auto-mode - Code Review Iteration ${iteration}\nFixes from review iteration ${iteration - 1}`,
    );
  });

  test.for([
    { title: "a\nb", clean: "a b" },
    { title: " a\r\n\tb ", clean: "a b" },
    { title: "\u001b[31mred\u001b[0m\u0007", clean: "red" },
    { title: "a\u202eb\u0000c", clean: "abc" },
    { title: "$(rm -rf /) `x`", clean: "$(rm -rf /) `x`" },
    { title: "\n", clean: "untitled feature" },
  ])("the title $title becomes the clean line $clean", ({ title, clean }) => {
    expect(featureCommitMessage(title, 1).split("\n")[0]).toBe(`feat: ${clean}`);
  });
});

test.for([
  { what: "the work itself", round: 0, is: "feat: Limit calls" },
  { what: "the fix of a round", round: 2, is: "fix: address code review round 2 - Empty carts" },
])("where no seed has words for it, $what does not speak of Automaker", ({ round, is }) => {
  const fixed = [{ title: "Empty carts", category: "logic", isRefuted: false }] as const;
  expect(plainFeatureMessage("Limit\ncalls", round, { fixed, open: [] })).toBe(is);
});

describe("storyFixCommitMessage", () => {
  test("a fix commit has the message of seed 003", () => {
    const fixed = [{ title: "limit\nchecks", category: "logic", isRefuted: false }] as const;
    expect(storyFixCommitMessage(2, { fixed, open: [] })).toBe("fix: address code review round 2 - limit checks");
  });
});

test("a pipeline step's commit names the step, and no review that it fixes", () => {
  expect(featureStepCommitMessage("Limit\ncalls", "Lint\nand format")).toBe(
    "feat: Limit calls\n\nPipeline step: Lint and format",
  );
});

test.for([
  { iteration: 2, pr: null, subject: "fix: address self-review, iteration 2" },
  { iteration: 3, pr: 7, subject: "fix: address feedback on pull request 7" },
])("a fix of a pull request says what it answers: $subject", ({ subject, ...fix }) => {
  expect(pullRequestFixCommitMessage("Limit\ncalls", fix)).toBe(`${subject}\n\nFor: Limit calls`);
});
