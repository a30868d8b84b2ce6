import type { CompleteReport } from "@anneal/types";
import { oneLine } from "../../text/text.ts";
import type { AnswerReading } from "../answer/answer.ts";
import { fieldsOf, optional, string } from "../json/decode.ts";
import { type AnswerLine, headingOf, withoutEmphasis } from "../prose/markdown.ts";

/** What an answer repeats at its end, field by field. Free prose cannot take the place of any of them. */
export interface SignOff {
  requirements: string | undefined;
  not_reviewed: string | undefined;
  conditions: string | undefined;
  decision: string | undefined;
}

export const SIGN_OFF_KEYS = ["requirements", "not_reviewed", "conditions", "decision"] as const;
type Field = (typeof SIGN_OFF_KEYS)[number];

const LABELS: Record<string, Field> = {
  requirements: "requirements",
  "not reviewed": "not_reviewed",
  conditions: "conditions",
  decision: "decision",
};
const LABEL: Record<Field, string> = {
  requirements: "Requirements",
  not_reviewed: "Not reviewed",
  conditions: "Conditions",
  decision: "Decision",
};

/** The lines without the section "Sign-off", which is the last one of the answer, and what that section says. */
export function withoutSignOff(
  reading: AnswerReading,
  lines: AnswerLine[],
): { lines: AnswerLine[]; signOff: SignOff | undefined } {
  const at = lines.findIndex(isTitle);
  if (at < 0) return { lines, signOff: undefined };
  const signOff: SignOff = {
    requirements: undefined,
    not_reviewed: undefined,
    conditions: undefined,
    decision: undefined,
  };
  for (const line of unfenced(lines.slice(at + 1).filter(says))) {
    if (isTitle(line)) {
      reading.problem('The answer has the section "Sign-off" twice.');
      continue;
    }
    const [, label = "", value = ""] = /^([^:]{1,40}):\s*(.*)$/.exec(bareLine(line)) ?? [];
    const field = line.kind === "text" && line.indent < 4 ? LABELS[label.trim().toLowerCase()] : undefined;
    if (field === undefined) reading.problem(`"${line.text.trim().slice(0, 60)}" is not part of the sign-off.`);
    else if (signOff[field] !== undefined) reading.problem(`The sign-off has "${LABEL[field]}" twice.`);
    else signOff[field] = value;
  }
  return { lines: lines.slice(0, at), signOff };
}

function isTitle(line: AnswerLine): boolean {
  const title = headingOf(line)?.title ?? (line.kind === "text" ? line.text : "");
  return /^sign[\s-]?off:?$/i.test(title);
}

/** Rules, the head of a table and the line below it hold nothing. */
function says({ text }: AnswerLine): boolean {
  return /[\p{L}\p{N}]/u.test(text) ? !TABLE_HEAD.test(text) : !/^[\s|:*_-]*$/.test(text);
}

const TABLE_HEAD = /^\s*\|\s*(?:field|item)\s*\|\s*(?:value|status)\s*\|$/i;

