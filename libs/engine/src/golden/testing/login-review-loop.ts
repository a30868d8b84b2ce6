import { signed } from "../../../../core/src/read/testing/sign-off.ts";

/** What self-reviewers of the login feature answer, in seed 001's form. */
interface Issue {
  severity: string;
  category: string;
  file?: string;
  lineStart?: number;
  lineEnd?: number;
  description: string;
  suggestedFix?: string;
}

export const selfReview = (verdict: "pass" | "needs_work" | "critical_issues", issues: Issue[], summary: string) => ({
  role: "reviewer",
  answer: JSON.stringify({ verdict, issues, summary, ...(verdict === "pass" ? { sign_off: signed } : {}) }),
  usage: { inputTokens: 2000, outputTokens: 100, costUsd: 0.5 },
});

export const EMPTY_PASSWORDS: Issue = {
  severity: "high",
  category: "security",
  file: "src/auth/validator.js",
  lineStart: 3,
  description: "Empty passwords are accepted. isPassword gives true for every text.",
  suggestedFix: "return text.length >= 8;",
};

export const passes = selfReview("pass", [], "The login does what was asked.");
export const fails = selfReview("needs_work", [EMPTY_PASSWORDS], "Passwords of any length get in.");
export const failsAgain = selfReview("needs_work", [EMPTY_PASSWORDS], "Passwords of any length still get in.");

/** Answers what somebody asks for on the pull request. */
export const fixLogin = {
  role: "fixer",
  answer: "A login without a password is refused before the validator sees it.\n",
  edits: [
    {
      path: "src/auth/login.js",
      content: `import { isPassword } from "./validator.js";

export const login = (password) => (typeof password === "string" && isPassword(password) ? 200 : 401);
`,
    },
  ],
};
