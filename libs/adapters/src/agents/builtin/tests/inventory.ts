import type { Language } from "../file-kind.ts";
import type { CodeText } from "../lex/code-text.ts";
import { matches } from "../rule.ts";
import { FINDERS } from "./finders.ts";

/** One test as the source declares it. */
export interface TestCase {
  name: string;
  line: number;
  /** The line that declares it. */
  declaration: string;
  /** The words of its body, to recognise it under another name. */
  words: string[];
  assertions: number;
}

export interface Inventory {
  tests: TestCase[];
  /** Assertions outside of every test: in helpers that tests call. */
  looseAssertions: number;
}

/** Lists the tests of a source text with what they assert. Tests in comments and strings are not tests. */
export function inventory(code: CodeText, language: Language): Inventory {
  const spans = (FINDERS[language]?.(code) ?? []).sort((a, b) => a.start - b.start);
  const tests = spans.map(({ name, start, bodyStart, end }) => {
    const line = code.lineAt(start);
    const body = code.uncommented.slice(bodyStart, end);
    return { name, line, declaration: code.line(line), words: body.match(/[\p{L}\p{N}_$]+/gu) ?? [], assertions: 0 };
  });
  let looseAssertions = 0;
  const pattern = ASSERTIONS[language];
  for (const match of pattern ? matches(code.code, pattern) : []) {
    const owner = spans.findLastIndex(({ start, end }) => start <= match.index && match.index < end);
    const test = tests[owner];
    if (test) test.assertions++;
    else looseAssertions++;
  }
  return { tests, looseAssertions };
}

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
