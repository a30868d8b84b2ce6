import { type CodeText, codeText } from "../lex/code-text.ts";
import type { Language } from "../lex/file-kind.ts";
import { type FileCheck, type Found, matches } from "../source/rule.ts";
import type { SourceFile } from "../source/source.ts";
import { inventory, type TestCase } from "../tests/inventory.ts";
import { pairTests } from "../tests/pairing.ts";
import { isConditional } from "./enclosing.ts";

/**
 * Finds tests that were switched off. A skip under a condition may be right, so it weighs less; a new test that says why it
 * is skipped takes nothing away, nor does a skip where the test returned silently before.
 */
export const skippedTest: FileCheck = {
  covers: (kind) => kind.language in SKIPS && (kind.test || kind.language === "rust"),
  hint: /skip|\bx(it|describe|test|context|specify)\b|\b[XP](It|Describe|Context|When|Specify)|ignore|@Disabled|@Ignore|\.fixme|\bpending\b|Inconclusive/i,
  async look(source) {
    const code = await source.code();
    const { language } = source.kind;
    const found = new Map<number, Found>();
    const tests = await testsOf(source);
    for (const { find, conditional } of SKIPS[language] ?? []) {
      for (const match of matches(code.code, find)) {
        const at = match.index + (match[0].length - match[0].trimStart().length);
        const line = code.lineAt(at);
        const text = source.addedAt(line);
        if (text === undefined || found.has(line) || replacesReturn(source, line)) continue;
        const owner = ownerOf(tests.all, at, code.code);
        const isNew = owner !== undefined && tests.fresh.has(owner);
        const explained = isNew && REASON.test(saidBy(callAt(code, at)));
        if (conditional === true && source.removed.some((one) => Math.abs(one.line - line) <= 2 && find.test(one.text)))
          continue;
        const sometimes = conditional ?? isConditional(code, at, language);
        found.set(line, {
          line,
          endLine: line,
          snippet: text,
          ...(explained ? { unlessNew: owner.name } : {}),
          ...(sometimes
            ? {
                severity: "medium",
                title: "A test is skipped under a condition",
                description: `Line ${line} skips a test when a condition holds.`,
              }
            : { description: `Line ${line} switches a test off.` }),
        });
      }
    }
    return [...found.values()];
  },
};

async function testsOf(source: SourceFile): Promise<{ all: TestCase[]; fresh: ReadonlySet<TestCase> }> {
  const { language } = source.kind;
  const all = inventory(await source.code(), language).tests;
  if (source.file.status === "added") return { all, fresh: new Set(all) };
  const oldText = await source.oldText();
  if (oldText === null) return { all, fresh: new Set() };
  return { all, fresh: new Set(pairTests(inventory(codeText(oldText, language), language).tests, all).fresh) };
}

/** The test that holds the skip, or the one that it stands above as a decorator. */
function ownerOf(tests: readonly TestCase[], at: number, code: string): TestCase | undefined {
  const around = tests.findLast(({ start, end }) => start <= at && at < end);
  if (around !== undefined) return around;
  const next = tests.find(({ start }) => start > at);
  return next !== undefined && !/[{};]|\bdef\b|\bclass\b/.test(code.slice(at, next.start)) ? next : undefined;
}

