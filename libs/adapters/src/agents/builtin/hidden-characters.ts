import type { Finding } from "@anneal/types";
import type { Change } from "../../ports.ts";
import { BUILTIN_RULES } from "./rules.ts";
import { toFinding } from "./source/finding.ts";
import { sourceOf } from "./source/source.ts";

/** Characters that hide code, in the files of a change: no reviewer can be trusted to see them. */
export async function hiddenCharactersIn(change: Change): Promise<Finding[]> {
  const rule = BUILTIN_RULES.find(({ id }) => id === "hidden-character");
  if (rule === undefined || rule.check === "test-ledger") return [];
  const findings: Finding[] = [];
  for await (const file of change.files()) {
    const source = sourceOf(file, change);
    if (file.status === "deleted" || !rule.check.hint.test(source.addedText)) continue;
    const found = await rule.check.look(source, []);
    findings.push(...found.map((one) => toFinding(rule, one, file.path)));
  }
  return findings;
}
