import type { CodeText } from "../lex/code-text.ts";
import type { Language } from "../lex/file-kind.ts";
import { around, type FileCheck, type Found, matches } from "../source/rule.ts";
import type { SourceFile } from "../source/source.ts";

/** Finds statements that someone put in to look at a running program and forgot. */
export const debugLeftover: FileCheck = {
  covers: (kind) => kind.language in LEFTOVERS,
  hint: /\bconsole\.(?:log|debug)\b|\bdebugger\b|\bprint\s*\(|\bi?pdb\b|\bbreakpoint\s*\(|\bdbg!|\bbinding\.|\bbyebug\b|\bvar_dump\b/,
  async look(source) {
    const code = await source.code();
    const found = new Map<number, Found>();
    for (const pattern of LEFTOVERS[source.kind.language] ?? []) {
      if (pattern.prints && printsOnPurpose(source, code, pattern)) continue;
      for (const match of matches(code.code, pattern.find)) {
        const start = match.index + (match[0].length - match[0].trimStart().length);
        const line = code.lineAt(start);
        const text = source.addedAt(line);
        if (text === undefined || found.has(line)) continue;
        const near = around(text, start - code.startOf(line));
        if (pattern.prints && /\b(?:if|verbose|debug)\b.*\bif\b|\bif\b.*(?:verbose|debug)/i.test(near)) continue;
        found.set(line, {
          line,
          endLine: line,
          snippet: near,
          description: `Line ${line} calls \`${match[0].trim().replace(/[(;]$/, "")}\`, which only helps while debugging.`,
          ...(pattern.severity && { severity: pattern.severity }),
        });
      }
    }
    return [...found.values()];
  },
};

interface Leftover {
  find: RegExp;
  /** Also a way to tell users something: only a leftover in code that has no business printing. */
  prints?: true;
  severity?: "low";
}

const LEFTOVERS: Partial<Record<Language, Leftover[]>> = {
  js: [
    { find: /(?<![\w$.])debugger(?=\s*(?:;|$|\}))/m },
    { find: /(?<![\w$.])console\.(?:log|debug)\s*\(/, prints: true },
  ],
  python: [
    {
      find: /^[ \t]*(?:import|from)[ \t]+i?pdb\b|\bi?pdb\.(?:set_trace|post_mortem)\s*\(|(?<![\w.])breakpoint\s*\(\s*\)/m,
    },
    { find: /^[ \t]*print\s*\(/m, prints: true, severity: "low" },
  ],
  rust: [{ find: /(?<![\w:])dbg!\s*\(/ }],
  ruby: [{ find: /(?<![\w.])binding\.(?:pry|irb)\b|^[ \t]*(?:byebug|debugger)[ \t]*$/m }],
  php: [{ find: /(?<![\w$>:])var_dump\s*\(/ }],
};

const COMMAND_LINE =
  /^#!|\bprocess\.argv\b|\bparseArgs\b|if\s+__name__\s*==|\bargparse\b|^[ \t]*(?:import|from)\s+(?:click|typer|fire)\b|\b(?:window|self)\.console\s*=|@(?:app|cli|click)\.command/m;

/** Tools print, tests may, and a file that already prints elsewhere does so as its habit. */
function printsOnPurpose(source: SourceFile, code: CodeText, pattern: Leftover): boolean {
  const { test, tool, fixture } = source.kind;
  if (test || tool || fixture || COMMAND_LINE.test(code.uncommented)) return true;
  for (const match of matches(code.code, pattern.find)) {
    const start = match.index + (match[0].length - match[0].trimStart().length);
    if (source.addedAt(code.lineAt(start)) === undefined) return true;
  }
  return false;
}
