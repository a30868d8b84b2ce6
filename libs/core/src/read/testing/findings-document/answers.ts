import { signOff } from "../sign-off.ts";

export const entry = (category: string, number = 1) => `${number}. **[${category}]:** The token is written to the log
   - **File:** src/auth/token.ts:88
   - **Problem:** The whole header is logged.
   - **Impact:** Anyone with log access can sign in.
   - **Fix:** Log the token's id only.`;
export const counts = (
  total: unknown,
  critical: unknown,
  important: unknown,
  minor: unknown,
) => `- **Total findings:** ${total}
- **Critical:** ${critical}
- **Important:** ${important}
- **Minor:** ${minor}
- **Recommendation:** See above.`;

interface Parts {
  critical?: string;
  important?: string;
  minor?: string;
  summary?: string;
  before?: string;
  after?: string;
}

/** A well-formed document, to be broken in one spot. */
export function document(parts: Parts = {}): string {
  const { critical = "None identified.", important = "None identified.", minor = "None identified." } = parts;
  const { summary = counts(0, 0, 0, 0), before = "", after = "" } = parts;
  return `# Story 2.1 Code Review Findings - Round 1

**Reviewer:** Agent (Fresh Context)
**Date:** 2026-01-09 14:22
**Branch:** story-2-1-tokens
${before}
## Critical Issues (Must Fix)

${critical}

## Important Issues (Should Fix)

${important}

## Minor Issues (Nice to Have)

${minor}

## Summary

${summary}
${after}
${signOff()}
END OF REVIEW
`;
}

export const clean = document({ minor: entry("Style"), summary: counts(1, 0, 0, 1) });
export const unclean = unsigned({
  critical: entry("Security"),
  important: entry("Testing", 2),
  minor: entry("Style", 3),
  summary: counts(3, 1, 1, 1),
});

/** What fails is read without a sign-off. */
function unsigned(parts: Parts): string {
  return document(parts).replace(`${signOff()}\n`, "");
}
export const cutOut = (text: string, from: string, to: string) =>
  text.slice(0, text.indexOf(from)) + text.slice(text.indexOf(to));
