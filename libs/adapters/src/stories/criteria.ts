import { headingOf, type MarkdownLine } from "./markdown-lines.ts";

/** What the lines of an acceptance criteria section ask for: list entries, Given/When/Then, table rows or paragraphs. */
export function readCriteria(lines: readonly MarkdownLine[]): string[] {
  const found: Criterion[] = [];
  let open: Criterion | null = null;
  let gap = false;
  let listIndent: number | null = null;
  let columns: string[] | null = null;
  const begin = (kind: Criterion["kind"], words: string): Criterion => {
    const criterion = { kind, parts: words === "" ? [] : [words] };
    found.push(criterion);
    return criterion;
  };
  for (const line of lines) {
    const text = line.text.trim();
    const heading = headingOf(line);
    const row = line.kind === "text" ? cellsOf(text) : null;
    if (row === null) columns = null;
    if (heading !== null) {
      // A heading that numbers a criterion begins it; any other only sorts them.
      open = NUMBERS_A_CRITERION.test(heading.title) ? begin("titled", plain(heading.title)) : null;
      listIndent = null;
    } else if (line.kind === "code") {
      if (open !== null) open.parts.push(`\n${line.text.trimEnd()}`);
    } else if (text === "") {
      gap = true;
      continue;
    } else if (row !== null) {
      if (columns === null) columns = row;
      else if (!row.every((cell) => /^:?-+:?$/.test(cell))) begin("row", rowText(columns, row));
      open = null;
    } else {
      const item = ITEM.exec(line.text);
      const words = plain(item?.[2] ?? text);
      const indent = (item?.[1] ?? "").length;
      const goesOn = GOES_ON.test(words) && open !== null && /^(?:.*:\s*)?Given\b/i.test(open.parts[0] ?? "");
      if (item !== null) {
        listIndent ??= indent;
        if (open?.kind === "titled" || goesOn) open?.parts.push(`\n${words}`);
        else if (indent > listIndent && open !== null) open.parts.push(`\n- ${words}`);
        else open = begin("item", words);
      } else if (GROUP_LABEL.test(text)) open = null;
      else if (open?.kind === "titled" || goesOn) open?.parts.push(`\n${words}`);
      else if (/^Given\b/i.test(words)) open = begin("steps", words);
      else if (open !== null && (!gap || /^\s{2,}/.test(line.text))) open.parts.push(` ${words}`);
      else open = begin("paragraph", words);
    }
    gap = false;
  }
  return found.map(({ parts }) => parts.join("").trim()).filter((text) => text !== "");
}

interface Criterion {
  kind: "titled" | "item" | "steps" | "row" | "paragraph";
  parts: string[];
}

const ITEM = /^(\s*)(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
const GOES_ON = /^(?:When|Then|And|But)\b/i;
const NUMBERS_A_CRITERION = /^\W*(?:(?:AC|SC)[\s#-]*\d+|(?:Scenario|Criterion|Acceptance Criterion)\b)/i;
const GROUP_LABEL = /^(?:\*\*|__)[^*_]+:?(?:\*\*|__):?$/;

/** Without the emphasis that people put on the words of a scenario. */
function plain(text: string): string {
  return text.replace(/(\*\*|__|\*|_)(Given|When|Then|And|But|AC ?-?#?\d+[^*_]*)\1/gi, "$2").trim();
}

function cellsOf(text: string): string[] | null {
  if (!/^\|.*\|$/.test(text)) return null;
  return text
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** `AC1: Given a user, When they sign in, Then …`, by the table's own column names. */
function rowText(columns: readonly string[], cells: readonly string[]): string {
  const named = cells.map((cell, index) => ({ name: plain(columns[index] ?? ""), cell }));
  const filled = named.filter(({ cell }) => /[^\s\-–—]/.test(cell));
  const label = filled.find(({ name }) => /^(?:#|id|ac|no\.?)$/i.test(name));
  const rest = filled.filter((entry) => entry !== label).map(({ name, cell }) => sentence(name, cell));
  return [label?.cell, rest.join(", ")].filter((part) => part !== undefined && part !== "").join(": ");
}

function sentence(name: string, cell: string): string {
  return /^(?:Given|When|Then|And|But)$/i.test(name) ? `${name} ${cell}` : cell;
}
