import { signed } from "../sign-off.ts";

export const LINE = "internal/worker/review.go:42: error: The context is never cancelled.";
export const issue = {
  file: "main.go",
  line: 42,
  severity: "error",
  message: "The context is never cancelled.",
  suggestion: "Defer cancel.",
};

/** A well-formed JSON answer, to be broken in one spot. */
export function result(parts: Record<string, unknown>): string {
  return JSON.stringify({ passed: true, summary: "No issues found.", issues: [], sign_off: signed, ...parts }, null, 2);
}
export const withIssue = (parts: Record<string, unknown>) =>
  result({ passed: false, issues: [{ ...issue, ...parts }] });

export const passing = `I compared the branch with its base and read the callers.\n\nNo issues found.\n`;
export const failing = `I compared the branch with its base.\n\n${LINE}\nmain.go:7: suggestion: Name the constant.\n`;
export const passingJson = `My review:\n\n\`\`\`json\n${result({})}\n\`\`\`\n`;
export const failingJson = `My review:\n\n\`\`\`json\n${withIssue({})}\n\`\`\`\n`;
