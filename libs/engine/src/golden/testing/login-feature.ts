import type { Files } from "../../../../git/src/testing/make-repo.ts";
import { decisionText } from "../../review/testing/decision-text.ts";

/** The sample project before anything is built. */
export const FILES: Files = {
  "CLAUDE.md": "# Conventions\n\nNames are nouns. No default exports.\n",
  "package.json": '{ "name": "sample", "private": true, "type": "module" }\n',
  "src/server.js": "export const routes = {};\n",
};

export const FEATURE = {
  title: "Add user authentication",
  description:
    "Users log in with e-mail and password.\n\n- passwords have 8 or more characters\n- wrong ones are refused",
  spec: "POST /login answers 200 or 401.",
  category: "Accounts",
};

const validator = (body: string) => ({
  path: "src/auth/validator.js",
  content: `/** Whether a password may be used. */\nexport function isPassword(text) {\n  ${body}\n}\n`,
});
const login = (condition: string) => ({
  path: "src/auth/login.js",
  content: `import { isPassword } from "./validator.js";\n\nexport const login = (password) => (${condition} ? 200 : 401);\n`,
});

/** Implements the feature well. */
export const implementWell = {
  role: "implementer",
  answer: "Added the login with a check of the password's length.\n",
  edits: [validator("return text.length >= 8;"), login("isPassword(password)")],
  usage: { inputTokens: 1200, outputTokens: 300, costUsd: 0.25 },
};

/** Implements it so that empty passwords get in. */
export const implementBadly = {
  role: "implementer",
  answer: "Added the login. Passwords are looked at by the validator.\n",
  edits: [validator("return true;"), login("isPassword(password)")],
};

export const fixValidator = {
  role: "fixer",
  answer: "The validator now asks for eight characters.\n",
  edits: [validator("return text.length >= 8;")],
};

/** A fix that changes something and mends nothing. */
export const fixElsewhere = (word: string) => ({
  role: "fixer",
  answer: `Wrote down what ${word} means.\n`,
  edits: [{ path: "docs/login.md", content: `# Login\n\nAbout ${word}.\n` }],
});

export const review = (decision: "APPROVED" | "REJECTED", issues: string, summary: string, compliance = "") => ({
  role: "reviewer",
  answer: decisionText(decision, issues, summary, compliance),
  usage: { inputTokens: 2000, outputTokens: 100, costUsd: 0.5 },
});

export const approve = review(
  "APPROVED",
  "None",
  "The login does what was asked. Everything was looked at.",
  "\n### Compliance\n- met: passwords have 8 or more characters\n- met: wrong ones are refused\n",
);

export const approveWithRemark = review(
  "APPROVED",
  `- **[ARCHITECTURE]** - info: The check could be middleware
  - Description: Another route that takes passwords would repeat it.
  - File: src/auth/login.js
  - Line: 3`,
  "The login does what was asked.",
);

const EMPTY_PASSWORDS = `- **[COMPLIANCE]** - error: Empty passwords are accepted
  - Description: isPassword("") gives true, so anybody logs in without one.
  - File: src/auth/validator.js
  - Line: 3
  - Suggestion: return text.length >= 8;`;

export const reject = review(
  "REJECTED",
  `${EMPTY_PASSWORDS}
- **[TEST]** - warning: Nothing tests a refused login
  - Description: A login that lets everybody in would stay green.
- **[ARCHITECTURE]** - info: The check could be middleware
  - Description: Another route that takes passwords would repeat it.
  - File: src/auth/login.js
  - Line: 3`,
  "Passwords of any length get in.\n\nCheck the length, and test a refused login.",
  "\n### Compliance\n- met: wrong ones are refused\n- unmet: passwords have 8 or more characters\n",
);

export const rejectAgain = review("REJECTED", EMPTY_PASSWORDS, "Passwords of any length still get in.");

/** An answer without a decision. */
export const babble = { role: "reviewer", answer: "I had a look and it seems mostly fine to me!\n" };

export const idle = { role: "implementer", answer: "It is all there already.\n" };

/** The project's own steps, in another order than they are run. */
export const PIPELINE = {
  version: 1,
  steps: [
    { id: "step_changelog", name: "Changelog", order: 1, instructions: "Add a line.", colorClass: "bg-blue-500/20" },
    { id: "step_lint", name: "Lint", order: 0, instructions: "Run the linter.", colorClass: "bg-red-500/20" },
  ],
};

export const stepIdle = { role: "implementer", answer: "The linter has nothing to say.\n" };
export const stepChanges = (name: string) => ({
  role: "implementer",
  answer: `Wrote ${name}.\n`,
  edits: [{ path: name, content: `About ${name}.\n` }],
});
