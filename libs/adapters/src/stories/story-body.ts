import type { Story } from "@anneal/types";
import { readCriteria } from "./criteria.ts";
import { headingOf, type MarkdownLine, markdownLines } from "./markdown-lines.ts";

export interface StoryBody {
  /** Of `# Story X.Y: Title`, as written: the id is not checked yet. */
  heading: { id: string /** What stands between id and title. */; mark: string; title: string; line: number } | null;
  acceptanceCriteria: string[];
  tasks: Story["tasks"];
}

/** Reads what a story says below its front matter. Nothing in it is wrong: what is not understood is left out. */
export function readStoryBody(body: string, firstLine: number): StoryBody {
  const lines = markdownLines(body, firstLine);
  const { inside, outside } = acceptanceCriteria(lines);
  return { heading: storyHeading(lines), acceptanceCriteria: readCriteria(inside), tasks: outside.flatMap(task) };
}

/** The first heading of a text, if it is that of a story. */
export function storyHeading(lines: readonly MarkdownLine[]): StoryBody["heading"] {
  for (const line of lines) {
    const heading = headingOf(line);
    if (heading === null) continue;
    const found = /^Story\s+(.+?)(\s*:\s*|\s+[-–—]\s+|$)(.*)$/i.exec(heading.title);
    if (found === null || heading.level !== 1) return null;
    const [, id = "", mark = "", title = ""] = found.map((part) => part.trim());
    return { id, mark, title, line: line.line };
  }
  return null;
}

const CRITERIA = /^(?:\d+[.)]\s*)?(?:acceptance criteria|ACs)\b/i;
const BOLD_LABEL = /^\s*(?:\*\*|__)([^*_]+?):?(?:\*\*|__):?\s*$/;

/** The lines of the acceptance criteria, up to the next heading of the same rank; a bold line is a heading of the lowest. */
function acceptanceCriteria(lines: readonly MarkdownLine[]): { inside: MarkdownLine[]; outside: MarkdownLine[] } {
  const inside: MarkdownLine[] = [];
  const outside: MarkdownLine[] = [];
  let level: number | null = null;
  for (const line of lines) {
    const heading = headingOf(line);
    const label = line.kind === "text" ? BOLD_LABEL.exec(line.text)?.[1] : undefined;
    const begins = CRITERIA.test(heading?.title.replace(/\*\*|__/g, "") ?? label ?? "");
    const rank = heading?.level ?? (label === undefined ? null : LOWEST);
    const ends = level !== null && rank !== null && rank <= level && !begins;
    if (ends) level = null;
    if (begins && level === null) level = rank;
    else (level === null ? outside : inside).push(line);
  }
  return { inside, outside };
}

const LOWEST = 7;

function task({ text, kind }: MarkdownLine): Story["tasks"] {
  const found = kind === "text" ? /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(.*\S)\s*$/.exec(text) : null;
  return found === null ? [] : [{ text: found[2] ?? "", done: found[1] !== " " }];
}
