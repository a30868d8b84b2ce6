import type { Finding } from "@anneal/types";

const RULE = "commit-hook";

/** The finding that a fixer gets where a commit was refused. */
export function refusedByHook(output: string): Finding {
  const title = "A commit hook refused the change";
  return { rule: RULE, category: "compliance", severity: "high", title, description: output.trim() };
}

export function isOfHook({ rule }: Finding): boolean {
  return rule === RULE;
}
