/** A line of a document, and whether it belongs to a code fence, where nothing has a meaning. */
export interface DocumentLine {
  text: string;
  fenced: boolean;
}

// What has a meaning at the start of a line of a review file; backslashes before it are escapes.
const STRUCTURE = /^\\*(?:#{1,6}(?:\s|$)|-{3,}\s*$|\*\*(?:File|Line|Current Code|Suggestion)\*\*:|`{3,}[^`]*$|~{3,})/u;

/** Free text for a markdown document: its closed code fences stay, and lines that look like structure are escaped. */
export function escapeBlock(text: string): string {
  return markFences(text.split("\n"))
    .map((line) => (!line.fenced && STRUCTURE.test(line.text) ? `\\${line.text}` : line.text))
    .join("\n");
}

/** The text behind `escapeBlock`. */
export function unescapeBlock(lines: readonly DocumentLine[]): string {
  return lines
    .map(({ text, fenced }) => (!fenced && text.startsWith("\\") && STRUCTURE.test(text) ? text.slice(1) : text))
    .join("\n");
}

/** Marks the lines of every code fence that is closed, its two ends included. */
export function markFences(lines: readonly string[]): DocumentLine[] {
  const marked = lines.map((text) => ({ text, fenced: false }));
  // A fence that never closes also says that no longer one of its kind closes: without this, hostile text costs n².
  const unclosed = new Map<string, number>();
  for (let at = 0; at < lines.length; at++) {
    const opener = /^(?:(`{3,})[^`]*|(~{3,}).*)$/u.exec(lines[at] ?? "");
    const fence = opener?.[1] ?? opener?.[2];
    if (fence === undefined) continue;
    const kind = fence.charAt(0);
    if (fence.length >= (unclosed.get(kind) ?? Number.POSITIVE_INFINITY)) continue;
    const end = closing(lines, at + 1, fence);
    if (end === undefined) {
      unclosed.set(kind, fence.length);
      continue;
    }
    for (const line of marked.slice(at, end + 1)) line.fenced = true;
    at = end;
  }
  return marked;
}

/** Code between fences that are longer than any run of backticks in it. */
export function fenced(code: string, language: string): string {
  const longest = (code.match(/`+/gu) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** The name that a code fence uses for a file's language, or nothing. */
export function languageOf(file: string | undefined): string {
  const extension = /\.([a-z0-9]+)$/iu.exec(file ?? "")?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(LANGUAGES, extension) ? (LANGUAGES[extension] ?? "") : "";
}

/** Later lines of a text, moved under its first line's list item. */
export function indentRest(text: string, spaces: number): string {
  return text.replace(/\n(?=[^\n])/gu, `\n${" ".repeat(spaces)}`);
}

const LANGUAGES: Record<string, string> = {
  ts: "typescript",
  tsx: "tsx",
  mts: "typescript",
  js: "javascript",
  jsx: "jsx",
  mjs: "javascript",
  cjs: "javascript",
  py: "python",
  go: "go",
  rs: "rust",
  rb: "ruby",
  java: "java",
  kt: "kotlin",
  cs: "csharp",
  c: "c",
  h: "c",
  cpp: "cpp",
  php: "php",
  swift: "swift",
  sh: "bash",
  sql: "sql",
  json: "json",
  yaml: "yaml",
  yml: "yaml",
  toml: "toml",
  css: "css",
  html: "html",
  md: "markdown",
};

function closing(lines: readonly string[], from: number, fence: string): number | undefined {
  for (let at = from; at < lines.length; at++) {
    const run = /^(`{3,}|~{3,})\s*$/u.exec(lines[at] ?? "")?.[1];
    if (run?.charAt(0) === fence.charAt(0) && run.length >= fence.length) return at;
  }
  return undefined;
}