/** Below the reviewer's own heading, a fence around all of the lines quotes nothing: the prompt shows them in one. */
function unfenced(lines: AnswerLine[]): AnswerLine[] {
  const isOneFence =
    lines.length > 2 &&
    lines.every(({ kind }) => kind === "code") &&
    [lines.at(0), lines.at(-1)].every((line) => /^\s*`{3}\w*$/.test(line?.text ?? ""));
  return isOneFence ? lines.slice(1, -1).map((line) => ({ ...line, kind: "text" })) : lines;
}

/** What a line of the list says, or a row of a table in its place. */
function bareLine({ text }: AnswerLine): string {
  const row = /^\s*\|([^|]*)\|([^|]*)\|$/.exec(text);
  const shown = row === null ? text : `${row[1]?.trim().replace(/(\*\*)?:?(\*\*)?$/, "")}: ${row[2]?.trim()}`;
  return withoutEmphasis(shown.replace(/^\s*(?:[-+•]|\*(?!\*)|\d+[.)])?\s*/, "")).replaceAll("`", "");
}

/** The sign-off of a JSON answer. */
export function decodeSignOff(reading: AnswerReading): (value: unknown, path: string) => SignOff {
  return (value, path) => {
    const fields = fieldsOf(reading, value, path, SIGN_OFF_KEYS, (key) =>
      reading.problem(`${path} has the unknown key "${oneLine(key)}".`),
    );
    const text = (key: Field) => reading.may(() => optional(fields, key, path, string), undefined);
    return {
      requirements: text("requirements"),
      not_reviewed: text("not_reviewed"),
      conditions: text("conditions"),
      decision: text("decision"),
    };
  };
}

const NONE = /^(?:none|nothing|n\/a)$/;
const ALL_COUNTED = /^all \(?(\d{1,4})\)?(?: requirements| (?:acceptance )?criteria)?(?: (?:are|were))? met$/;
const COUNTED =
  /^(?:all )?\(?(\d{1,4})(?: of | ?\/ ?| out of )(\d{1,4})\)?(?: requirements| (?:acceptance )?criteria)?(?: (?:are |were )?met)?$/;
const ALL_MET = /^all (?:the |stated )?(?:requirements|(?:acceptance )?criteria)(?: (?:are|were))? met$/;
const NONE_STATED =
  /^(?:none|n\/a|no requirements|not applicable)(?: (?:were |are )?(?:stated|given))?(?: in the request)?$/;

/**
 * What an answer that passes has to sign. Whatever is missing, conditional or left out is a problem: the reviewer is asked
 * once more with the exact words.
 */
export function requireSignOff(
  reading: AnswerReading,
  signOff: SignOff | undefined,
  compliance: CompleteReport["compliance"],
): void {
  if (!reading.signsOff) return;
  if (signOff === undefined) {
    reading.problem("The answer passes, but has no sign-off.");
    return;
  }
  for (const key of SIGN_OFF_KEYS)
    if (signOff[key] === undefined) reading.problem(`The sign-off has no "${LABEL[key]}".`);
  const said = (key: Field, isRight: (value: string) => boolean, expected: string) => {
    const value = signOff[key];
    if (value !== undefined && !isRight(plain(value)))
      reading.problem(`The sign-off says "${value.slice(0, 60)}" for "${LABEL[key]}" where a pass says ${expected}.`);
  };
  said("not_reviewed", (value) => NONE.test(value), '"none"');
  said("conditions", (value) => NONE.test(value), '"none"');
  said("decision", (value) => /^approved?$/.test(value), '"approved"');
  const stated = reading.requirements;
  const expected = stated > 0 ? `"N of N met" with all ${stated} of the request` : '"N of N met" or "none stated"';
  said("requirements", (value) => allMet(value, compliance?.met.length ?? 0, stated), expected);
}

function plain(value: string): string {
  return withoutEmphasis(value)
    .replaceAll(/[`_]/g, "")
    .trim()
    .replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/^(?:[✅✔☑🎉👍🚀]\uFE0F?\s*)+|(?:\s*[✅✔☑🎉👍🚀]\uFE0F?)+$/gu, "")
    .toLowerCase();
}

/** Where the answer lists the requirements, the count is theirs; and none of the request's own may be missing from it. */
function allMet(value: string, listed: number, stated: number): boolean {
  if (ALL_MET.test(value)) return true;
  if (NONE_STATED.test(value)) return listed === 0 && stated === 0;
  const [, met, all = met] = COUNTED.exec(value) ?? ALL_COUNTED.exec(value) ?? [];
  const count = Number(all ?? 0);
  return met === all && count > 0 && count >= stated && (listed === 0 || listed === count);
}

/** What stands beside a passing form is for people: it is kept short, so that they read it. */
export function requireShort(
  reading: AnswerReading,
  lines: readonly AnswerLine[],
  texts: readonly string[] = [],
): void {
  const said = lines.reduce((total, { text }) => total + text.length, 0) + texts.join("").length;
  if (reading.signsOff && said > LONGEST)
    reading.problem(
      `The answer passes, but says ${said} characters beside its form where at most ${LONGEST} are read.`,
    );
}

const LONGEST = 3_000;
