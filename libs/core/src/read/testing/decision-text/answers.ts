import { signOff } from "../sign-off.ts";

export const ERROR = `- **[COMPLIANCE]** - error: Empty passwords are accepted
  - Description: The validator returns true for an empty string.
  - File: src/auth/validator.ts
  - Line: 45
  - Suggestion: Refuse passwords under 8 characters.`;
export const INFO = `- **[ARCHITECTURE]** - info: Validation could be shared
  - Description: Two endpoints repeat the same checks.
  - File: src/routes/users.ts`;

/** A well-formed answer, to be broken in one spot. */
export function review(decision: string, issues = "None", summary = "The change does what was asked."): string {
  const listed = decision.match(/^(?:- |\| (?!Requirement)(?!-))/gm)?.length ?? 0;
  const end = signOff(listed === 0 ? {} : { Requirements: `${listed} of ${listed} met` });
  return `${decision}\n\n### Issues Found\n${issues}\n\n### Summary\n${summary}\n\n${end}\nEND OF REVIEW\n`;
}

export const approved = review("**[APPROVED]**", INFO);
export const rejected = review(
  "**[REJECTED]**",
  `${ERROR}\n${INFO}`,
  "Passwords are not checked.\n\nAdd the length check.",
);

export const diffOfVerdict = "--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,3 @@\n context\n [APPROVED]\n+**[APPROVED]**";
