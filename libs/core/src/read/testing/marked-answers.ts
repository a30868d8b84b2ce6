import type { Contract } from "@anneal/types";
import { signed, signOff } from "./sign-off.ts";

/**
 * Answers with their judgement marked: ⟦…⟧ around every token that makes the answer fail, ⟪…⟫ around every other token that
 * carries judgement (decision, severity, category, file, line, score, ruling, with the name it stands under).
 */
export interface MarkedAnswer {
  contract: Contract;
  name: string;
  verdict: "pass" | "fail";
  marked: string;
}

const decisionPass = `I read the diff and the callers of the changed functions.

⟪**[APPROVED]**⟫

### Issues Found
⟪- **[ARCHITECTURE]** - info:⟫ Validation could be shared
  - Description: Two endpoints repeat the same checks, which will drift apart
    over time.
  ⟪- File: src/routes/users.ts⟫
  ⟪- Line: 12⟫
  - Suggestion: Move the checks into a middleware.
⟪- **[TEST]** - warning:⟫ Locked accounts are not covered
  - Description: No test signs in with a locked account.
  ⟪- File: test/login.test.ts⟫

### Rulings
⟪- 9f2c: fixed⟫ - the guard stands at line 45 now

### Summary
The change does what the feature asks for. Two small things remain.

${signOff()}
END OF REVIEW
`;

const decisionFail = `I read the diff and the callers of the changed functions.

⟦**[REJECTED]**⟧

### Issues Found
⟦- **[COMPLIANCE]** - error:⟧ Empty passwords are accepted
  - Description: The validator returns true for an empty string.
  - File: src/auth/validator.ts
  - Line: 45
  - Suggestion: Refuse passwords under 8 characters.
⟦- **[CODE]** - error:⟧ A failed query is ignored
  - Description: The promise is never awaited.
  - File: src/auth/login.ts
- **[TEST]** - warning: Locked accounts are not covered
  - Description: No test signs in with a locked account.

### Summary
Passwords are not checked and a failed query goes unseen.

Add the length check and await the query before the next review.

END OF REVIEW
`;

const verdictPass = `Here is my review.

\`\`\`json
{
  ⟪"verdict": "pass"⟫,
  ⟪"issues"⟫: [
    {
      ⟪"severity": "low"⟫,
      ⟪"category": "style"⟫,
      ⟪"file": "src/cart.ts"⟫,
      ⟪"lineStart": 14⟫,
      ⟪"lineEnd": 16⟫,
      "description": "The name of the loop variable says nothing.",
      "suggestedFix": "Call it lineItem."
    },
    {
      ⟪"severity": "suggestion"⟫,
      ⟪"category": "documentation"⟫,
      "description": "The rounding rule deserves a sentence."
    }
  ],
  ⟪"rulings"⟫: [{ ⟪"fingerprint": "9f2c"⟫, ⟪"ruling": "fixed"⟫, "evidence": "line 45 checks it" }],
  "summary": "Small and well tested.",
  "sign_off": ${JSON.stringify(signed)}
}
\`\`\`
`;

const verdictFail = `{
  ⟦"verdict": "critical_issues"⟧,
  "issues": [
    {
      ⟦"severity": "critical"⟧,
      "category": "security",
      "file": "src/db.ts",
      "lineStart": 42,
      "lineEnd": 45,
      "description": "The query is built from user input.",
      "suggestedFix": "Bind the parameters."
    },
    {
      ⟦"severity": "medium"⟧,
      "category": "testing",
      "description": "The refused input is not tested."
    }
  ],
  "summary": "An injection has to be closed first."
}
`;

const scorecard = (pass: boolean) => {
  const mark = pass ? (text: string) => `⟪${text}⟫` : (text: string) => `⟦${text}⟧`;
  const cell = (name: string, score: number, weight: string) =>
    `⟪"${name}": { "score": ${score}, "weight": "${weight}" }⟫`;
  return `{
  "ticket_id": "auth-base",
  "reviewed_at": "2026-01-09T14:22:00Z",
  "reviewer": "code-review-agent",
  ${mark(`"status": "${pass ? "pass" : "fail"}"`)},
  "overall_score": ${pass ? 91 : 77},
  "revision_count": 1,
  ⟪"dimension_scores"⟫: {
    ${cell("requirement_adherence", 95, "critical")},
    ${pass ? cell("coordination_compliance", 100, "critical") : '⟦"coordination_compliance": { "score": 45, "weight": "critical" }⟧'},
    ${cell("code_quality", 85, "important")},
    ${cell("pattern_consistency", 85, "important")},
    ${cell("test_quality", 80, "important")},
    ${cell("security_performance", 90, "moderate")}
  },
  ⟪"findings"⟫: [
    {
      ⟪"dimension": "test_quality"⟫,
      ⟪"severity": "warning"⟫,
      ⟪"file": "src/auth/base.py"⟫,
      ⟪"line": 45⟫,
      "message": "No test covers a missing user name.",
      "suggestion": "Add one."
    }
  ],
  ⟪"blocking_issues"⟫: [${
    pass
      ? ""
      : `
    {
      ⟦"dimension": "coordination_compliance",
      "message": "authenticate takes three arguments, the epic says two.",
      "required_action": "Drop the third argument."⟧
    }
  `
  }],
  "revision_notes": ${pass ? "null" : '"Drop the third argument."'},
  ${mark(`"approved": ${pass}`)},
  "pass_criteria_met": {
    "all_critical_dimensions_pass": ${pass},
    "no_blocking_issues": ${pass},
    "overall_score_above_threshold": true
  },
  "sign_off": ${JSON.stringify(signed)}
}
`;
};

