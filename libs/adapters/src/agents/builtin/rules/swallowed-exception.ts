import type { CodeText } from "../lex/code-text.ts";
import type { Language } from "../lex/file-kind.ts";
import { type FileCheck, type Found, LONGEST_LINE, matches } from "../source/rule.ts";
import type { SourceFile } from "../source/source.ts";

/** Finds handlers that do nothing with a failure. A comment inside that says why is enough. */
export const swallowedException: FileCheck = {
  covers: (kind) => kind.language in SWALLOWS && !kind.fixture,
  hint: /\bcatch\b|\bexcept\b|\bsuppress\b|\brescue\b|_\s*=\s*err\b|err\s*!=\s*nil/,
  async look(source) {
    const code = await source.code();
    const found: Found[] = [];
    for (const pattern of SWALLOWS[source.kind.language] ?? []) {
      for (const match of matches(code.code, pattern)) {
        const start = match.index + (match[0].length - match[0].trimStart().length);
        const end = match.index + match[0].trimEnd().length;
        const one = report(source, code, start, end);
        if (one && !explained(code, start, end)) found.push(one);
      }
    }
    return found;
  },
};

/** Names that say the failure is expected, by the convention of most linters. */
const UNNAMED = "(?!\\s*(?:ignored?|expected|_\\w*)\\b)";
const IGNORED = "(?!\\s*\\(?[^)]*\\b(?:ignored?|expected|_+|unused)\\b)";
const EMPTY_CATCH = new RegExp(`\\bcatch\\b${IGNORED}\\s*(?:\\((?:[^()]|\\([^()]*\\))*\\))?\\s*\\{\\s*\\}`);

const SWALLOWS: Partial<Record<Language, RegExp[]>> = {
  js: [
    new RegExp(`(?<![\\w$.])catch\\s*(?:\\(${UNNAMED}[^()]*\\)\\s*)?\\{\\s*\\}`),
    new RegExp(
      `\\.catch\\s*\\(\\s*(?:async\\s+)?(?:\\(${UNNAMED}\\s*\\w*\\s*\\)|${UNNAMED}\\w+)\\s*=>\\s*\\{\\s*\\}\\s*\\)`,
    ),
    new RegExp(
      `\\.catch\\s*\\(\\s*(?:async\\s+)?function\\s*\\w*\\s*\\(${UNNAMED}\\s*\\w*\\s*\\)\\s*\\{\\s*\\}\\s*\\)`,
    ),
  ],
  python: [
    /^[ \t]*except\b[ \t]*(?:\(?[^:\n]*\b(?:Base)?Exception\b[^:\n]*)?:\s*(?:pass|\.\.\.)[ \t]*$/m,
    /\bsuppress\s*\(\s*(?:Base)?Exception\s*\)/,
  ],
  go: [/^[ \t]*_\s*=\s*err[ \t]*$/m, /\bif\s+err\s*!=\s*nil\s*\{\s*\}/],
  jvm: [EMPTY_CATCH],
  csharp: [EMPTY_CATCH],
  php: [EMPTY_CATCH],
  c: [EMPTY_CATCH],
  swift: [/\bcatch\s*\{\s*\}/],
  ruby: [/^[ \t]*rescue\b[^\n]*\n\s*end\b/m],
};

function report(source: SourceFile, code: CodeText, start: number, end: number): Found | null {
  const line = code.lineAt(start);
  const endLine = code.lineAt(end - 1);
  const lines = Array.from({ length: endLine - line + 1 }, (_, index) => code.line(line + index));
  // The opening line is what someone wrote; when only the closing brace is new, the handler was there before.
  if (source.addedAt(line) === undefined) return null;
  return {
    line,
    endLine,
    snippet: lines.join("\n"),
    description: `The handler on line ${line} drops the failure without a trace.`,
    ...(source.kind.test && { severity: "low" as const }),
  };
}

/** A handler on one line has no room inside: a comment on the line above speaks for it. */
function explained(code: CodeText, start: number, end: number): boolean {
  const first = code.lineAt(start);
  const last = code.lineAt(end - 1);
  // On a long line only what stands near speaks for it.
  const inside = code.comments.slice(start, Math.min(code.startOf(last + 1), end + LONGEST_LINE));
  const top = first === last && first > 1 ? code.startOf(first - 1) : code.startOf(first);
  const above = Math.max(top, start - LONGEST_LINE);
  const before = code.code.slice(above, code.startOf(first)).trim() === "" ? code.comments.slice(above, start) : "";
  return /\w{3,}/.test(inside) || /\w{3,}/.test(before);
}
