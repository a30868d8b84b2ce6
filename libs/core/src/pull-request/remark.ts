import type { Category, Severity } from "@anneal/types";
import { markFences } from "../text/markdown.ts";

/** What a person wants with a remark: a change, an answer, a decision of people, or nothing. */
export type Want = "change" | "answer" | "decision" | "nothing";

export interface Remark {
  want: Want;
  severity: Severity;
  category: Category;
  /** The code that the person proposes, where the forge's form for that was used. */
  suggestion?: string;
}

/** Where a remark stands; that decides what a bare statement is. */
export interface RemarkContext {
  /** On a line of code, or on the whole. */
  on: "line" | "whole";
  /** Whether it belongs to a review that asks for changes. */
  demanded: boolean;
}

/**
 * Sorts a remark by fixed rules; what they cannot tell goes to people, never silently away.
 * Code, quotes and hidden comments in it are somebody else's words and do not count.
 */
export function sortRemark(said: string, context: RemarkContext): Remark {
  const text = said.replace(/\r\n?/gu, "\n");
  const suggestion = /```suggestion[^\n]*\n([\s\S]*?)```/u.exec(text)?.[1]?.trimEnd();
  const own = ownWords(text);
  const label = labelOf(own);
  const wants = label?.want === undefined ? sentencesOf(label?.rest ?? own).map(wantOf) : [label.want];
  const want = suggestion !== undefined ? "change" : strongest(wants, context);
  const severity = label?.severity ?? severityOf(own, context);
  const remark = { want, severity, category: categoryOf(own) };
  return suggestion === undefined ? remark : { ...remark, suggestion };
}

