import type { CodeText } from "../lex/code-text.ts";
import type { Language } from "../lex/file-kind.ts";
import { type FileCheck, type Found, matches } from "../source/rule.ts";

/** Finds tests that keep all others from running. */
export const focusedTest: FileCheck = {
  covers: (kind) => kind.test && kind.language in FOCUS,
  hint: /\.only\b|\bonly\s*:|\b[fF](it|It|describe|Describe|context|Context|When|Entry|Specify)|\bfocus\b|mark\.only/,
  async look(source) {
    const code = await source.code();
    const found: Found[] = [];
    for (const focus of focuses(code, source.kind.language)) {
      const line = code.lineAt(focus.start);
      const text = source.addedAt(line);
      if (text === undefined || found.some((one) => one.line === line)) continue;
      found.push({
        line,
        endLine: line,
        snippet: text,
        description: `\`${focus.word.trim()}\` on line ${line} makes the runner skip every other test.`,
      });
    }
    return found;
  },
};

/** A focus, and the text that takes its place when it is removed; null where only a person can tell. */
export interface Focus {
  start: number;
  end: number;
  word: string;
  without: string | null;
}

const TEST_WORDS = "(?:describe|it|test|suite|context|specify|bench)";

interface Pattern {
  find: RegExp;
  /** Which part of the match is the focus, and what stays of it. */
  without: string | null;
}

const FOCUS: Partial<Record<Language, Pattern[]>> = {
  js: [
    {
      find: new RegExp(`(?<![\\w$.])${TEST_WORDS}(?:\\.\\w+)*?(?<focus>\\.only)\\b(?=\\s*[(\`<]|\\.\\w)`),
      without: "",
    },
    { find: /(?<=\bDeno\.test)(?<focus>\.only)\b(?=\s*\()/, without: "" },
    { find: /(?<![\w$.])(?<focus>f)(?:it|describe|context)(?=\s*\(\s*["'`]|\.each\b)/, without: "" },
    {
      find: new RegExp(`(?<![\\w$.])${TEST_WORDS}\\s*\\(\\s*["'\`][^\\n]{0,300}?(?<focus>\\{\\s*only\\s*:\\s*true\\b)`),
      without: null,
    },
  ],
  go: [
    { find: /(?<![\w.])(?<focus>F)(?:It|Describe|DescribeTable|Context|When|Specify|Entry)(?=\(\s*["`])/, without: "" },
  ],
  python: [{ find: /(?<focus>@pytest\.mark\.only)\b/, without: null }],
  ruby: [
    { find: /^[ \t]*(?<focus>f)(?:it|describe|context|specify|example)(?=[ (]\s*["'])/m, without: "" },
    {
      find: /^[ \t]*(?:it|describe|context|specify|example)[ (]["'][^\n]{0,300}?(?<focus>,\s*(?::focus\b|focus:\s*true|:focus\s*=>\s*true))/m,
      without: null,
    },
  ],
};

export function focuses(code: CodeText, language: Language): Focus[] {
  const found: Focus[] = [];
  for (const { find, without } of FOCUS[language] ?? []) {
    for (const match of matches(code.code, new RegExp(find.source, `${find.flags.replace("d", "")}dg`))) {
      const [start, end] = match.indices?.groups?.focus ?? [match.index, match.index];
      found.push({ start, end, word: code.text.slice(match.index, match.index + match[0].length), without });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}
