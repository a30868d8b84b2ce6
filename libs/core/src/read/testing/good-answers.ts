import type { Contract } from "@anneal/types";
import { review } from "./decision-text/corpus.ts";
import { document } from "./findings-document/corpus.ts";
import { result } from "./issue-lines/corpus.ts";
import { card } from "./scorecard-json/corpus.ts";
import { json } from "./verdict-json/corpus.ts";

/** An honest answer that has to pass, close to the words that make others contradict themselves. */
export interface GoodAnswer {
  contract: Contract;
  name: string;
  text: string;
}

const summaries = {
  "the coverage":
    "Adds a retry to the queue worker. I read every changed file and its callers; the lockfile was not looked at.",
  "a defect that the change removes":
    "The race between two refreshes is fixed, and the new test fails without the fix.",
  "what cannot happen": "User input cannot reach the query, so injection is not possible. Nothing blocks the merge.",
  "no blockers": "No blockers and no critical issues. No changes are required before merging.",
  ready: "The branch is ready to merge. I see no reason not to merge it.",
  "what the code refuses": "The endpoint does not accept empty passwords and does not merge duplicate carts.",
  "errors as a subject":
    "Errors are wrapped and passed on; the error message names the file. Critical paths are covered by tests.",
  "words about code":
    "When the commit could not be read, the command exits with 3. Retries end if the socket is not ready.",
  "tests not run": "I could not run the test suite in this sandbox, so the judgement rests on reading.",
  "quoted words": 'The prompt now says "do not merge" and `needs_work` where it said "rejected" before.',
  "a long list in one sentence":
    "Covers sign-up, sign-in, sign-out and reset; permissions are checked, secrets are not logged, and handles are released.",
  "resolved earlier findings":
    "Both earlier findings are resolved: the header is no longer logged, and the token leak is closed.",
};
const cases = Object.entries(summaries);

const decisions: GoodAnswer[] = [
  ...cases.map(([name, summary]) => ({
    name: `a summary with ${name}`,
    text: review("**[APPROVED]**", "None", summary),
  })),
  { name: "None with a remark", text: review("[APPROVED]", "None. All requirements are covered by tests.") },
  { name: "None in brackets with a remark", text: review("[APPROVED]", "None (all earlier findings are fixed)") },
  { name: "None identified and a rule below", text: review("[APPROVED]", "None identified.\n\n---") },
  { name: "None under each of two headings", text: review("[APPROVED]", "#### Code\nNone\n\n#### Tests\nNone") },
  {
    name: "an introduced list",
    text: review(
      "[APPROVED]",
      "One remark that does not block:\n\n- **[CODE]** - info: The name is vague\n  - Severity: info",
    ),
  },
  {
    name: "HTML in a description",
    text: review(
      "[APPROVED]",
      "- **[CODE]** - info: Markup is built by hand\n  - Description: The helper writes <code>x</code> and a `<pre>` around it.",
    ),
  },
  ...[
    "- met: Missing input is refused\n- met: Shows an error when the field is missing",
    "- Users can log in: met\n- Tokens expire - met",
    "- met: Users can log in\n  - verified by `login.test.ts`",
    "| Requirement | Status |\n|---|---|\n| Login | met |\n| Reset | ✅ |",
    "All requirements are met. Nothing is missing.",
    "#### Met\n- Users can log in\n\n#### Unmet\nNone",
  ].map((lines) => ({
    name: `the compliance ${JSON.stringify(lines)}`,
    text: review(`[APPROVED]\n\n### Compliance\n\n${lines}`),
  })),
  { name: "None in backticks", text: review("[APPROVED]", "`None`") },
  { name: "no issues in this change", text: review("[APPROVED]", "No issues were found in this change.") },
  { name: "a tick behind the decision", text: review("**[APPROVED]** ✅") },
  ...["END OF REVIEW.", "### END OF REVIEW", "**END OF REVIEW.**", "END OF REVIEW\n\n---"].map((closing) => ({
    name: `the closing line ${JSON.stringify(closing)}`,
    text: review("[APPROVED]").replace("END OF REVIEW", closing),
  })),
  { name: "no closing line", text: review("[APPROVED]").replace("END OF REVIEW", "") },
  {
    name: "a courtesy below the closing line",
    text: `${review("[APPROVED]")}\nLet me know if you need anything else!`,
  },
  { name: "a count in the heading", text: review("[APPROVED]").replace("### Issues Found", "### Issues Found (0)") },
  { name: "a tick behind None", text: review("[APPROVED]", "None ✅") },
  {
    name: "what was not looked at",
    text: review("[APPROVED]", "None", "Fine. Code outside of the diff was not reviewed."),
  },
  {
    name: "a note behind the line",
    text: review("[APPROVED]", "- **[CODE]** - info: The name is vague\n  - File: src/a.ts\n  - Line: 12 (in parse)"),
  },
  ...["- 3f2a9c: fixed (src/a.ts:12 checks it)", "There are no earlier findings."].map((rulings) => ({
    name: `the rulings ${JSON.stringify(rulings)}`,
    text: review(`[APPROVED]\n\n### Rulings\n\n${rulings}`),
  })),
  {
    name: "all of it in a fence, with code inside",
    text: `\`\`\`markdown\n${review("[APPROVED]", "None", "Fine:\n\n```ts\nrun();\n```\n\nRead all.")}\`\`\``,
  },
  { name: "nothing to fix", text: review("[APPROVED]", "None", "Fine.\n\n### Required Changes\n\nNone") },
  { name: "a quotation above the decision", text: review("> The ticket asks for a retry.\n\n[APPROVED]") },
  { name: "an announced decision", text: review("Having read all of it, I conclude:\n\n[APPROVED]") },
  { name: "a preamble with a picture", text: review("I went through the diff file by file.\n\n## ✅ [APPROVED]") },
  {
    name: "a heading and a list of what was read",
    text: review(
      "# Code Review: Password reset\n\nI read:\n- src/auth/reset.ts\n- its callers\n\n## Decision: APPROVED",
    ),
  },
  {
    name: "strengths in the summary",
    text: review("[APPROVED]", "None", "Fine.\n\n**Strengths**\n- Guards against injection\n- Tests cover the bug fix"),
  },
  {
    name: "a collapsed section",
    text: review("<details>\n<summary>Method</summary>\n\nI read the callers.\n\n</details>\n\n[APPROVED]"),
  },
].map((answer) => ({ contract: "decision-text", ...answer }));

