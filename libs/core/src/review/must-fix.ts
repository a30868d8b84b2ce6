import type { Contract, Policy, SeedName } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { SEVERITY_WORDS } from "../findings/severity-and-category.ts";

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
function namesMustFix({ reviewer, pass }: Pick<Policy, "reviewer" | "pass">, answer: string): boolean {
  const { contract } = reviewer;
  if (TURNED_DOWN[contract].test(answer)) return true;
  if (contract === "findings-document") return AGAINST.test(answer) || COUNTS_GRAVE.test(answer) || hasEntries(answer);
  const words = Object.entries(SEVERITY_WORDS[SEED[contract]].read)
    .filter(([, severity]) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(pass.blocksAt))
    .map(([word]) => word);
  if (contract === "scorecard-json" && /"required_action"\s*:/.test(answer)) return true;
  const severity = `(?:${words.join("|")})`;
  const asField = new RegExp(`["']?severity["']?\\s*:\\s*["']?${severity}\\b`, "i");
  const asItem = new RegExp(`^[\\s>]*(?:[-*+•]|\\d+[.)])?[\\s*_]*\\[[^\\]\\n]*\\].{0,12}?\\b${severity}\\b`, "im");
  return asField.test(answer) || asItem.test(answer);
}

/** The words in which each form lets a change pass. */
const LETS_PASS: Record<Contract, RegExp> = {
  "decision-text": /\[APPROVED\]/,
  "verdict-json": /["']?verdict["']?\s*:\s*["']?pass\b/i,
  "scorecard-json": /["']?status["']?\s*:\s*["']?pass\b/i,
  "findings-document": /^#{1,6}\s.*\bcritical\b/im,
  "issue-lines": /["']?passed["']?\s*:\s*true\b|\bno issues\b/i,
};
const ENTRIES =
  /["']?(?:severity|priority|required_action)["']?\s*:|^[\s>]*(?:[-*+•]|\d+[.)])?[\s*_]*\[[A-Z]+\](?!\s*\*{0,2}\s*$)/gim;
const DOUBTS =
  /\b(?:un-?met|error|critical|blockers?|blocking|major|severe|must|reject\w*|cannot|do not|don't|should not|not be merged|not (?:ready|approved|met|reviewed|read))\b|["']?met["']?\s*:\s*false/i;
const DENIED =
  /\b(?:no|not a|zero|0|without(?: any)?)\s+(?:\w+\s+){0,2}?(?:errors?|critical\w*|block\w+|major|severe)\b/gi;
/** What a sign-off says where nothing was left out. */
const ALL_REVIEWED = /\bnot reviewed\W+none\b/gi;
const WORDS_OF_THE_FORM: ReadonlySet<Contract> = new Set(["scorecard-json", "findings-document"]);

/**
 * Whether an answer that could not be read let the change pass, and named no more than what its repaired form lists: only
 * then may that be read as a pass. Whatever else it said, a review of its own has to say it.
 */
export function letsPass(policy: Pick<Policy, "reviewer" | "pass">, answer: string, listed: number): boolean {
  const { contract } = policy.reviewer;
  if (!LETS_PASS[contract].test(answer) || namesMustFix(policy, answer)) return false;
  if ((answer.match(ENTRIES) ?? []).length > listed + (contract === "decision-text" ? 1 : 0)) return false;
  if (
    contract === "scorecard-json" &&
    [...answer.matchAll(/"score"\s*:\s*(\d+)/g)].some(([, score]) => Number(score) < 70)
  )
    return false;
  return WORDS_OF_THE_FORM.has(contract) || !DOUBTS.test(answer.replace(DENIED, "").replace(ALL_REVIEWED, ""));
}

const GRAVE = /\b(?:critical|important|must fix|should fix)\b/i;
/** A count of such findings above zero, in a heading or in the summary, also where none of them is listed. */
const COUNTS_GRAVE = /\b(?:critical|important)\b[^\n\d]{0,40}0*[1-9]/i;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const AGAINST = /^#{1,6}\s.*\bblock|\b(?:do not|don't|not (?:be|ready)|cannot|must not)\b.{0,40}\bmerg|\breject/im;

/** Whether anything stands in a section of what has to be fixed but a word for nothing. */
function hasEntries(document: string): boolean {
  let isGrave = false;
  return document.split("\n").some((line) => {
    if (/^#{1,2}\s/.test(line)) {
      isGrave = GRAVE.test(line);
      return false;
    }
    return isGrave && SAYS_SOMETHING.test(line) && !/\b(?:none|no|nothing)\b/i.test(line);
  });
}
