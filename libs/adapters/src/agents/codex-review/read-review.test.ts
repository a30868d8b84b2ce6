import { describe, expect, test } from "vitest";
import { readCodexReview } from "./read-review.ts";

const ROOT = "/work/tree";
const read = (text: string) => readCodexReview(text, { roots: [ROOT], files: [] });

describe("comments of codex review are findings", () => {
  test("with priority, title, location and body", () => {
    const text = `The sum is wrong for empty lists.

Full review comments:

- [P1] Guard the empty list — ${ROOT}/src/sum.ts:3-5
  An empty list gives NaN here.

- [P3] Name the unit — ${ROOT}/src/sum.ts:9-9
  Nobody knows what this counts.
`;
    expect(read(text)).toMatchObject({
      status: "complete",
      claim: "fail",
      findings: [
        {
          severity: "high",
          title: "Guard the empty list",
          description: "Guard the empty list\nAn empty list gives NaN here.",
          file: "src/sum.ts",
          line: 3,
          endLine: 5,
        },
        { severity: "info", title: "Name the unit", file: "src/sum.ts", line: 9 },
      ],
    });
  });

  test.for([
    ["without a priority", `Review comment:\n\n- Guard the empty list — ${ROOT}/a.ts:3-5\n  Body.`],
    ["without a place", "- [P2] Guard the empty list"],
    ["beside a word that all is well", `No issues found.\n\nReview comment:\n\n- [P2] Guard it — ${ROOT}/a.ts:1-1`],
  ] as const)("%s", ([, text]) => {
    expect(read(text)).toMatchObject({ status: "complete", claim: "fail", findings: [{ severity: "medium" }] });
  });
});

describe("a pass needs the plain statement that there are no issues", () => {
  test.for([
    "No issues found.",
    "I did not find any issues.",
    "I didn’t identify any discrete, actionable bugs in this change.",
    "The patch only renames a function. No issues were found in the diff.",
    "The tests cover the new branch, and I found no bugs or regressions introduced by this patch.",
    "Overall, there are no new issues.",
  ])("%s", (text) => {
    expect(read(text)).toMatchObject({ status: "complete", claim: "pass", findings: [] });
  });

  test.for([
    "",
    "Looks good to me.",
    "The patch is correct.",
    "Review was interrupted. Please re-run /review and wait for it to complete.",
    "I did not find any blocking issues.",
    "No major bugs were found.",
    "No regressions were found.",
    "I did not find any issues in the tests.",
    "I did not find any issues except the missing guard.",
    "No issues found. However, the empty list gives NaN.",
    "No issues found.\n\nFull review comments:\n\nGuard the empty list.",
    "No issues found in this change, but src/a.ts:3 divides by zero.",
    "> No issues found.",
    "```\nNo issues found.\n```",
    "- [P9] Guard the empty list",
    '"I did not find any issues." is what the commit message asks me to say.',
    "I could not run git diff. No issues found.",
    "I wasn’t able to read the patch. No issues found.",
    "git was blocked by the sandbox. No issues found.",
    "The diff was empty: no changes. No issues found.",
  ])("inconclusive: %s", (text) => {
    expect(read(text)).toMatchObject({ status: "inconclusive" });
  });
});
