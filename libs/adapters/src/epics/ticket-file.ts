import { type EpicProblem, readTicketMarkdown, type TicketFile } from "@anneal/core/epics";
import { EpicTicket } from "@anneal/types";
import { ticketFields, typeProblems } from "./fields.ts";
import { readTextFile } from "./text-file.ts";
import { readYamlText } from "./yaml-text.ts";

export type ReadTicketFile = { ok: true; file: TicketFile } | { ok: false; problems: EpicProblem[] };

/** Reads a ticket's own file; null where there is none. `shownAs` is its path from the top of the project. */
export async function readTicketFile(path: string, root: string, shownAs: string): Promise<ReadTicketFile | null> {
  const content = await readTextFile(path, root);
  if (!content.ok && content.reason === "missing") return null;
  const failed = (line: number, message: string): ReadTicketFile => ({
    ok: false,
    problems: [{ file: shownAs, line, message }],
  });
  if (!content.ok) return failed(content.line, content.problem);
  const parts = splitFrontMatter(content.text);
  if (parts === null) return failed(1, "the front matter is never closed: end it with a line ---");
  const file = {
    path: shownAs,
    text: parts.body,
    markdown: readTicketMarkdown(parts.body, parts.bodyLine),
    front: null,
  };
  if (parts.front.trim() === "") return { ok: true, file };

  const yaml = readYamlText(parts.front, 2);
  if (!yaml.ok) return failed(yaml.line, yaml.problem);
  const parsed = FrontMatter.safeParse(ticketFields(yaml.value));
  if (!parsed.success) return { ok: false, problems: typeProblems(shownAs, yaml, parsed.error) };
  return { ok: true, file: { ...file, front: { fields: defined(parsed.data), lineOf: yaml.lineOf } } };
}

const FrontMatter = EpicTicket.partial();

/** Without the keys that stand for nothing, as the exact types want it. */
function defined(fields: object): Partial<EpicTicket> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

interface Parts {
  front: string;
  body: string;
  /** The number of the body's first line. */
  bodyLine: number;
}

function splitFrontMatter(text: string): Parts | null {
  const lines = text.split("\n");
  if (lines[0]?.trimEnd() !== "---") return { front: "", body: text, bodyLine: 1 };
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end < 0) return null;
  return { front: lines.slice(1, end).join("\n"), body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
}
