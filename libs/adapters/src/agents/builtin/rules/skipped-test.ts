import type { Language } from "../file-kind.ts";
import { type FileCheck, type Found, matches } from "../rule.ts";
import { isConditional } from "./enclosing.ts";

/** Finds tests that were switched off. A skip under a condition may be right, so it weighs less. */
export const skippedTest: FileCheck = {
  covers: (kind) => kind.language in SKIPS && (kind.test || kind.language === "rust"),
  hint: /skip|\bx(it|describe|test|context|specify)\b|\b[XP](It|Describe|Context|When|Specify)|ignore|@Disabled|@Ignore|\.fixme|\bpending\b|Inconclusive/i,
  async look(source) {
    const code = await source.code();
    const { language } = source.kind;
    const found = new Map<number, Found>();
    for (const { find, conditional } of SKIPS[language] ?? []) {
      for (const match of matches(code.code, find)) {
        const at = match.index + (match[0].length - match[0].trimStart().length);
        const line = code.lineAt(at);
        const text = source.addedAt(line);
        if (text === undefined || found.has(line)) continue;
        const sometimes = conditional ?? isConditional(code, at, language);
        found.set(line, {
          line,
          endLine: line,
          snippet: text,
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
