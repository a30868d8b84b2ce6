import { oneLine, plainText } from "../../text/text.ts";
import type { AnswerReading } from "../answer/answer.ts";
import { clausesOfText } from "../prose/clauses.ts";
import { grave, harm, objection } from "../prose/dissent.ts";
import { pieces } from "./decode.ts";

/** Refuses an unknown key whose value could be findings that the contract has no field for, or another verdict. */
export function refuseTellingExtra({ problem }: AnswerReading, key: string, value: unknown, claimsPass: boolean): void {
  if (isEmpty(value)) return;
  const shown = oneLine(key);
  const words = said(key).flatMap(wordsOf);
  const holds = typeof value === "object" && !isCounts(value);
  if (holds && (holdsFinding(value) || (names(words, FINDINGS) && !names(words, SETTLED)))) {
    problem(`The answer has findings under the unknown key "${shown}".`);
  }
  if (claimsPass && (contradictsFlag(words, value) || textsIn(value).some(speaksAgainst))) {
    problem(`The answer claims a pass, but its key "${shown}" speaks against it.`);
  }
}

const FINDINGS =
  /^(?:blockers?|errors|error|problems?|issues?|findings?|concerns?|vulnerabilit(?:y|ies)|warnings?|defects?|bugs?|violations?|risks?|flaws?|failures?|regressions?|comments|nits|fix|fixes|todos?|must|blocking|criticals?|unmet|unresolved|remaining|required|high)$/;
const SETTLED =
  /^(?:fixed|resolved|closed|addressed|previous|prior|earlier|handling|dismissed|no|positive|accepted|count|counts)$/;
const GRANTS = /^(?:approve|approved|approval|passed|passes|pass|mergeable|merge|ready|ok|safe|success)$/;
const DENIES =
  /^(?:incomplete|truncated|aborted|interrupted|needs|blocking|blocker|blocked|reject|rejected|critical|failed|fail|unsafe|must)$/;
const VERDICT = /^(?:verdict|decision|status|result|outcome|conclusion|recommendation|severity|assessment)$/;

function contradictsFlag(words: string[], value: unknown): boolean {
  if (value === false) return names(words, GRANTS);
  if (value === true) return names(words, DENIES) && !words.some((word) => /^(?:no|non|not|un)$/.test(word));
  if (typeof value === "string" && /^(?:error|failure|exception)$/.test(words.join(" "))) return true;
  if (typeof value !== "string" || !names(words, VERDICT)) return false;
  return said(value).some((text) => DENIAL.test(text));
}

const DENIAL = /^\W*(?:fail|reject|block|den(?:y|ied)|needs|critical|changes|request|unsafe|do not|don't|not |no\b)/i;

/** What a text shows, and the pieces that escape sequences hide or break apart. */
function said(text: string): string[] {
  return [plainText(text), ...pieces(text)];
}

function speaksAgainst(text: string): boolean {
  const clauses = clausesOfText(text);
  return (objection(clauses) ?? grave(clauses) ?? harm(clauses)) !== undefined;
}

/** A list with an object that has a location or a severity is a list of findings, whatever it is called. */
function holdsFinding(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const keys = Object.keys(value)
    .flatMap(said)
    .map((key) => key.toLowerCase());
  const described = keys.some((key) => /^(?:message|description|title|problem|issue|details?|text)$/.test(key));
  const placed = keys.some((key) =>
    /^(?:severity|priority|line|line_?start|line_?number|file|path|dimension|required_?action)$/.test(key),
  );
  return (described && placed) || keys.includes("severity") || Object.values(value).some(holdsFinding);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (typeof value === "string") return /^\W*(?:none|n\/?a|nothing|-)\W*$/i.test(value);
  return typeof value === "object" && Object.values(value).every(isEmpty);
}

function isCounts(value: object | null): boolean {
  return value !== null && !Array.isArray(value) && Object.values(value).every((inner) => typeof inner === "number");
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return said(value);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function wordsOf(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

function names(words: string[], pattern: RegExp): boolean {
  return words.some((word) => pattern.test(word));
}