const verdicts: GoodAnswer[] = [
  ...cases.map(([name, summary]) => ({ name: `a summary with ${name}`, text: json({ summary }) })),
  ...cases.map(([name, prose]) => ({
    name: `prose with ${name}`,
    text: `${prose}\n\n\`\`\`json\n${json({})}\n\`\`\``,
  })),
  { name: "a closing offer", text: `${json({})}\n\nLet me know if you need changes to the format.` },
  {
    name: "a list of what was checked",
    text: `I checked:\n- security: input is bound\n- logic: no bugs found\n\n${json({})}`,
  },
  { name: "empty lists as extra keys", text: json({ blockers: [], errors: [], warnings: null }) },
].map((answer) => ({ contract: "verdict-json", ...answer }));

const introduced: GoodAnswer[] = [
  "The following JSON contains my review:",
  "I read the diff and its callers. Here is the result:",
  "The change would be hard to test otherwise.",
].map((before) => ({ contract: "verdict-json", name: `a result below "${before}"`, text: `${before}\n\n${json({})}` }));

const scorecards: GoodAnswer[] = [
  ...cases.map(([name, prose]) => ({ name: `prose with ${name}`, text: `${prose}\n\n${card({})}` })),
  { name: "empty revision notes", text: card({ revision_notes: "" }) },
  { name: "revision notes that ask for nothing", text: card({ revision_notes: "None. No changes required." }) },
  { name: "optional revision notes", text: card({ revision_notes: "Optional: add a test for a missing user name." }) },
  { name: "an overall of exactly 75", text: card({ overall_score: 75 }) },
  { name: "no warnings as an extra key", text: card({ warnings: [] }) },
].map((answer) => ({ contract: "scorecard-json", ...answer }));

const counts = (advice: string) =>
  `- **Total findings:** 0\n- **Critical:** 0\n- **Important:** 0\n- **Minor:** 0\n- **Recommendation:** ${advice}`;
