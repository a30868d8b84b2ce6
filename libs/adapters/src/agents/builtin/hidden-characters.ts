import type { ChangedFile, Finding } from "@anneal/types";
import type { Change } from "../../ports.ts";
import { BUILTIN_RULES } from "./rules.ts";
import { toFinding } from "./source/finding.ts";
import { sourceOf } from "./source/source.ts";

/** Characters that hide code, in a file of a change: no reviewer can be trusted to see them. */
export async function hiddenCharactersIn(file: ChangedFile, change: Change): Promise<Finding[]> {
  const rule = BUILTIN_RULES.find(({ id }) => id === "hidden-character");
  if (rule === undefined || rule.check === "test-ledger" || file.status === "deleted") return [];
  const source = sourceOf(file, change);
  if (!rule.check.hint.test(source.addedText)) return [];
  const found = await rule.check.look(source, []);
  return found.map((one) => toFinding(rule, one, file.path));
}
