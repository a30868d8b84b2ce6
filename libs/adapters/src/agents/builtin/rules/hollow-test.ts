import type { CodeText } from "../lex/code-text.ts";
import type { Language } from "../lex/file-kind.ts";
import { type FileCheck, type Found, matches } from "../source/rule.ts";
import { assertions, inventory, type TestCase } from "../tests/inventory.ts";
import { isConditional } from "./enclosing.ts";

/** Finds tests that pass without checking anything: a return before the first assertion, an assertion that always holds. */
export const hollowTest: FileCheck = {
  covers: (kind) => kind.test && !kind.fixture && kind.language in ALWAYS_TRUE,
  hint: /\breturn\b|\btrue\b|\(\s*1\b|assert\s+1\b/i,
  async look(source) {
    const code = await source.code();
    const { language } = source.kind;
    const { tests } = inventory(code, language);
    const found: Found[] = [];
    const report = (at: number, more: Omit<Found, "line" | "snippet">) => {
      const line = code.lineAt(at);
      const snippet = source.addedAt(line);
      if (snippet !== undefined) found.push({ line, endLine: line, snippet, ...more });
    };
    for (const { index } of matches(code.code, ALWAYS_TRUE[language] ?? NEVER)) {
      if (testAt(tests, index) === undefined) continue;
      report(index, {
        title: "An assertion always holds",
        description: `Line ${code.lineAt(index)} asserts a constant, so the test cannot fail there.`,
      });
    }
    const asserted = [...assertions(code, language)].map(({ index }) => index);
    for (const { index } of matches(code.code, BARE_RETURN[language] ?? NEVER)) {
      const test = testAt(tests, index);
      if (test === undefined || !isItsOwn(code, test, index, language) || skipsFirst(code, index)) continue;
      const own = asserted.filter((at) => test.start <= at && at < test.end);
      if (own.length === 0 || own.some((at) => at < index)) continue;
      const sometimes = isConditional(code, index, language);
      report(index, {
        ...(sometimes ? { severity: "medium" as const } : {}),
        title: "A test returns before it checks anything",
        description: `The \`return\` on line ${code.lineAt(index)} ends the test${sometimes ? " under a condition" : ""} before its first assertion, and the runner counts it as passed.`,
        suggestion: "Let the test run; where it cannot, skip it with a reason, so that the runner says so.",
      });
    }
    return found;
  },
};

const NEVER = /(?!)/;

const ALWAYS_TRUE: Partial<Record<Language, RegExp>> = {
  js: /(?<![\w$.])(?:assert(?:\.ok|\.isTrue)?|t\.(?:ok|assert|true|truthy))\s*\(\s*(?:true|1)\s*[,)]|(?<![\w$.])(?:assert|t)\.(?:strictEqual|deepEqual|equal|is)\s*\(\s*(true|false|\d+)\s*,\s*\1\s*[,)]|(?<![\w$.])expect\s*\(\s*(true|false|\d+)\s*\)\s*\.\s*to(?:BeTruthy\s*\(|(?:Be|Equal|StrictEqual)\s*\(\s*\2\s*\)|\.be\.(?:true|ok)\b|\.(?:equal|eql)\s*\(\s*\2\s*\))/,
  python:
    /(?<![\w.])assert\s+(?:True|1)\s*(?=$|,)|\.assertTrue\s*\(\s*True\s*[,)]|(?<![\w.])assert\s+(True|False|\d+)\s*==\s*\1\s*$/m,
  go: /\b(?:assert|require)\.True\s*\(\s*\w+\s*,\s*true\s*[,)]/,
  rust: /\bassert!\s*\(\s*true\s*[,)]/,
  jvm: /\bassertTrue\s*\(\s*true\s*\)/,
  csharp: /\bAssert\.(?:True|IsTrue)\s*\(\s*true\s*[,)]/,
  ruby: /\bassert[ (]\s*true\b|\bexpect\s*\(\s*true\s*\)\.to\b/,
  php: /assertTrue\s*\(\s*true\s*[,)]/i,
  swift: /\bXCTAssert(?:True)?\s*\(\s*true\s*[,)]|#expect\s*\(\s*true\s*\)/,
};

/** A return of a value may be the test itself: `return expect(…)`, a promise. */
const BARE_RETURN: Partial<Record<Language, RegExp>> = {
  js: /(?<![\w$.])return[ \t]*(?=;|\}|\r?$)/m,
  python: /(?<![\w.])return(?:[ \t]+None)?[ \t]*$/m,
  go: /(?<![\w.])return[ \t]*$/m,
};

function testAt(tests: readonly TestCase[], at: number): TestCase | undefined {
  return tests.findLast(({ start, end }) => start <= at && at < end);
}

/** Whether it leaves the test, and not a function inside it. */
function isItsOwn({ code, startOf, lineAt }: CodeText, { start }: TestCase, at: number, language: Language): boolean {
  if (language === "python") {
    const indent = at - startOf(lineAt(at));
    const inner = [...matches(code.slice(start + 1, at), /^([ \t]*)(?:async[ \t]+)?def\b/m)];
    return inner.every(([, own = ""]) => own.length >= indent);
  }
  const open: boolean[] = [];
  for (let index = start; index < at; index++) {
    if (code[index] === "{") open.push(opensFunction(code.slice(Math.max(start, index - 200), index)));
    else if (code[index] === "}") open.pop();
  }
  return open.filter((isFunction) => isFunction).length === 1;
}

function opensFunction(head: string): boolean {
  const own = head.split(/[;{}]/).at(-1) ?? "";
  return !CONTROL.test(own) && /=>\s*$|\b(?:function|func)\b|\)\s*(?::[^(){}]*)?$/.test(own);
}

const CONTROL = /^\s*(?:else\s+)?(?:if|for|while|switch|catch|with|else|try|do)\b/;

/** `t.skip("no network"); return;` says what it does. */
function skipsFirst({ code }: CodeText, at: number): boolean {
  return /\bskip\w*\s*\([^\n]*\)\s*;?\s*$/i.test(code.slice(Math.max(0, at - 300), at));
}
