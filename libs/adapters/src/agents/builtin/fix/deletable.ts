import type { CodeText } from "../lex/code-text.ts";
import type { Language } from "../lex/file-kind.ts";

/** Why a debugging line may not simply be deleted, or null when nothing else depends on it. */
export function safelyDeletable(code: CodeText, line: number, language: Language, doomed: Set<number>): string | null {
  const doubt = more(code, line, language);
  if (doubt !== null) return doubt;
  const own = codeOf(code, line);
  const before = neighbour(code, line, -1, doomed);
  const after = neighbour(code, line, 1, doomed);
  return language === "python"
    ? aloneInIndent(own, before, after)
    : aloneInBraces(before.trim(), after.trim(), language);
}

/** What a line does besides debugging, whatever stands around it; null when it does nothing else. */
export function more(code: CodeText, line: number, language: Language): string | null {
  const whole = WHOLE[language]?.exec(codeOf(code, line));
  if (!whole) return "the line contains more than the debugging statement";
  const args = whole.groups?.args ?? "";
  if (!balanced(args)) return "the statement spans several lines";
  return hasEffect(args, code.line(line)) ? "its arguments have side effects" : null;
}

const WHOLE: Partial<Record<Language, RegExp>> = {
  js: /^\s*(?:debugger|console\.(?:log|debug)\s*\((?<args>.*)\))\s*;?\s*$/,
  python:
    /^\s*(?:(?:import\s+i?pdb\s*;\s*)?i?pdb\.set_trace\s*\(\s*\)|breakpoint\s*\(\s*\)|print\s*\((?<args>.*)\))\s*;?\s*$/,
  rust: /^\s*dbg!\s*\((?<args>.*)\)\s*;\s*$/,
  ruby: /^\s*(?:binding\.(?:pry|irb)|byebug|debugger)\s*$/,
  php: /^\s*var_dump\s*\((?<args>.*)\)\s*;\s*$/,
};

function balanced(args: string): boolean {
  let depth = 0;
  for (const char of args) {
    if ("([{".includes(char)) depth++;
    if (")]}".includes(char) && --depth < 0) return false;
  }
  return depth === 0;
}

/** Calls that only read: everything else that is called may matter. */
const HARMLESS =
  /\b(?:JSON\.stringify|String|Number|Object\.(?:keys|values|entries)|len|repr|str|type|typeof|vars)\s*\(/g;

function hasEffect(args: string, raw: string): boolean {
  const rest = args.replace(HARMLESS, "");
  const interpolated = /\{[^}]*\(/.test(raw) && /\bf["']|#\{/.test(raw);
  const calls = /[\w$)\]!]\s*\(|[\w$)\]]\s*`/.test(rest);
  return calls || interpolated || /\+\+|--|(?<![=!<>])=(?![=>])|\b(?:await|yield|delete|new)\b/.test(rest);
}

/** A block must keep a statement, and an empty handler would be a new flaw. */
function aloneInBraces(before: string, after: string, language: Language): string | null {
  if (/\{$/.test(before) && /^[}]/.test(after)) return "it is the only statement of its block";
  if (language === "ruby")
    return /^(?:end|rescue|else|ensure)\b/.test(after) ? "it may be the value of its block" : null;
  if (before === "" || /[;{}]$/.test(before) || /^[)\]}]*;?$/.test(before)) return continuation(after);
  if (language !== "js" || /[,([=+\-*/&|?:<>.!]$|=>$|\belse$/.test(before)) return "it is part of a longer statement";
  if (/^(?:\}\s*)?(?:else\s+)?(?:if|for|while|with)\b/.test(before)) return "it is the only statement of its block";
  return continuation(after);
}

function continuation(after: string): string | null {
  return /^(?:\?\.|[.([`+\-*/,?&|=<>])/.test(after) ? "the next line continues it" : null;
}

function aloneInIndent(own: string, before: string, after: string): string | null {
  if (/[,([{\\]$/.test(before.trim())) return "it is part of a longer statement";
  if (!/:$/.test(before.trim())) return null;
  return indent(after) < indent(own) || after.trim() === "" ? "it is the only statement of its block" : null;
}

/** The nearest line with code in a direction, over blank lines and over lines that go as well. */
function neighbour(code: CodeText, line: number, step: 1 | -1, doomed: Set<number>): string {
  for (let at = line + step; at >= 1 && at <= code.lineCount; at += step) {
    const text = codeOf(code, at);
    if (text.trim() !== "" && !doomed.has(at)) return text.trimEnd();
  }
  return "";
}

function codeOf(code: CodeText, line: number): string {
  return code.code.slice(code.startOf(line), code.startOf(line + 1)).replace(/\r?\n$/, "");
}

function indent(line: string): number {
  return line.length - line.trimStart().length;
}
