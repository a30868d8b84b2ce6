import type { Hostile } from "../hostile.ts";
import { passing, result } from "./answers.ts";

export const part: Hostile[] = [
  { name: "a byte order mark in front", text: `\uFEFF${passing}`, expect: { verdict: "pass", findings: 0 } },

  // "No issues found." next to words that name some
  ...[
    "| File | Severity |\n|---|---|\n| src/a.ts | error |",
    "src/a.ts(12): error TS1: The query is built from user input",
    "src/a.ts(12,7): The query is built from user input",
    "ERROR src/a.ts:12 The query is built from user input",
    "src/a.ts：12：error：The query is built from user input",
    "src/a.ts#L12 takes user input",
    "In src/a.ts, line 12, user input reaches the query.",
    "Security: the query is built from user input.",
    "Security:\nThe query is built from user input.",
    "## Security\nThe query is built from user input.",
    "Security: SQL injection in the login.",
    "Wait: there is a critical bug; do not merge.",
    "However, the query is built from user input.",
    "1. The query is built from user input",
    "> The query is built from user input",
    "```\nquery(input)\n```",
    "All good. ".repeat(200),
  ].flatMap((more) => [
    {
      name: `no issues above ${JSON.stringify(more.slice(0, 60))}`,
      text: `No issues found.\n\n${more}\n`,
      expect: "inconclusive" as const,
    },
    {
      name: `no issues below ${JSON.stringify(more.slice(0, 60))}`,
      text: `${more}\n\nNo issues found.\n`,
      expect: "inconclusive" as const,
    },
  ]),
  {
    name: "no issues in one of two parts",
    text: "Style: No issues found.\nSecurity: SQL injection in the login.",
    expect: "inconclusive",
  },
  {
    name: "no issues under one of two labels",
    text: "Style:\nNo issues found.\n\nSecurity:\nThe password is printed.\n",
    expect: "inconclusive",
  },
  { name: "no issues inside a pre element", text: "<pre>\nNo issues found.\n</pre>\n", expect: "inconclusive" },
  { name: "passed with an extra key", text: result({ confidence: "high" }), expect: "inconclusive" },
  {
    name: "passed with findings under another key",
    text: result({ blockers: ["The token leaks."] }),
    expect: "inconclusive",
  },
  {
    name: "passed inside a block quotation",
    text: `<blockquote>\n${result({})}\n</blockquote>`,
    expect: "inconclusive",
  },
  ...[
    "- [P1] SQL injection — src/a.ts:12-14",
    "[P1] SQL injection in the login",
    "- **[P0] Any password is taken**",
    "> - [P3] Name the constant — src/a.ts:3",
    "src/a.ts:12 - error - The query is built from user input",
    "src/a.ts:12: error - The query is built from user input",
    "src/a.ts:12: [error] The query is built from user input",
    "C:\\src\\a.ts:12: error: The query is built from user input",
  ].flatMap((line) => [
    {
      name: `an issue above no issues: ${JSON.stringify(line)}`,
      text: `${line}\n\nNo issues found.\n`,
      expect: { verdict: "fail" as const, findings: 1 },
    },
    {
      name: `an issue below no issues: ${JSON.stringify(line)}`,
      text: `No issues found.\n\n${line}\n`,
      expect: { verdict: "fail" as const, findings: 1 },
    },
  ]),
  { name: "an unknown priority", text: "- [P7] Odd — src/a.ts:3\n\nNo issues found.\n", expect: "inconclusive" },
  { name: "a priority without a title", text: "- [P1]\n\nNo issues found.\n", expect: "inconclusive" },
  { name: "no issues that just stops below prose", text: "Read all of it.\n\nNo issues found", expect: "inconclusive" },
  { name: "no issues that goes on", text: "No issues found in the tests", expect: "inconclusive" },
];
