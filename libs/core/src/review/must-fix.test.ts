import { expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { review } from "../read/testing/decision-text/answers.ts";
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
