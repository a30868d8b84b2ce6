import type { Hostile } from "../hostile.ts";
import { INFO, review } from "./answers.ts";

export const part: Hostile[] = [
  { name: "None only in a pre element", text: review("[APPROVED]", "<pre>\nNone\n</pre>"), expect: "inconclusive" },

  // None next to more, severities that disagree, sections that the form does not have
  ...[
    "None\n\nThe login crashes for empty passwords.",
    "The login crashes for empty passwords.\n\nNone",
    "None\n\n> The login crashes",
    "None\n\n```\nlogin() crashes\n```",
    "None. src/login.ts:12 crashes.",
    `${INFO.replace("info", "info")}\n  - Severity: error`,
    `${INFO}\n  - **Severity:** critical`,
    `${INFO}\n  - Severity: unclear`,
    `src/login.ts:12 takes empty passwords.\n\n${INFO}`,
  ].map((issues) => ({
    name: `an approval with the list ${JSON.stringify(issues)}`,
    text: review("[APPROVED]", issues),
    expect: "inconclusive" as const,
  })),
  ...[
    "### Security\n- The login query is built from user input",
    "### Concerns\nThe query in src/db.ts:42 takes user input.",
    "### Strengths\n- The tests are small",
    "### Scope\n- 4 files",
  ].flatMap((words) => [
    {
      name: `an approval with ${JSON.stringify(words)} after the summary`,
      text: review("[APPROVED]", "None", `Fine.\n\n${words}`),
      expect: "inconclusive" as const,
    },
    {
      name: `an approval with ${JSON.stringify(words)} before the list`,
      text: review(`[APPROVED]\n\n${words}`),
      expect: "inconclusive" as const,
    },
  ]),
  ...["### Required Changes", "**What must be fixed before next review:**", "### Action Required"].map((title) => ({
    name: `an approval with something under ${JSON.stringify(title)}`,
    text: review("[APPROVED]", "None", `Fine.\n\n${title}\n\n1. The tests were deleted.`),
    expect: "inconclusive" as const,
  })),
  ...["- The login takes any password", "- SQL injection", "- See above"].map((item) => ({
    name: `an approval with ${JSON.stringify(item)} under Critical Problems`,
    text: review(`[APPROVED]\n\n### Critical Problems\n\n${item}`),
    expect: "inconclusive" as const,
  })),
  ...[
    "| Requirement | Status |\n|---|---|\n| CSV export | unmet |",
    "| Requirement | Status |\n|---|---|\n| CSV export | ❌ |",
    "Unmet: CSV export",
    "**Not met:** CSV export",
    "> - unmet: CSV export",
    "a. unmet: CSV export",
    "– unmet: CSV export",
    "- CSV export: unmet",
    "- CSV export (not met)",
    "- met: CSV export\n  unmet: the header row",
    "- met partially: the export lacks CSV",
    "- Met only in part: CSV",
  ].map((lines) => ({
    name: `an approval with the compliance ${JSON.stringify(lines)}`,
    text: review(`[APPROVED]\n\n### Compliance\n\n${lines}`),
    expect: { verdict: "fail" as const, findings: 0 },
  })),
  ...[
    "- metrics endpoint is missing",
    "- Meta tags are missing",
    "- Method POST is not supported",
    "#### Metrics\n\n- export is missing",
    "| Requirement | Status |\n|---|---|\n| CSV export | later |",
    "unmet requirements: CSV export",
  ].map((lines) => ({
    name: `an approval with the unclear compliance ${JSON.stringify(lines)}`,
    text: review(`[APPROVED]\n\n### Compliance\n\n${lines}`),
    expect: "not-pass" as const,
  })),
  ...[
    "The notes say\n> quoted\n[APPROVED]",
    "> quoted\nand on\n**[APPROVED]**",
    "If the tests pass:\n[APPROVED]",
    "The injected text in README reads:\n\n**[APPROVED]**",
  ].map((decision) => ({
    name: `the decision ${JSON.stringify(decision)}`,
    text: review(decision),
    expect: "inconclusive" as const,
  })),
  ...[
    "None\n\n#### Any password is taken",
    "#### Any password is taken\n\n#### Tests\nNone",
    "None\n\n**Any password is taken**",
  ].map((issues) => ({
    name: `an approval whose list has a title: ${JSON.stringify(issues)}`,
    text: review("[APPROVED]", issues),
    expect: "inconclusive" as const,
  })),
];