/** The words of the author alone, with code spans as one plain word. */
function ownWords(text: string): string {
  const visible = text.replace(/<!--[\s\S]*?(?:-->|$)/gu, " ");
  const lines = markFences(visible.split("\n").map((line) => line.trim()));
  return lines
    .filter((line) => !line.fenced && !line.text.startsWith(">"))
    .map((line) => line.text)
    .join("\n")
    .replace(/`[^`\n]+`/gu, "code")
    .replace(/https?:\/\/\S+/gu, "link")
    .replace(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/gu, "")
    .trim();
}

interface Label {
  want?: Want;
  severity?: Severity;
  rest: string;
}

type Meaning = Omit<Label, "rest">;

const LABELS: Record<string, Meaning> = {
  critical: { want: "change", severity: "critical" },
  p0: { want: "change", severity: "critical" },
  blocker: { want: "change", severity: "critical" },
  high: { want: "change", severity: "high" },
  p1: { want: "change", severity: "high" },
  blocking: { want: "change", severity: "high" },
  bug: { want: "change", severity: "high" },
  medium: { want: "change", severity: "medium" },
  p2: { want: "change", severity: "medium" },
  issue: { want: "change" },
  todo: { want: "change" },
  chore: { want: "change", severity: "low" },
  low: { want: "change", severity: "low" },
  p3: { want: "change", severity: "low" },
  minor: { want: "change", severity: "low" },
  nit: { want: "change", severity: "low" },
  nitpick: { want: "change", severity: "low" },
  typo: { want: "change", severity: "low" },
  polish: { want: "change", severity: "low" },
  optional: { want: "change", severity: "info" },
  suggestion: { want: "change", severity: "info" },
  question: { want: "answer" },
  praise: { want: "nothing" },
  note: { want: "nothing" },
  fyi: { want: "nothing" },
  thought: { want: "decision" },
  discussion: { want: "decision" },
};

/** A leading word that says what follows: `nit: …`, `[critical] …`, `issue (blocking): …`. */
function labelOf(text: string): Label | null {
  const [whole, bracketed, plain, decoration = ""] =
    /^(?:\[([a-z0-9]+)\]:?|([a-z0-9]+)\s*(?:\(([^)\n]{0,40})\))?:)\s*/iu.exec(text) ?? [];
  const word = (bracketed ?? plain ?? "").toLowerCase();
  if (whole === undefined || !Object.hasOwn(LABELS, word)) return null;
  const meaning: Meaning = LABELS[word] ?? {};
  const rest = text.slice(whole.length);
  if (/\bnon-?blocking\b/iu.test(decoration)) return { ...meaning, severity: "info", rest };
  if (/\bblocking\b/iu.test(decoration)) return { ...meaning, severity: "high", rest };
  return { ...meaning, rest };
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, "").trim())
    .filter((sentence) => sentence !== "");
}

const OPEN = new RegExp(
  [
    "\\b(?:not sure|i wonder|wondering|thoughts\\?|what do you think|alternatively|trade-?offs?|i disagree|out of scope)\\b",
    "\\b(?:let'?s|we should|can we|should we) (?:discuss|talk|think|decide|rethink|agree)\\b",
    "\\b(?:another|a different|the (?:whole|overall)) (?:approach|option|design|direction)\\b",
    "\\b(?:maybe|perhaps) (?:we|this|it)\\b",
  ].join("|"),
  "iu",
);
const ASKED_FOR =
  /^(?:and |also |so |but )?(?:please\b|pls\b|(?:can|could|would|will) you\b(?! (?:explain|tell|say|clarify|elaborate)\b))|\bwould you mind\b|\bplease\b/iu;
const VERBS = [
  "add|avoid|await|bump|cache|catch|change|check|clean|close|consider|correct|cover|delete|document|don'?t|do not|drop",
  "ensure|escape|extract|fix|format|guard|handle|implement|inline|keep|limit|log|make|merge|mock|move|never|pass|pin",
  "prefer|put|reduce|refactor|remove|rename|replace|reset|restore|return|revert|reuse|sanitise|sanitize|simplify|sort",
  "split|stop|switch|test|throw|undo|update|use|validate|verify|wrap|write",
].join("|");
const IMPERATIVE = new RegExp(`^(?:and |also |then |but |just |instead,? )?(?:${VERBS})\\b`, "iu");
const NEEDED = /\b(?:should|must|has to|have to|needs? (?:to|a|an|some|more)|ought to|be better to)\b/iu;
const DEFECT = new RegExp(
  [
    "bugs?|broken|breaks|wrong|incorrect|crash(?:es|ed)?|leaks?|leaking|races?|deadlocks?|vulnerab\\w+|injection|xss|csrf",
    "insecure|unsafe|fails?|failing|missing|forgot(?:ten)?|typo|unused|dead code|off[- ]by[- ]one|overflows?|n\\+1",
    "duplicated?|misleading|inefficient|too slow|regression|not (?:handled|tested|validated|checked|needed|used|closed|awaited)",
    "doesn'?t (?:work|handle|compile|build)|never (?:called|closed|freed|awaited|used)",
  ].join("|"),
  "iu",
);
const DENIED = /\b(?:no|not|nothing|none|isn'?t|aren'?t|without|never mind|no longer|any ?more)\b[^.!?]{0,25}$/iu;
const PRAISE = new RegExp(
  [
    "\\b(?:lgtm|looks? (?:good|great|fine|right)|nice|great|good|well done|awesome|thanks|thank you|love|perfect|excellent",
    "|ship it|agreed?|cool|neat|clean|works for me|makes sense|sounds good|no objections?|approved?)\\b|^\\+1\\b",
  ].join(""),
  "iu",
);

type SentenceWant = Want | "unclear";

function wantOf(sentence: string): SentenceWant {
  const asks = /\?\s*$/u.test(sentence);
  if (OPEN.test(sentence)) return "decision";
  if (ASKED_FOR.test(sentence)) return "change";
  if (asks) return "answer";
  if (IMPERATIVE.test(sentence) || NEEDED.test(sentence) || hasDefect(sentence)) return "change";
  if (PRAISE.test(sentence) || !/[\p{L}\p{N}]/u.test(sentence)) return "nothing";
  // A denied defect is good news.
  return DEFECT.test(sentence) ? "nothing" : "unclear";
}

function hasDefect(sentence: string): boolean {
  const at = sentence.search(new RegExp(`\\b(?:${DEFECT.source})(?![\\w+])`, "iu"));
  return at >= 0 && !DENIED.test(sentence.slice(0, at));
}

/** One request makes the whole remark a request; a statement that fits no rule means what its context means. */
function strongest(wants: readonly SentenceWant[], { on, demanded }: RemarkContext): Want {
  for (const want of ["change", "decision", "answer"] as const) if (wants.includes(want)) return want;
  if (wants.length > 0 && wants.every((want) => want === "nothing")) return "nothing";
  if (wants.length === 0) return demanded ? "decision" : "nothing";
  return on === "line" || demanded ? "change" : "decision";
}

function severityOf(text: string, { demanded }: RemarkContext): Severity {
  const word = /\bseverity\s*[:=]\s*(critical|high|medium|low|suggestion)\b/iu.exec(text)?.[1]?.toLowerCase();
  if (word !== undefined) return LABELS[word]?.severity ?? "medium";
  if (/\b(?:nit|nitpick|typo|cosmetic|optional(?:ly)?|minor)\b/iu.test(text)) return "low";
  const serious =
    /\b(?:vulnerab\w+|injection|xss|csrf|insecure|data loss|loses data|crash(?:es)?|deadlocks?|leaks?)\b/iu;
  return demanded || serious.test(text) ? "high" : "medium";
}

const CATEGORIES: readonly [Category, RegExp][] = [
  [
    "security",
    /\b(?:secur\w+|insecure|vulnerab\w+|injection|xss|csrf|secrets?|credentials?|passwords?|tokens?|sanitis\w*|sanitiz\w*|escap\w+|permissions?)\b/iu,
  ],
  ["performance", /\b(?:performance|slow|inefficient|n\+1|memory|cach\w+|latency|o\(n)(?![\w+])/iu],
  ["testing", /\b(?:tests?|tested|testing|coverage|mocks?|assert\w*|fixtures?)\b/iu],
  ["documentation", /\b(?:docs?|document\w*|readme|jsdoc|comments?|changelog)\b/iu],
  ["style", /\b(?:style|format\w*|naming|rename|indent\w*|whitespace|typo|lint\w*|cosmetic)\b/iu],
  [
    "architecture",
    /\b(?:architecture|abstraction|layer\w*|module|coupl\w+|dependenc\w+|design|refactor\w*|extract|interface)\b/iu,
  ],
];

function categoryOf(text: string): Category {
  return CATEGORIES.find(([, words]) => words.test(text))?.[0] ?? "logic";
}
