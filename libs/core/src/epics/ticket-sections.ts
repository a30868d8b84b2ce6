/** A line of a ticket file; code in fences says nothing about the ticket's plan. */
export interface TicketLine {
  number: number;
  text: string;
}

export interface TicketSection {
  title: string;
  line: number;
  level: number;
  /** Without the headings and code below it. */
  lines: TicketLine[];
}

export interface TicketOutline {
  title: TicketLine | null;
  /** What stands above the first section. */
  preamble: TicketLine[];
  /** The outermost sections only: what is below them belongs to them. */
  sections: TicketSection[];
  problem: { line: number; message: string } | null;
}

/** The parts of a ticket's markdown. `firstLine` is the number of its first line in the file. */
export function outlineTicket(markdown: string, firstLine = 1): TicketOutline {
  const { lines, problem } = proseOf(markdown, firstLine);
  const headings = lines.flatMap((_, index) => headingAt(lines, index) ?? []);
  const [first] = headings;
  const titled = first !== undefined && first.level === 1 && !isKnownSection(first.title) ? first : undefined;
  const outermost = Math.min(...headings.filter((one) => one !== titled).map(({ level }) => level));
  const tops = headings.filter((one) => one !== titled && one.level === outermost);
  const textBetween = (from: number, to: number) =>
    lines
      .slice(from, to)
      .filter((_, n) => !headings.some(({ index, length }) => from + n >= index && from + n < index + length));
  return {
    title: titled === undefined ? null : { number: titled.line, text: titled.title },
    preamble: textBetween(0, tops[0]?.index ?? lines.length),
    sections: tops.map((top, n) => ({
      title: top.title,
      line: top.line,
      level: top.level,
      lines: textBetween(top.index + top.length, tops[n + 1]?.index ?? lines.length),
    })),
    problem,
  };
}

const KNOWN = ["description", "acceptance criteria", "files to modify", "dependencies"] as const;
export type KnownSection = (typeof KNOWN)[number];

/** The name of a section without numbers, emphasis and capitals. */
export function sectionName(title: string): string {
  return title
    .replace(/[*_`]/g, "")
    .replace(/^\d+[.)]\s*/, "")
    .replace(/:$/, "")
    .trim()
    .toLowerCase();
}

function isKnownSection(title: string): boolean {
  return KNOWN.some((name) => name === sectionName(title));
}

type Prose = Pick<TicketOutline, "problem"> & { lines: TicketLine[] };

/** The lines outside of code and comments. One that is never closed is a problem if a part of the plan is behind it. */
function proseOf(markdown: string, firstLine: number): Prose {
  const lines: TicketLine[] = [];
  const hidden: TicketLine[] = [];
  let open: { what: string; mark: string; line: number } | null = null;
  for (const [index, raw] of markdown.split("\n").entries()) {
    const number = firstLine + index;
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
    hidden.push({ number, text: raw });
    if (open?.what === "code fence") {
      if (fence?.startsWith(open.mark) && raw.trim() === fence) open = null;
    } else if (open === null && fence !== undefined && !raw.trim().slice(fence.length).includes("`")) {
      open = { what: "code fence", mark: fence, line: number };
    } else {
      const text = (open === null ? raw : `<!--${raw}`).replace(/<!--.*?-->/g, " ");
      const start = text.indexOf("<!--");
      lines.push({ number, text: start < 0 ? text : text.slice(0, start) });
      if (start < 0) open = null;
      else open ??= { what: "comment", mark: "-->", line: number };
    }
    if (open === null) hidden.length = 0;
  }
  const lost = hidden.some((_, index) => isKnownSection(headingAt(hidden, index)?.title ?? ""));
  if (open === null || !lost) return { lines, problem: null };
  const message = `this ${open.what} is never closed, so the text after it cannot be read`;
  return { lines, problem: { line: open.line, message } };
}

interface Heading {
  title: string;
  level: number;
  line: number;
  index: number;
  /** How many lines it takes. */
  length: number;
}

function headingAt(lines: readonly TicketLine[], index: number): Heading | null {
  const { text = "", number = 0 } = lines[index] ?? {};
  const marked = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(text);
  if (marked !== null) {
    return { title: (marked[2] ?? "").trim(), level: (marked[1] ?? "").length, line: number, index, length: 1 };
  }
  // Two lines, the second a row of = or -, are a heading as well; below a list or nothing that row is a rule.
  const under = lines[index + 1];
  const isText = /^ {0,3}[^\s#>*+-]/.test(text) && under?.number === number + 1;
  const row = isText ? /^ {0,3}(=+|-{3,})[ \t]*$/.exec(under.text)?.[1] : undefined;
  return row === undefined
    ? null
    : { title: text.trim(), level: row.startsWith("=") ? 1 : 2, line: number, index, length: 2 };
}
