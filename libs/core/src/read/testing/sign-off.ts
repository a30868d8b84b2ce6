/** What an approval repeats at its end, as a JSON answer has it. */
export const signed = { requirements: "none stated", not_reviewed: "none", conditions: "none", decision: "approved" };

/** The same in a text answer, with the fields to be broken one by one. */
export function signOff(fields: Record<string, string> = {}): string {
  const all = {
    Requirements: "none stated",
    "Not reviewed": "none",
    Conditions: "none",
    Decision: "approved",
    ...fields,
  };
  return `## Sign-off\n\n${Object.entries(all)
    .map(([label, value]) => `- ${label}: ${value}\n`)
    .join("")}`;
}
