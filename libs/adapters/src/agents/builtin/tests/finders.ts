import type { CodeText } from "../lex/code-text.ts";
import type { Language } from "../lex/file-kind.ts";
import { matches } from "../source/rule.ts";

/** Where a test stands in the text. */
export interface Span {
  name: string;
  start: number;
  bodyStart: number;
  end: number;
}

/** How each language declares tests. */
export const FINDERS: Partial<Record<Language, (code: CodeText) => Span[]>> = {
  js: calls,
  python: (code) => indented(code, /^[ \t]*(?:async[ \t]+)?def[ \t]+(?<name>test\w*)\s*\(/m),
  go: (code) => [
    ...braced(code, /^func[ \t]+(?:\([^)]*\)[ \t]*)?(?<name>(?:Test|Fuzz|Example)\w*)\s*\(/m),
    ...called(code, /\b\w+\.Run\(\s*(?=["`])/),
    ...called(code, /(?<![\w.])[FXP]?(?:It|Specify|Entry)\(\s*(?=["`])/),
  ],
  rust: (code) =>
    braced(
      code,
      /#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest)\b[^\]]*\](?:[^;{}]|\{[^}]*\})*?\bfn\s+(?<name>\w+)/,
    ),
  jvm: (code) =>
    braced(
      code,
      /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b[^;{}]*?(?:\bvoid\s+|\bfun\s+(?:<[^>]*>\s*)?)(?<name>`[^`\n]+`|\w+)\s*\(/,
    ),
  csharp: (code) => braced(code, /\[(?:Test|TestCase|Fact|Theory|TestMethod)\b[^;{}]*?\s(?<name>\w+)\s*\(/),
  ruby: (code) => [
    ...indented(code, /^[ \t]*def[ \t]+(?<name>test_\w+)/m),
    ...indented(code, /^[ \t]*[fx]?(?:it|specify|example|scenario|test)[ (]\s*(?=["'])/m),
  ],
  php: (code) => braced(code, /\bfunction\s+(?<name>test\w*)\s*\(/i),
  swift: (code) => braced(code, /\bfunc\s+(?<name>test\w*)\s*\(/),
};

const JS_TEST = /(?<![\w$.])(?:Deno\.)?[fx]?(?:it|test|specify)(?<chain>(?:\.\w+)*)\s*(?=[(`])/;

/** `test("name", …)` and its relatives; `test.each(table)("name", …)` has its name in the second call. */
function calls(code: CodeText): Span[] {
  const close = bracketPairs(code.code);
  return [...matches(code.code, JS_TEST)].flatMap((match) => {
    const chain = match.groups?.chain ?? "";
    if (NO_TEST.test(chain)) return [];
    let open = match.index + match[0].length;
    const table = code.code[open] === "`" ? code.code.indexOf("`", open + 1) : close.get(open);
    if (/\.(?:each|for|skipIf|runIf)\b/.test(chain) || code.code[open] === "`") open = callAfter(code.code, table);
    return named(code, match.index, open, close.get(open));
  });
}

const NO_TEST = /\.(?:describe|step|use|extend|beforeEach|afterEach|beforeAll|afterAll|setTimeout|slow|info)\b/;

function called(code: CodeText, pattern: RegExp): Span[] {
  const close = bracketPairs(code.code);
  return [...matches(code.code, pattern)].flatMap((match) => {
    const open = match.index + match[0].indexOf("(");
    return named(code, match.index, open, close.get(open));
  });
}

function named(code: CodeText, start: number, open: number, close: number | undefined): Span[] {
  const name = close === undefined ? null : firstArgument(code, open + 1, close);
  return name && close !== undefined ? [{ name: name.text, start, bodyStart: name.end, end: close + 1 }] : [];
}

function braced(code: CodeText, pattern: RegExp): Span[] {
  const close = bracketPairs(code.code);
  return [...matches(code.code, pattern)].flatMap((match) => {
    const open = code.code.indexOf("{", match.index + match[0].length);
    const end = close.get(open);
    return end === undefined
      ? []
      : [{ name: match.groups?.name ?? "", start: match.index, bodyStart: open, end: end + 1 }];
  });
}

/** A body that ends where the indentation falls back to that of its head. */
function indented(code: CodeText, pattern: RegExp): Span[] {
  return [...matches(code.code, pattern)].map((match) => {
    const start = match.index + (match[0].length - match[0].trimStart().length);
    const first = code.lineAt(start);
    const indent = start - code.startOf(first);
    let line = first + 1;
    while (line <= code.lineCount) {
      const text = code.code.slice(code.startOf(line), code.startOf(line + 1)).trimEnd();
      if (text !== "" && text.length - text.trimStart().length <= indent && !/^\s*[)\]]/.test(text)) break;
      line++;
    }
    const end = code.startOf(line);
    const head = match.index + match[0].length;
    const name = match.groups?.name;
    if (name) return { name, start, bodyStart: head, end };
    const quoted = firstArgument(code, head, end);
    return { name: quoted?.text ?? "", start, bodyStart: quoted?.end ?? head, end };
  });
}

/** The text of a call's first argument: a literal without its quotes, anything else as it is written. */
function firstArgument(code: CodeText, from: number, end: number): { text: string; end: number } | null {
  const start = from + (/^\s*/.exec(code.code.slice(from, end))?.[0].length ?? 0);
  const quote = code.code[start];
  if (quote === '"' || quote === "'" || quote === "`") {
    let close = code.code.indexOf(quote, start + 1);
    if (close < 0 || close > end) close = end;
    return { text: code.text.slice(start + 1, close), end: close };
  }
  const comma = code.code.indexOf(",", start);
  if (comma < 0 || comma > end || !/=>|\bfunction\b/.test(code.code.slice(comma, end))) return null;
  return { text: code.text.slice(start, comma).trim(), end: comma };
}

/** The bracket of the call that follows a closing bracket, or -1. */
function callAfter(code: string, close: number | undefined): number {
  if (close === undefined || close < 0) return -1;
  const gap = /^\s*/.exec(code.slice(close + 1, close + 200))?.[0].length ?? 0;
  return code[close + 1 + gap] === "(" ? close + 1 + gap : -1;
}

/** The closing bracket of every opening one; what is never closed has none. In code only, where strings are blank. */
function bracketPairs(code: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const { index, 0: bracket } of code.matchAll(/[()[\]{}]/g)) {
    if ("([{".includes(bracket)) open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, index);
    }
  }
  return pairs;
}
