import { signed } from "../sign-off.ts";

export const issue = {
  severity: "high",
  category: "logic",
  file: "src/auth/login.ts",
  lineStart: 42,
  lineEnd: 45,
  description: "A failed query is ignored.",
  suggestedFix: "Return 503.",
};
export const nit = { ...issue, severity: "low", category: "style", description: "The name is vague." };

/** A well-formed answer, to be broken in one spot. */
export function json(parts: Record<string, unknown>): string {
  return JSON.stringify(
    { verdict: "pass", issues: [], summary: "The change does what was asked.", sign_off: signed, ...parts },
    null,
    2,
  );
}
export const withIssue = (parts: Record<string, unknown>) => json({ issues: [{ ...nit, ...parts }] });
export const fenced = (text: string, language = "json") => `\`\`\`${language}\n${text}\n\`\`\``;

export const passing = fenced(json({ issues: [nit] }));
export const failing = fenced(
  json({ verdict: "needs_work", issues: [issue, nit], summary: "One query is unguarded." }),
);