const documentPass = `# Story 2.1-D4 Code Review Findings - Round 2

**Reviewer:** Agent (Fresh Context)
**Date:** 2026-01-09 14:22
**Branch:** story-2-1-d4-tokens

## Critical Issues (Must Fix)

None identified.

## Important Issues (Should Fix)

None identified.

## Minor Issues (Nice to Have)

⟪1. **[Style]:**⟫ Two names for one thing
   ⟪- **File:** src/auth/token.ts:88⟫
   - **Problem:** The file says token and ticket for the same value.
   - **Impact:** A reader looks for a difference.
   - **Fix:** Say token.

⟪2. **[Documentation]:**⟫ The expiry is not explained
   ⟪- **File:** src/auth/expiry.ts, lines 12-19⟫
   - **Problem:** The factor 0.9 has no reason.

## Summary

⟪- **Total findings:** 2⟫
⟪- **Critical:** 0⟫
⟪- **Important:** 0⟫
⟪- **Minor:** 2⟫
- **Recommendation:** Ready to merge.

${signOff()}
END OF REVIEW
`;

// In seed 003 an entry is as grave as its section, so it is the counts that hold it there: they are the tokens that fail.
const documentFail = `# Story 2.1-D4 Code Review Findings - Round 1

**Reviewer:** Agent (Fresh Context)
**Date:** 2026-01-09 14:22
**Branch:** story-2-1-d4-tokens

## Critical Issues (Must Fix)

1. **[Security]:** The token is written to the log
   - **File:** src/auth/token.ts:88
   - **Problem:** The whole header is logged.
   - **Impact:** Anyone with log access can sign in.
   - **Fix:** Log the token's id only.

## Important Issues (Should Fix)

2. **[Testing]:** Expired tokens are not tested
   - **File:** test/token.test.ts
   - **Problem:** Only fresh tokens are tried.

## Minor Issues (Nice to Have)

None identified.

## Summary

- **Total findings:** 2
⟦- **Critical:** 1⟧
⟦- **Important:** 1⟧
- **Minor:** 0
- **Recommendation:** Fix both before the merge.

END OF REVIEW
`;

const linesPass = `I compared the branch with its base and read every caller.

The new helper is used in two places, both covered by tests.

⟪No issues found.⟫
`;

const linesFail = `I compared the branch with its base and read every caller.

⟦internal/worker/review.go:42: error: The context⟧ is never cancelled.
  Suggestion: Defer the cancel function.
⟦main.go:7: warning: The file⟧ is read twice.

Two places need work.
`;

const resultPass = `My review of the diff:

{
  ⟪"passed": true⟫,
  "summary": "Nothing stands out.",
  ⟪"issues"⟫: [],
  "sign_off": ${JSON.stringify(signed)}
}
`;

const resultFail = `My review of the diff:

\`\`\`json
{
  ⟦"passed": false⟧,
  "summary": "One leak.",
  "issues": [
    {
      "file": "main.go",
      "line": 42,
      ⟦"severity": "error"⟧,
      "message": "The context is never cancelled.",
      "suggestion": "Defer the cancel function."
    }
  ]
}
\`\`\`
`;

export const markedAnswers: MarkedAnswer[] = [
  { contract: "decision-text", name: "an approval", verdict: "pass", marked: decisionPass },
  { contract: "decision-text", name: "a rejection", verdict: "fail", marked: decisionFail },
  { contract: "verdict-json", name: "a pass", verdict: "pass", marked: verdictPass },
  { contract: "verdict-json", name: "critical issues", verdict: "fail", marked: verdictFail },
  { contract: "scorecard-json", name: "a pass", verdict: "pass", marked: scorecard(true) },
  { contract: "scorecard-json", name: "a failure", verdict: "fail", marked: scorecard(false) },
  { contract: "findings-document", name: "a clean document", verdict: "pass", marked: documentPass },
  { contract: "findings-document", name: "an unclean document", verdict: "fail", marked: documentFail },
  { contract: "issue-lines", name: "a statement of no issues", verdict: "pass", marked: linesPass },
  { contract: "issue-lines", name: "issue lines", verdict: "fail", marked: linesFail },
  { contract: "issue-lines", name: "a passing result", verdict: "pass", marked: resultPass },
  { contract: "issue-lines", name: "a failing result", verdict: "fail", marked: resultFail },
];
