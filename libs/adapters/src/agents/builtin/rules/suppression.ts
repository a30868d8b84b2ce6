import type { Language } from "../lex/file-kind.ts";
import { type FileCheck, type Found, piecesOf } from "../source/rule.ts";

/** Finds orders to a checker to look away. */
export const suppressionAdded: FileCheck = {
  covers: (kind) => kind.language !== "text" && !kind.fixture,
  hint: /@ts-(?:ignore|nocheck|expect-error)|-disable|-ignore|\bnoqa\b|type:\s*ignore|nolint|allow\(|@Suppress|\bignore\b|(?:pylint|rubocop|shellcheck|swiftlint)[: ]+disable|no cover|#pragma/i,
  async look(source) {
    const code = await source.code();
    const found: Found[] = [];
    const before = new Map<string, number>();
    for (const { text } of source.removed) {
      const directive = directiveIn(text);
      if (directive !== null) before.set(directive, (before.get(directive) ?? 0) + 1);
    }
    for (const { line, text } of source.added) {
      if (!suppressionAdded.hint.test(text)) continue;
      const seen = firstOf(piecesOf(code.startOf(line), code.startOf(line + 1)), (range) => {
        const comment = inComment(code.comments.slice(...range), source.path, source.kind.test);
        return comment ?? inCode(code.code.slice(...range), source.kind.language, code.text.slice(...range));
      });
      if (!seen || takeOne(before, directiveIn(text))) continue;
      const explained =
        seen.explained ||
        saysWhy(
          code.comments.slice(code.startOf(line - 1), code.startOf(line)),
          code.code.slice(code.startOf(line - 1), code.startOf(line)),
        );
      const quiet = explained || source.kind.test;
      found.push({
        line,
        endLine: line,
        snippet: text,
        description: `\`${seen.word}\` on line ${line} turns a checker off${explained ? ", with a reason given" : " without saying why"}.`,
        ...(quiet && { severity: "low" }),
      });
    }
    return found;
  },
};

function firstOf<T, R>(all: readonly T[], look: (one: T) => R | null): R | null {
  for (const one of all) {
    const found = look(one);
    if (found !== null) return found;
  }
  return null;
}

/** A comment of its own on the line above that says something in words. */
function saysWhy(comment: string, code: string): boolean {
  return code.trim() === "" && (comment.match(/\p{L}{2,}/gu) ?? []).length >= 4;
}

/** The order alone, to recognise it on a line that changed around it. */
function directiveIn(text: string): string | null {
  const at = suppressionAdded.hint.exec(text)?.index;
  return at === undefined ? null : text.slice(at).replace(/\s+/g, " ").trim();
}

/** As often as an order stood on removed lines, an added one is the same order still. */
function takeOne(before: Map<string, number>, directive: string | null): boolean {
  const left = before.get(directive ?? "") ?? 0;
  if (left > 0) before.set(directive ?? "", left - 1);
  return left > 0;
}

interface Seen {
  word: string;
  explained: boolean;
}

interface Directive {
  find: RegExp;
  /** What follows the directive when someone says why. */
  reason?: RegExp;
  /** The checker itself asks for a reason, or the directive fails once it is needless: explained is accepted. */
  acceptsReason?: true;
  /** In type tests the directive is the assertion. */
  notInTests?: true;
}

const DASHES = /\s--\s+\S{3,}/;
const AFTER_COMMENT = /\/\/.*\/\/\s*\S{3,}|#.*#\s*\S{3,}/;

const DIRECTIVES: Directive[] = [
  { find: /@ts-(?:ignore|nocheck)\b/ },
  { find: /@ts-expect-error\b/, reason: /@ts-expect-error\W+\w{2,}\W+\w{2,}/, acceptsReason: true, notInTests: true },
  { find: /\b(?:eslint|oxlint|stylelint|tslint)[:-]disable(?:-next-line|-line)?\b/, reason: DASHES },
  {
    find: /\b(?:biome|deno-lint)-ignore(?:-all|-start)?\b/,
    reason: /-ignore\S*\s+[\w/(),-]+:\s*(?!<)\w{2,}\W+\w+/,
    acceptsReason: true,
  },
  { find: /#\s*(?:ruff|flake8):\s*noqa\b|#\s*noqa\b/i, reason: AFTER_COMMENT },
  { find: /#\s*(?:type|pyright|mypy):\s*ignore\b/, reason: AFTER_COMMENT },
  { find: /\bpylint:\s*disable\b/, reason: AFTER_COMMENT },
  { find: /\/\/\s*nolint\b/, reason: /nolint\S*\s+\/\/\s*\S{3,}/ },
  { find: /\b(?:istanbul|c8|v8)\s+ignore\b/, reason: DASHES },
  { find: /#\s*pragma:\s*no cover\b/, reason: AFTER_COMMENT },
  { find: /\b(?:rubocop|swiftlint):disable\b/, reason: DASHES },
  { find: /\bshellcheck\s+disable=/, reason: AFTER_COMMENT },
  { find: /@(?:phpstan|psalm)-(?:ignore|suppress)\b/ },
];

function inComment(comment: string, path: string, test: boolean): Seen | null {
  const text = comment.trim();
  for (const directive of DIRECTIVES) {
    const match = directive.find.exec(text);
    if (!match || !opensComment(text, match.index)) continue;
    if (directive.notInTests && (test || /\.test-d\.|type-?tests?\//.test(path))) return null;
    if (/noqa:\s*F40[13]/i.test(text) && /__init__\.py$/.test(path)) return null;
    const explained = directive.reason?.test(text) ?? false;
    if (explained && directive.acceptsReason) return null;
    return { word: match[0].replace(/^(?:#|\/\/)\s*/, ""), explained };
  }
  return null;
}

/** A directive stands at the start of its comment; further in, it is only mentioned. */
function opensComment(text: string, at: number): boolean {
  return /^[-/*#{<!\s]*$|#\s*$/.test(text.slice(0, at));
}

const ATTRIBUTES: Partial<Record<Language, RegExp>> = {
  rust: /#!?\[allow\(/,
  jvm: /@(?:file:)?Suppress(?:Warnings|Lint)?\s*\(/,
  csharp: /#pragma\s+warning\s+disable\b|\[(?:assembly:\s*)?SuppressMessage\(/,
};

function inCode(code: string, language: Language, text: string): Seen | null {
  const match = ATTRIBUTES[language]?.exec(code);
  return match
    ? { word: match[0].replace(/\($/, ""), explained: /reason\s*=|Justification\s*=|\/\/\s*\S{3,}/.test(text) }
    : null;
}
