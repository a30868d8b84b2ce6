import { POLICIES } from "@anneal/core";
import { markedAnswers } from "../../../../libs/core/src/read/testing/marked-answers.ts";

export interface PolicyAnswer {
  policy: string;
  name: string;
  verdict: "pass" | "fail";
  text: string;
}

/** Only of `codex review`, which knows none of our forms, it is a pass. */
const UNSIGNED = "a statement of no issues";

/** Well-formed reviewer answers, for each policy in the form that its contract asks for. */
export const policyAnswers: PolicyAnswer[] = Object.values(POLICIES).flatMap(({ name: policy, reviewer }) =>
  markedAnswers
    .filter(({ contract, name }) => contract === reviewer.contract && name !== UNSIGNED)
    .map(({ name, verdict, marked }) => ({ policy, name, verdict, text: marked.replace(/[⟦⟧⟪⟫]/g, "") })),
);

/** The first passing answer for each policy. */
export const passingAnswers: PolicyAnswer[] = Object.keys(POLICIES).flatMap((policy) => {
  const passing = policyAnswers.find((answer) => answer.policy === policy && answer.verdict === "pass");
  return passing === undefined ? [] : [passing];
});