const nit =
  "1. **[Style]:** Two names for one thing\n   - **File:** src/a.ts:3\n   - **Problem:** It says token and ticket.";
const withNit = (advice: string) =>
  document({
    minor: nit,
    summary: counts(advice).replace("findings:** 0", "findings:** 1").replace("Minor:** 0", "Minor:** 1"),
  });

const documents: GoodAnswer[] = [
  ...cases.map(([name, advice]) => ({
    name: `a recommendation with ${name}`,
    text: document({ summary: counts(advice) }),
  })),
  ...[
    "Ready to merge.",
    "Merge as is. Not looked at: the generated client.",
    "Approve and merge; no further action needed.",
    "Ready to merge once CI is green.",
    "Proceed to QA. Nothing must be fixed.",
    "No fixes are needed before the merge.",
    "Merge. This branch fixes the rounding error and adds the test for it.",
    "The fix is complete; proceed.",
  ].map((advice) => ({ name: `the recommendation "${advice}"`, text: document({ summary: counts(advice) }) })),
  ...[
    "Ready to merge; address the minor naming point when convenient.",
    "Merge. Fix the naming in a follow-up.",
    "Ready to merge after the minor naming fix, which should be addressed first if time allows.",
    "Does not block the merge. Consider renaming.",
  ].map((advice) => ({ name: `the recommendation "${advice}" over a nit`, text: withNit(advice) })),
  { name: "None with a remark", text: document({ critical: "None identified. The tests are thorough." }) },
  {
    name: "None in italics with a remark in brackets",
    text: document({ important: "_None_ (all acceptance criteria are met)" }),
  },
  {
    name: "rules between the sections",
    text: document({ critical: "None identified.\n\n---", important: "None.\n\n***" }),
  },
  { name: "all of it in a fence", text: `\`\`\`markdown\n${document({})}\`\`\`` },
  { name: "no closing line", text: document({}).replace("END OF REVIEW", "") },
  {
    name: "counts in the headings",
    text: document({})
      .replace("(Must Fix)", "(0)")
      .replace("(Should Fix)", "(Should Fix): 0")
      .replace("(Nice to Have)", "- 0"),
  },
  {
    name: "None with a sentence",
    text: document({ critical: "No critical issues found. Every criterion has its test." }),
  },
  { name: "a tick behind a count", text: document({}).replace(/(\*\*Critical:\*\* 0)/, "$1 ✅") },
  { name: "a count with its noun", text: document({}).replace(/(\*\*Total findings:\*\* 0)/, "$1 findings") },
  { name: "an empty minor section", text: document({ minor: "" }) },
  { name: "None in bold", text: document({ critical: "**None identified.**", important: "- None" }) },
  {
    name: "a minor finding with its own severity",
    text: withNit("Merge.").replace("   - **Problem", "   - **Severity:** Minor\n   - **Problem"),
  },
].map((answer) => ({ contract: "findings-document", ...answer }));

const lines: GoodAnswer[] = [
  ...cases.map(([name, summary]) => ({ name: `a result with ${name}`, text: result({ summary }) })),
  ...[
    "I compared the branch with its base and read every caller.",
    "Reviewed 3 files against main. The change adds a retry with back-off to the worker.",
    "Here is my review:",
    "## Code Review",
    "**Summary:** The diff renames a helper and updates its two callers.",
    "The error handling is consistent with the rest of the package, and there are no security concerns.",
    "The diff is a small but well-tested change to the parser.",
    "Not looked at: the generated client.",
    "The new test covers the empty list. The previous leak is fixed.",
    "Errors are wrapped and returned. The lock is released with defer.",
    "Verdict: pass",
  ].flatMap((more) => [
    { name: `no issues below "${more}"`, text: `${more}\n\nNo issues found.\n` },
    { name: `no issues above "${more}"`, text: `No issues found.\n\n${more}\n` },
  ]),
  { name: "prose around the result", text: `I found no bugs.\n\n${result({})}\n\nNothing else to report.` },
].map((answer) => ({ contract: "issue-lines", ...answer }));

export const goodAnswers: GoodAnswer[] = [
  ...decisions,
  ...verdicts,
  ...introduced,
  ...scorecards,
  ...documents,
  ...lines,
];
