import type { ApiCertificate } from "@anneal/types";

/** What checked a change besides its reviews, and the result, in a line. */
export function checksText({ testCommand, result }: ApiCertificate["checks"]): string {
  if (testCommand === null) return WITHOUT[result];
  const line = Array.isArray(testCommand) ? testCommand.join(" ") : testCommand;
  return `${line}: ${result.replace("-", " ")}`;
}

/** Units have commands of their own. */
const WITHOUT: Record<ApiCertificate["checks"]["result"], string> = {
  passed: "no test command; the unit's own commands passed",
  failed: "no test command; the unit's own commands failed",
  "not-configured": "none configured",
  "not-run": "not run",
};
