import { type KnownSection, outlineTicket, sectionName, type TicketLine } from "./ticket-sections.ts";

export interface NumberedText {
  text: string;
  line: number;
}

/** What a ticket's markdown file says, before anybody compares it with the epic. */
export interface TicketMarkdown {
  title: string | null;
  /** The tickets that the file says it is about; a title of one word may be no name at all. */
  names: (NumberedText & { sure: boolean })[];
  description: string | null;
  acceptanceCriteria: NumberedText[];
  filesToModify: NumberedText[];
  dependencies: NumberedText[];
  /** Lines about dependencies that name no ticket. */
  remarks: NumberedText[];
  critical: { value: boolean; line: number } | null;
  problems: { line: number; message: string }[];
}

/** Reads a ticket file without its front matter. `firstLine` is the number of the first line in the file. */
export function readTicketMarkdown(markdown: string, firstLine = 1): TicketMarkdown {
  const outline = outlineTicket(markdown, firstLine);
  const lines = (name: KnownSection) =>
    outline.sections.filter(({ title }) => sectionName(title) === name).flatMap((section) => section.lines);
  const labels = outline.preamble.flatMap(labelOf);
  const label = (...names: string[]) => labels.filter(({ name }) => names.includes(name));
  const needs = [
    ...label("dependencies", "depends on").flatMap(({ text, line }) => dependenciesIn([{ text, line }])),
    ...dependenciesIn(itemsIn(lines("dependencies"))),
  ];
  const critical = label("critical").map(({ text, line }) => ({ value: truth(text), line }));
  return {
    title: outline.title?.text ?? null,
    names: [
      ...label("ticket id", "ticket", "ticket name", "id").map((one) => ({ ...bareName(one), sure: true })),
      ...titleNames(outline.title),
    ],
    description: paragraphs(lines("description")),
    acceptanceCriteria: itemsIn(lines("acceptance criteria")),
    filesToModify: itemsIn(lines("files to modify")).filter(saysSomething).map(bareName),
    dependencies: needs.flatMap((need) => ("name" in need ? { text: need.name, line: need.line } : [])),
    remarks: needs.flatMap((need) => ("remark" in need ? { text: need.remark, line: need.line } : [])),
    critical: critical.flatMap(({ value, line }) => (value === null ? [] : { value, line }))[0] ?? null,
    problems: [
      ...(outline.problem === null ? [] : [outline.problem]),
      ...critical
        .filter(({ value }) => value === null)
        .map(({ line }) => ({ line, message: "critical: expected true or false" })),
    ],
  };
}

/** `**Label:** text`, as many files have it above their sections. */
function labelOf({ text, number }: TicketLine): (NumberedText & { name: string })[] {
  const found = /^\s*(?:[-*+]\s+)?(?:\*\*|__)([^*_:]{1,40}):?(?:\*\*|__):?\s*(.*)$/.exec(text);
  if (found === null) return [];
  return [{ name: (found[1] ?? "").trim().toLowerCase(), text: (found[2] ?? "").trim(), line: number }];
}

/** A title such as `Ticket: auth-base`, or one that is a single word and so may be a name. */
function titleNames(title: TicketLine | null): TicketMarkdown["names"] {
  if (title === null) return [];
  const text = title.text.replace(/[`*]/g, "");
  const called = /^ticket\s*[:–—-]\s*(\S+)$/i.exec(text)?.[1];
  if (called !== undefined) return [{ text: called, line: title.number, sure: true }];
  return /^\S+$/.test(text) ? [{ text, line: title.number, sure: false }] : [];
}

function bareName({ text, line }: NumberedText): NumberedText {
  return { text: text.replace(/[`*]/g, "").trim(), line };
}

function truth(text: string): boolean | null {
  const word = text.replace(/[`*.]/g, "").trim().toLowerCase();
  if (["true", "yes"].includes(word)) return true;
  return ["false", "no"].includes(word) ? false : null;
}

function paragraphs(lines: readonly TicketLine[]): string | null {
  const text = lines
    .map((line) => line.text)
    .join("\n")
    .trim();
  return text === "" ? null : text;
}

const ITEM = /^(\s*)(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;

/** The items of a list with what is indented below them; where there is no list, its paragraphs. */
function itemsIn(lines: readonly TicketLine[]): NumberedText[] {
  const listed = lines.some(({ text }) => ITEM.test(text));
  const items: (NumberedText & { indent: number })[] = [];
  let ended = true;
  for (const { text, number } of lines) {
    const item = ITEM.exec(text);
    const last = items.at(-1);
    const indent = (item?.[1] ?? "").replaceAll("\t", "    ").length;
    if (text.trim() === "") ended = true;
    else if (item !== null && !(last !== undefined && indent > last.indent + 1)) {
      items.push({ text: (item[2] ?? "").trim(), line: number, indent });
      ended = false;
    } else if (last !== undefined && (!ended || /^\s/.test(text))) {
      last.text = `${last.text} ${text.trim()}`.trim();
    } else if (!listed) {
      items.push({ text: text.trim(), line: number, indent: 0 });
      ended = false;
    }
  }
  return items.filter(({ text }) => text !== "").map(({ text, line }) => ({ text, line }));
}

function saysSomething({ text }: NumberedText): boolean {
  return !NONE.test(text);
}

const NONE = /^(?:\W*|(?:none|n\/a|nothing|no (?:other )?dependencies|no files?)\b.*)$/i;
const NAME = /^[A-Za-z0-9][\w.-]*$/;

type Need = { name: string; line: number } | { remark: string; line: number };

/** Names of tickets, each at the start of its item; what stands there instead is a remark. */
function dependenciesIn(items: readonly NumberedText[]): Need[] {
  return items.filter(saysSomething).flatMap(({ text, line }): Need[] => {
    const plain = text
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[*`]|^__|__$/g, "")
      .replace(/\.$/, "");
    const parts = plain.split(/\s*,\s*/);
    if (parts.every((part) => NAME.test(part))) return parts.map((name) => ({ name, line }));
    const [name = ""] = plain.split(/\s*[:(]|\s+[-–—]\s+/);
    return NAME.test(name) ? [{ name, line }] : [{ remark: text, line }];
  });
}