/** What a skip says next to the name of its test. */
function saidBy(call: string): string {
  const option = /\bskip\s*:\s*(["'`].*)/s.exec(call)?.[1];
  return option ?? (NAMED_FIRST.test(call) ? "" : call);
}

/** What comes first in these is the name of the test. */
const NAMED_FIRST =
  /^(?:describe|it|test|suite|context|specify|bench)[\w.]*\s*\(\s*["'`]|^[xXP](?:it|describe|test|context|specify|It|When)/;
const REASON = /["'`][^"'`\n]*[\p{L}\p{N}]{2,}[^\p{L}\p{N}"'`\n]+[\p{L}\p{N}]{2,}[^"'`\n]*["'`]/u;

/** The text from an offset to the end of the call that starts there. */
function callAt({ code, text }: CodeText, at: number): string {
  let depth = 0;
  for (let index = at; index < code.length; index++) {
    if (code[index] === "(") depth++;
    else if (code[index] === ")" && --depth <= 0) return text.slice(at, index + 1);
    else if (code[index] === "\n" && depth === 0) return text.slice(at, index);
  }
  return text.slice(at);
}

/** A test that returned silently says now that it is skipped. */
function replacesReturn({ removed }: SourceFile, line: number): boolean {
  return removed.some((one) => Math.abs(one.line - line) <= 2 && BARE_RETURN.test(one.text));
}

const BARE_RETURN = /(?:^|[\s)}:])return\s*;?\s*\}?\s*$/;

interface Pattern {
  find: RegExp;
  /** Known from the word itself; otherwise the code around it tells. */
  conditional?: boolean;
}

const TEST_WORDS = "(?:describe|it|test|suite|context|specify|bench)";

const SKIPS: Partial<Record<Language, Pattern[]>> = {
  js: [
    {
      find: new RegExp(
        `(?<![\\w$.])${TEST_WORDS}(?:\\.\\w+)*?\\.(?:skip|fixme)(?:\\.\\w+)*\\s*\\(\\s*(?=["'\`]|\\)|$)`,
        "m",
      ),
    },
    { find: new RegExp(`(?<![\\w$.])${TEST_WORDS}(?:\\.\\w+)*?\\.skip\\.(?:each|for)\\b`) },
    {
      find: new RegExp(`(?<![\\w$.])${TEST_WORDS}(?:\\.\\w+)*?\\.(?:skip|fixme)\\s*\\(\\s*[^"'\`)\\s]`),
      conditional: true,
    },
    { find: new RegExp(`(?<![\\w$.])${TEST_WORDS}(?:\\.\\w+)*?\\.(?:skipIf|runIf)\\s*\\(`), conditional: true },
    { find: /(?<![\w$.])x(?:it|describe|test|context|specify)(?=\s*\(\s*["'`]|\.each\b)/ },
    { find: /(?<![\w$.])(?:this|t|ctx)\.skip\s*\(/ },
    {
      find: new RegExp(
        `(?<![\\w$.])${TEST_WORDS}\\s*\\(\\s*["'\`][^\\n]{0,300}?\\{\\s*skip\\s*:\\s*(?:true\\b|["'\`])`,
      ),
      conditional: false,
    },
  ],
  python: [
    { find: /\bpytest\.mark\.skip\b/, conditional: false },
    { find: /\bpytest\.mark\.skipif\b|@(?:unittest\.)?skip(?:If|Unless)\b/, conditional: true },
    { find: /@unittest\.skip\b|^[ \t]*@skip\b/m, conditional: false },
    { find: /\b(?:pytest\.skip|self\.skipTest)\s*\(/ },
  ],
  go: [
    { find: /\b[tb]\.Skip(?:f|Now)?\s*\(/ },
    { find: /(?<![\w.])[XP](?:It|Describe|DescribeTable|Context|When|Specify)(?=\(\s*["`])/ },
  ],
  rust: [
    { find: /#\[ignore\b/, conditional: false },
    { find: /#\[cfg_attr\([^\]\n]*\bignore\b/, conditional: true },
  ],
  jvm: [
    { find: /@(?:Disabled|Ignore)\b(?!\w)/, conditional: false },
    { find: /@(?:Disabled(?:If|On|For)\w+|EnabledIf\w*)\b/, conditional: true },
  ],
  csharp: [{ find: /\[Ignore\b|\[(?:Fact|Theory)\(\s*Skip\s*=/, conditional: false }],
  ruby: [
    { find: /^[ \t]*x(?:it|describe|context|specify|example)(?=[ (]\s*["'])/m, conditional: false },
    { find: /^[ \t]*(?:skip|pending)(?=\s*(?:$|["'(]))/m },
  ],
  php: [{ find: /->markTest(?:Skipped|Incomplete)\s*\(/ }],
  swift: [{ find: /\bXCTSkip\s*\(/ }, { find: /\bXCTSkip(?:If|Unless)\s*\(/, conditional: true }],
};
