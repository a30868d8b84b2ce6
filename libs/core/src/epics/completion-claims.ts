import { isRecord } from "@anneal/types/unknown";
import { unreadable } from "../read/answer/answer.ts";
import type { AnswerLine } from "../read/prose/markdown.ts";

/** One thing that a builder says about a criterion. */
export interface Claim {
  /** The number that it gives the criterion, counted from one. */
  number: number | null;
  /** Whether the number alone is enough: those of a plain list may be of another list. */
  sure: boolean;
  /** The criterion in the builder's words; in a list, with all that follows them. */
  text: string;
  /** What a box, a sign or a field says; null where there is none. */
  met: boolean | null;
  evidence: string;
}

/** The entries of `acceptance_criteria`; a form that is not the agreed one is refused as a whole. */
export function claimsInJson(value: unknown): Claim[] {
  const list = isRecord(value) ? value.acceptance_criteria : undefined;
  if (!Array.isArray(list)) return unreadable("acceptance_criteria is not a list.");
  return list.map((entry: unknown, index): Claim => {
    const place = `acceptance_criteria[${index}]`;
    if (!isRecord(entry)) return unreadable(`${place} is not an object.`);
    const { criterion, met, evidence = "" } = entry;
    if (typeof met !== "boolean") return unreadable(`${place}.met is neither true nor false.`);
    if (typeof evidence !== "string") return unreadable(`${place}.evidence is not a text.`);
    if (typeof criterion === "number") return { number: criterion, sure: true, text: "", met, evidence };
    if (typeof criterion !== "string") return unreadable(`${place}.criterion is neither a number nor a text.`);
    return { ...named(criterion), met, evidence };
  });
}

const ITEM = /^(\s*)(?:[-*+]|(\d{1,4})[.)])\s+(?:\[([ xX])\]\s*)?(.*)$/;

/** The items of lists and the rows of tables, with the lines that belong to them. */
export function claimsInLines(lines: readonly AnswerLine[]): Claim[] {
  const claims: Claim[] = [];
  for (const line of lines) {
    const text = line.kind === "text" ? line.text.trim() : "";
    const item = line.kind === "text" ? ITEM.exec(line.text) : null;
    const last = claims.at(-1);
    if (/^\|.*\|$/.test(text)) claims.push(...rowClaims(text));
    else if (item !== null && (item[1]?.length ?? 0) < 2) claims.push(itemClaim(item));
    else if (text !== "" && last !== undefined) last.evidence = `${last.evidence} ${text}`.trim();
  }
  return claims;
}

function itemClaim([, , number, box, rest = ""]: RegExpExecArray): Claim {
  const { sign, text } = signIn(rest);
  const met = box === undefined ? sign : box !== " " && sign !== false;
  return { ...named(text, number === undefined ? null : Number(number)), met, evidence: "" };
}

/** `| 1 | The criterion | met | evidence |`, with or without the number. */
function rowClaims(row: string): Claim[] {
  const cells = row.slice(1, -1).split("|").map(signIn);
  const at = cells.findIndex(({ sign, text }, index) => index > 0 && (sign ?? wordSays(text)) !== null);
  if (at < 0) return [];
  const [first, second] = cells;
  const number = /^#?\d{1,4}$/.test(first?.text ?? "") ? Number(first?.text.replace("#", "")) : null;
  const status = cells[at];
  const words = number !== null && at > 1 ? second?.text : number === null ? first?.text : "";
  const evidence = cells.slice(at + 1).map(({ text }) => text);
  // A row that holds nothing but a number means it.
  const whole = words === "" ? { number, sure: true, text: "" } : named(words ?? "", number);
  const met = status?.sign === false ? false : (wordSays(status?.text ?? "") ?? status?.sign ?? null);
  return [{ ...whole, met, evidence: evidence.join(" ").trim() }];
}

/** `AC-2: …` and `Criterion 2` name their criterion by themselves. */
function named(text: string, listed: number | null = null): Pick<Claim, "number" | "sure" | "text"> {
  const own = /^(ac|(?:acceptance )?criterion)?[\s#-]*(\d{1,4})(?=$|[\s.:)–—-])[\s.:)–—-]*(.*)$/is.exec(text);
  const [, prefix, number, rest = ""] = own ?? [];
  if (number !== undefined && (prefix !== undefined || rest === "")) {
    return { number: Number(number), sure: true, text: rest };
  }
  return { number: listed, sure: false, text };
}

const YES = /✅|✔|✓|☑/u;
const NO = /❌|✗|✘|☒|⚠|🚧/u;

function signIn(cell: string): { sign: boolean | null; text: string } {
  const sign = NO.test(cell) ? false : YES.test(cell) ? true : null;
  const text = cell.replace(/✅|✔|✓|☑|❌|✗|✘|☒|⚠|🚧|\uFE0F|\*\*|__|`/gu, "").trim();
  return { sign, text };
}

const MET = /^(?:met|done|yes|true|addressed|fulfilled|satisfied|implemented|completed?|pass(?:ed|es)?)\b/i;
const UNMET = /^(?:un(?:met|done)|not\b|no\b|false|todo|tbd|partial|incomplete|skipped|deferred|pending|open\b|fail)/i;

/** Whether a text begins with a word for met or for not met; null for any other beginning. */
export function wordSays(text: string): boolean | null {
  if (UNMET.test(text)) return false;
  return MET.test(text) ? true : null;
}

const DONE =
  "met|done|implemented|addressed|completed?|finished|fulfilled|satisfied|tested|covered|supported|started|verified|working|handled";
const TAKEN_BACK = [
  `(?:not|never|n't|partially|partly)(?: yet| fully| completely| been)* (?:${DONE})\\b`,
  "(?:unmet|to-?do|tbd|incomplete|deferred|postponed|out of scope|couldn't|could not|unable to)\\b",
  "still (?:missing|open|fails|failing|to do)\\b",
  "left (?:out|undone|for later)\\b",
  "will be (?:done|implemented|added|handled)\\b",
  "only an? (?:stub|placeholder)\\b",
].map((words) => new RegExp(`(?:^|[^\\p{L}])${words}`, "iu"));

/** Words that take a claim back: an honest gap is no criterion met, whatever the box says. */
export function takesBack(text: string): boolean {
  // The name of a file says nothing about what is done in it.
  const even = text.replaceAll("’", "'").replaceAll(/[^\s,;:()`"']*\w\.[a-z]\w{0,4}(?!\w)/g, " ");
  return TAKEN_BACK.some((words) => words.test(even)) || /n't (?:yet )?(?:met|done|implemented|tested)/i.test(even);
}
