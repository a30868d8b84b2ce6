import type { CompleteReport, Finding, PassRule } from "@anneal/types";
import { blocks } from "../findings/blocking.ts";
import { atLeast } from "../findings/severity-and-category.ts";

/** Whether the reviewer's own word lets the change through: it passes it, or has no word, or asks only for what the policy lets pass. */
export function approves(pass: PassRule, report: CompleteReport): boolean {
  return report.claim !== "fail" || isMild(pass, report);
}

/** Whether a rejection rests only on findings below the threshold, and the policy lets such a change pass. */
export function isMild(pass: PassRule, report: CompleteReport): boolean {
  const { claim, findings, compliance } = report;
  if (pass.mildRejection !== "passes" || claim !== "fail" || findings.length === 0) return false;
  if ((compliance?.unmet.length ?? 0) > 0) return false;
  return findings.every(({ severity }) => !atLeast(severity, pass.blocksAt)) && !asksForMore(report);
}

/** Whether a report lets the change through by itself, before anybody rules on its findings. */
export function passesAlone(pass: Pick<PassRule, "blocksAt">, { claim, findings }: CompleteReport): boolean {
  return claim !== "fail" && !findings.some((finding) => blocks(pass, finding));
}

/** Whether nobody has said that the change is good apart from the findings that were set aside. */
export function isUnsigned(pass: PassRule, report: CompleteReport): boolean {
  return report.signedOff === false && !isMild(pass, report);
}

/** Whether the reviewer asks for something that none of its findings says: nobody could weigh that. */
function asksForMore({ findings, summary, demand: asked = "" }: CompleteReport): boolean {
  const found = new Set(findings.flatMap(textsOf).flatMap(wordsIn));
  const demands = [...sentencesOf(asked), ...sentencesOf(summary).filter(asks)];
  return demands.some((sentence) => {
    const words = wordsIn(sentence);
    return words.filter((word) => found.has(word)).length * 2 < words.length;
  });
}

function sentencesOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/`[^`]*`/g, " ")
    .split(/[.!?;](?=\s|$)|\n|\bbut\b/);
}

// Broad on purpose: what is wrongly taken for a demand costs a fix, the other way round it would cost a defect.
function asks(sentence: string): boolean {
  return ASKS.test(sentence) || (GRAVE.test(sentence) && !DENIED.test(sentence));
}

const ASKS =
  /\b(?:must|should|needs?|ha(?:s|ve) to|requires?|lacks?|missing|please|before|until|unless|fix|address|resolve|correct|repair|rework|revert|rewrite)\b/;
const GRAVE =
  /\b(?:critical|severe|serious|block\w*|major|fatal|important|vulnerab\w+|injections?|xss|csrf|data loss|deadlocks?|race conditions?)\b/;
const DENIED = /\b(?:no|not|none|nothing|without)\b|n't\b/;

function textsOf({ title, description, suggestion = "", file = "" }: Finding): string[] {
  return [title, description, suggestion, file];
}

function wordsIn(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []).filter((word) => !FILLERS.has(word));
}

/** Words of which every demand is made. */
const FILLERS = new Set(
  "add added all and are before but can change changed changes first fix fixed for from has have into issue issues its merge merged must need needs not one please should some that the there these they this those two was will with".split(
    " ",
  ),
);
