import type { CodeText } from "../lex/code-text.ts";
import type { Language } from "../lex/file-kind.ts";

/** Whether the code at an offset runs only under a condition, as far as its own line and the blocks around it tell. */
export function isConditional(code: CodeText, offset: number, language: Language): boolean {
  const before = code.code.slice(code.startOf(code.lineAt(offset)), offset);
  if (/\b(?:if|unless|elif|elsif|else|case|when)\b|&&|\|\||\?/.test(before)) return true;
  if (/\s(?:if|unless)\s/.test(rest(code, offset)) && language === "ruby") return true;
  return language === "python" || language === "ruby" ? underIndented(code, offset) : insideBraces(code.code, offset);
}

const CONDITION = /^\s*(?:\}\s*)?(?:if|elif|elsif|else|unless|except|rescue|case|when|switch|guard)\b/;

/** Walks out over the lines with less indentation, up to the function that holds them. */
function underIndented(code: CodeText, offset: number): boolean {
  const lines = code.code.split("\n");
  let number = code.lineAt(offset) - 1;
  let indent = indentOf(lines[number] ?? "");
  while (--number >= 0 && indent > 0) {
    const line = lines[number] ?? "";
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    if (CONDITION.test(line)) return true;
    if (/^\s*(?:async\s+)?def\b|^\s*class\b/.test(line)) return false;
    indent = indentOf(line);
  }
  return false;
}

/** Walks out over the enclosing braces; a function's brace ends the search. */
function insideBraces(code: string, offset: number): boolean {
  let depth = 0;
  for (let at = offset - 1; at >= 0; at--) {
    if (code[at] === "}") depth++;
    else if (code[at] === "{" && --depth < 0) {
      const head =
        code
          .slice(Math.max(0, at - 200), at)
          .split(/[;{}]/)
          .at(-1) ?? "";
      if (/\b(?:if|else|switch|catch|guard)\b/.test(head)) return true;
      if (/=>\s*$|\bfunc(?:tion)?\b|\bfn\b|\bfun\b|\bvoid\b/.test(head)) return false;
      depth = 0;
    }
  }
  return false;
}

function rest(code: CodeText, offset: number): string {
  return code.code.slice(offset, code.startOf(code.lineAt(offset) + 1));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
