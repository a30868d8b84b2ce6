import type { Finding, LoopState } from "@anneal/types";
import { SEVERITY_WORDS } from "../findings/severity-and-category.ts";
import { roundsDone } from "../loop/rounds.ts";

/** Findings by the classes of seed 003. Critical and Important are those that must be fixed. */
export interface Counts {
  critical: number;
  important: number;
  minor: number;
}

export function countFindings(findings: readonly Pick<Finding, "severity">[]): Counts {
  const words = findings.map(({ severity }) => SEVERITY_WORDS.adversarial.write[severity]);
  const of = (word: string) => words.filter((one) => one === word).length;
  return { critical: of("Critical"), important: of("Important"), minor: of("Minor") };
}

/** What the last review found and nobody has ruled on since. */
export function openNow(state: LoopState): Finding[] {
  return state.findings
    .filter((entry) => entry.disposition.kind === "open" && entry.lastRound === roundsDone(state))
    .map((entry) => entry.finding);
}
