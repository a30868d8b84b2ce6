import type { Contract, Policy, SeedName } from "@anneal/types";
import { SEVERITIES, SEVERITY_WORDS } from "../words.ts";

/** The words in which each form turns a change down. */
const TURNED_DOWN: Record<Contract, RegExp> = {
  "decision-text": /\bREJECTED\b/,
  "verdict-json": /\b(?:needs_work|critical_issues)\b/,
  "scorecard-json": /["']?(?:status["']?\s*:\s*["']?fail|approved["']?\s*:\s*false)\b/i,
  "findings-document": /\b(?:reject|needs? (?:work|changes|fixes)|must be fixed before)/i,
  "issue-lines": /["']?passed["']?\s*:\s*false\b/i,
};

const SEED: Record<Contract, SeedName> = {
  "decision-text": "gate",
  "verdict-json": "pull-request",
  "scorecard-json": "scored",
  "findings-document": "adversarial",
  "issue-lines": "advisory",
};

/**
 * Whether an answer that could not be read seems to turn the change down, or to name a finding that blocks. Looked for with a
 * wide net: where it catches something, a repaired form must not read as a pass.
 */
export function namesMustFix({ reviewer, pass }: Pick<Policy, "reviewer" | "pass">, answer: string): boolean {
  const { contract } = reviewer;
  if (TURNED_DOWN[contract].test(answer)) return true;
  if (contract === "findings-document") return hasEntries(answer);
  const words = Object.entries(SEVERITY_WORDS[SEED[contract]].read)
    .filter(([, severity]) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(pass.blocksAt))
    .map(([word]) => word);
  if (contract === "scorecard-json" && /"required_action"\s*:/.test(answer)) return true;
  const severity = `(?:${words.join("|")})`;
  const asField = new RegExp(`["']?severity["']?\\s*:\\s*["']?${severity}\\b`, "i");
  const asItem = new RegExp(`^[\\s>]*(?:[-*+•]|\\d+[.)])?[\\s*_]*\\[[^\\]\\n]*\\].{0,12}?\\b${severity}\\b`, "im");
  return asField.test(answer) || asItem.test(answer);
}

const GRAVE = /\b(?:critical|important|must fix|should fix)\b/i;
const ENTRY = /^\s*(?:#{3,6}|[-*+•]|\d+[.)]|\*\*)\s*\S/;

/** Whether anything stands in a section of what has to be fixed but a word for nothing. */
function hasEntries(document: string): boolean {
  let isGrave = false;
  return document.split("\n").some((line) => {
    if (/^#{1,2}\s/.test(line)) {
      isGrave = GRAVE.test(line);
      return false;
    }
    return isGrave && ENTRY.test(line) && !/\b(?:none|no|nothing)\b/i.test(line);
  });
}
