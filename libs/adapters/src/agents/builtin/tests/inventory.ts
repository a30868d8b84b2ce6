import type { CodeText } from "../lex/code-text.ts";
import type { Language } from "../lex/file-kind.ts";
import { matches } from "../source/rule.ts";
import { FINDERS } from "./finders.ts";

/** One test as the source declares it. */
export interface TestCase {
  name: string;
  line: number;
  /** Offsets of its head, and of its end. */
  start: number;
  end: number;
  /** The line that declares it. */
  declaration: string;
  /** The words of its body, to recognise it under another name. */
  words: string[];
  /** All assertions from its head to its end, those of tests inside it included. */
  assertions: number;
  /** Assertions about a whole value, each worth several narrow ones. */
  wholeAssertions: number;
  /** The test that this one stands in, if any. */
  parent: TestCase | undefined;
}

export interface TestInventory {
  tests: TestCase[];
  /** Assertions outside of every test: in helpers that tests call. */
  looseAssertions: number;
}

/** Lists the tests of a source text with what they assert. Tests in comments and strings are not tests. */
export function inventory(code: CodeText, language: Language): TestInventory {
  const spans = (FINDERS[language]?.(code) ?? []).sort((a, b) => a.start - b.start);
  const tests: TestCase[] = [];
  for (const [index, { name, start, bodyStart, end }] of spans.entries()) {
    const line = code.lineAt(start);
    const words =
      code.uncommented.slice(bodyStart, Math.min(end, bodyStart + LONGEST_BODY)).match(/[\p{L}\p{N}_$]+/gu) ?? [];
    const parent = tests[spans.slice(0, index).findLastIndex((outer) => start < outer.end)];
    tests.push({
      name,
      line,
      start,
      end,
      declaration: code.line(line),
      words,
      assertions: 0,
      wholeAssertions: 0,
      parent,
    });
  }
  let looseAssertions = 0;
  for (const { index } of assertions(code, language)) {
    const owner = spans.findLastIndex(({ start, end }) => start <= index && index < end);
    if (owner < 0) looseAssertions++;
    for (let test = tests[owner]; test; test = test.parent) test.assertions++;
  }
  for (const match of language === "js" ? matches(code.code, WHOLE_VALUE) : []) {
    const owner = spans.findLastIndex(({ start, end }) => start <= match.index && match.index < end);
    for (let test = tests[owner]; test; test = test.parent) test.wholeAssertions++;
  }
  return { tests, looseAssertions };
}

/** Where a text asserts something. */
export function assertions(code: CodeText, language: Language): Iterable<{ index: number }> {
  const pattern = ASSERTIONS[language];
  return pattern ? matches(code.code, pattern) : [];
}

/** Enough of a body to recognise it by. */
const LONGEST_BODY = 20_000;

const WHOLE_VALUE = /\.to(?:MatchInlineSnapshot|MatchSnapshot|MatchObject|StrictEqual|Equal)\s*\(\s*[[{`]/;
const CALL = "\\s*(?:<[^()\\n]*>)?\\(";
const JS_ASSERTION = new RegExp(
  `(?<![\\w$.])(?:expect(?!\\.(?:any|anything|objectContaining|arrayContaining|stringContaining|stringMatching|closeTo|extend|not)\\b)\\w*|assert\\w*)(?:\\.\\w+)*${CALL}|(?<![\\w$.])t\\.(?:is|not|deepEqual|like|truthy|falsy|true|false|throws\\w*|notThrows\\w*|regex|snapshot|ok|notOk|equal|equals|same|match|strictEqual|assert\\.\\w+)${CALL}|\\.should\\b|\\.assert\\w*${CALL}`,
);
const CALLED_ASSERTION = /\b(?:assert\w*|verify\w*|expect\w*|fail|should\w*)(?:\.\w+)*\s*[({]/i;

const ASSERTIONS: Partial<Record<Language, RegExp>> = {
  js: JS_ASSERTION,
  python: /(?<![\w.])assert\b|\.assert\w*\s*\(|(?<![\w.])assert_\w+\s*\(|\bpytest\.(?:raises|warns|fail)\s*\(/,
  go: /\b[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(|\b(?:assert|require|is|qt|c)\.[A-Z]\w*\s*\(|(?<![\w.])(?:Expect|Eventually|Consistently|Ω)\s*\(/,
  rust: /\b(?:debug_)?assert\w*!|\bpanic!|#\[should_panic/,
  jvm: CALLED_ASSERTION,
  csharp: /\bAssert\.\w+\s*[(<]|\.Should\w*\s*\(|\bVerify\s*\(/,
  ruby: /\bexpect\b\s*[({]|\b(?:assert|refute)\w*\b|\.(?:must|wont)_\w+|\.should\b/,
  php: /(?:->|::)(?:assert\w*|expect\w*)\s*\(/,
  swift: /\bXCT(?:Assert\w*|Fail|Unwrap)\s*\(|#expect\s*\(/,
};
