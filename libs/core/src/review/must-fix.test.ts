import { expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { review } from "../read/testing/decision-text/answers.ts";
import { counts, document } from "../read/testing/findings-document/answers.ts";
import { signOff } from "../read/testing/sign-off.ts";
import { letsPass } from "./must-fix.ts";

const broken = review("**[APPROVED]**").replace("### Issues Found", "### Problems");

test.for([
  { what: "its sign-off", answer: broken, passes: true },
  { what: "no sign-off", answer: broken.replace(signOff(), ""), passes: true },
  {
    what: "a sign-off that leaves files out",
    answer: broken.replace(signOff(), signOff({ "Not reviewed": "tests/" })),
    passes: false,
  },
  {
    what: "a sign-off that rejects",
    answer: broken.replace(signOff(), signOff({ Decision: "rejected" })),
    passes: false,
  },
])("an approval of wrong form with $what may be repaired into a pass: $passes", ({ answer, passes }) => {
  expect(letsPass(POLICIES.gate, answer, 0)).toBe(passes);
});

test.for([
  { what: "none", summary: counts(0, 0, 0, 0), passes: true },
  { what: "minor findings", summary: counts(2, 0, 0, 2), passes: true },
  { what: "minor findings in one line", summary: "Total: 2, Critical: 0, Important: 0, Minor: 2", passes: true },
  { what: "critical findings that it does not list", summary: counts(2, 2, 0, 0), passes: false },
  { what: "an important one in a table", summary: "| Critical | 0 |\n| Important | 1 |", passes: false },
])("a document of wrong form that counts $what may be repaired into a pass: $passes", ({ summary, passes }) => {
  expect(letsPass(POLICIES.adversarial, document({ summary }), 0)).toBe(passes);
});

test("nor may one whose heading counts a critical finding", () => {
  const answer = document().replace("## Critical Issues", "## 🔴 Critical Issues (2)");
  expect(letsPass(POLICIES.adversarial, document(), 0)).toBe(true);
  expect(letsPass(POLICIES.adversarial, answer, 0)).toBe(false);
});
