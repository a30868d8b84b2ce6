/** A line of a markdown text. In code and comments nothing has a meaning. */
export interface MarkdownLine {
  text: string;
  /** Of the whole file, counted from one. */
  line: number;
  kind: "text" | "code";
}

/** The lines of a body, with HTML comments taken out. */
export function markdownLines(body: string, firstLine: number): MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let fence: string | null = null;
  let inComment = false;
  for (const [index, raw] of body.split(/\r?\n/).entries()) {
    const line = firstLine + index;
    if (fence !== null) {
      lines.push({ text: raw, line, kind: "code" });
      if (closes(raw, fence)) fence = null;
      continue;
    }
    const shown = withoutComments(raw, inComment);
    inComment = shown.open;
    fence = shown.open ? null : (/^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(shown.text)?.[1] ?? null);
    lines.push({ text: shown.text, line, kind: fence === null ? "text" : "code" });
  }
  return lines;
}

function closes(line: string, fence: string): boolean {
  const run = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return run !== undefined && run.charAt(0) === fence.charAt(0) && run.length >= fence.length;
}

function withoutComments(line: string, startsInside: boolean): { text: string; open: boolean } {
  let text = "";
  let rest = line;
  let open = startsInside;
  for (;;) {
    const mark = open ? "-->" : "<!--";
    const at = rest.indexOf(mark);
    if (at < 0) return { text: open ? text : text + rest, open };
    if (!open) text += rest.slice(0, at);
    rest = rest.slice(at + mark.length);
    open = !open;
  }
}

export interface Heading {
  level: number;
  title: string;
}

export function headingOf({ text, kind }: MarkdownLine): Heading | null {
  const found = kind === "text" ? /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(text) : null;
  return found === null ? null : { level: (found[1] ?? "").length, title: (found[2] ?? "").trim() };
}
