import { unreadable } from "../answer/answer.ts";

/** An HTML element that is open at the end of a line and makes what it holds a quotation, or code, or struck out. */
export interface OpenElement {
  name: string;
  depth: number;
}

const NAMES = "pre|blockquote|code|samp|kbd|xmp|q|cite|del|strike|script|style|template|textarea";
const HOLDS_BLOCKS = /^(?:pre|blockquote|xmp)$/;

/** Where each kind of element is closed for the last time, so that a mere mention of a tag opens nothing. */
export function lastClosings(lines: readonly string[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    for (const found of line.matchAll(new RegExp(`</(${NAMES})\\b`, "gi")))
      last.set((found[1] ?? "").toLowerCase(), at);
  }
  return last;
}

/** The element that is open after this line, whose inline code is blanked out. */
export function openAfter(
  plain: string,
  before: OpenElement | undefined,
  closesLater: (name: string) => boolean,
): OpenElement | undefined {
  let open = before;
  // A line this long is refused anyway, or stays inside the element and then leaves it open.
  if (!plain.includes("<") || plain.length > 10_000) return open;
  for (const tag of plain.matchAll(new RegExp(`<(/?)(${NAMES})(?:\\s[^<>]{0,200})?>`, "gi"))) {
    const name = (tag[2] ?? "").toLowerCase();
    const closes = tag[1] === "/";
    if (open === undefined) {
      if (closes || isClosedIn(plain.slice(tag.index), name)) continue;
      if (closesLater(name)) open = { name, depth: 1 };
      else if (HOLDS_BLOCKS.test(name) || plain.slice(0, tag.index).trim() === "") {
        unreadable(`The answer has an HTML element <${name}> that is never closed.`);
      }
    } else if (open.name === name) {
      const depth: number = open.depth + (closes ? -1 : 1);
      open = depth === 0 ? undefined : { name, depth };
    }
  }
  return open;
}

/** The line with what its HTML elements quote blanked out. */
export function withoutQuotingElements(plain: string): string {
  if (!plain.includes("</")) return plain;
  return plain.replace(new RegExp(`<(${NAMES})(?:\\s[^<>]{0,200})?>[^<]*</\\1>`, "gi"), (whole) =>
    " ".repeat(whole.length),
  );
}

function isClosedIn(rest: string, name: string): boolean {
  return rest.toLowerCase().includes(`</${name}`);
}
