import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@anneal/types/unknown";
import { type Node, parseTree } from "jsonc-parser";
import { blankMark } from "./json-text.ts";

/**
 * The text with just those values rewritten in which `before` and `after` differ.
 * Everything else stays to the byte: key order, spacing, escapes, numbers too large for us, keys that a schema drops.
 */
export function patchJson(text: string, before: unknown, after: unknown): string {
  const tree = parseTree(blankMark(text));
  if (!tree) throw new Error("only well-formed JSON can be patched");
  const edits: Edit[] = [];
  collect({ text, unit: indentUnit(text), newline: text.includes("\r\n") ? "\r\n" : "\n", edits }, tree, before, after);
  return edits
    .sort((a, b) => b.offset - a.offset)
    .reduce((done, { offset, length, insert }) => done.slice(0, offset) + insert + done.slice(offset + length), text);
}

interface Edit {
  offset: number;
  length: number;
  insert: string;
}

interface Page {
  text: string;
  /** One step of indentation; empty in a file without line breaks. */
  unit: string;
  newline: string;
  edits: Edit[];
}

function collect(page: Page, node: Node, before: unknown, after: unknown): void {
  if (isDeepStrictEqual(before, after)) return;
  if (isRecord(before) && isRecord(after) && node.type === "object") collectObject(page, node, before, after);
  else if (Array.isArray(before) && Array.isArray(after) && grows(node, before, after)) {
    collectArray(page, node, before, after);
  } else replace(page, node, after);
}

function collectObject(page: Page, node: Node, before: JsonObject, after: JsonObject): void {
  const members = node.children ?? [];
  // Of a key that is there twice, the last one counts.
  const byKey = new Map(members.map((member) => [keyOf(member), member]));
  const gone = (member: Node) => has(before, keyOf(member)) && !has(after, keyOf(member));
  const differs = (key: string) => has(after, key) && !(has(before, key) && isDeepStrictEqual(before[key], after[key]));
  const added = Object.keys(after).filter((key) => !byKey.has(key) && differs(key));
  if (members.every(gone)) {
    const kept = added.map((key) => [key, after[key]]);
    if (members.length > 0 || kept.length > 0) replace(page, node, Object.fromEntries(kept));
    return;
  }
  for (const [key, member] of byKey) {
    const value = member.children?.[1];
    if (value && differs(key)) collect(page, value, has(before, key) ? before[key] : undefined, after[key]);
  }
  const texts = added.map((key) => (render: Render) => `${JSON.stringify(key)}:${render.space}${render(after[key])}`);
  rearrange(page, node, members, gone, texts);
}

function collectArray(page: Page, node: Node, before: unknown[], after: unknown[]): void {
  const members = node.children ?? [];
  for (const [index, member] of members.entries()) collect(page, member, before[index], after[index]);
  const texts = after.slice(before.length).map((value) => (render: Render) => render(value));
  rearrange(page, node, members, () => false, texts);
}

interface Render {
  (value: unknown): string;
  /** What stands after a colon here. */
  space: string;
}

/** Takes members out and appends others, in the way in which the members around them are laid out. */
function rearrange(
  page: Page,
  node: Node,
  members: Node[],
  gone: (member: Node) => boolean,
  added: ((render: Render) => string)[],
): void {
  if (added.length === 0 && !members.some(gone)) return;
  const lastKept = members.findLastIndex((member) => !gone(member));
  for (const [index, member] of members.slice(0, lastKept).entries()) {
    const next = members[index + 1];
    if (next && gone(member))
      page.edits.push({ offset: member.offset, length: next.offset - member.offset, insert: "" });
  }
  const anchor = members[lastKept];
  const last = members.at(-1);
  if (!anchor || !last) return;
  const layout = layoutOf(page, node, anchor);
  const insert = added.map((text) => `,${layout.gap}${text(layout.render)}`).join("");
  const edit = { offset: end(anchor), length: end(last) - end(anchor), insert };
  if (edit.length > 0 || edit.insert !== "") page.edits.push(edit);
}

function layoutOf(page: Page, node: Node, anchor: Node): { gap: string; render: Render } {
  const inside = page.text.slice(node.offset, anchor.offset);
  const whole = page.text.slice(node.offset, node.offset + node.length);
  if (inside.includes("\n")) {
    const indent = indentAt(page.text, anchor.offset);
    const render = (value: unknown) => rendered(page, value, indent);
    return { gap: page.newline + indent, render: Object.assign(render, { space: " " }) };
  }
  const space = /[:,] /.test(whole) || page.unit !== "" ? " " : "";
  return { gap: space, render: Object.assign((value: unknown) => JSON.stringify(value), { space }) };
}

function replace(page: Page, node: Node, value: unknown): void {
  const insert = rendered(page, value, indentAt(page.text, node.offset));
  page.edits.push({ offset: node.offset, length: node.length, insert });
}

function rendered({ unit, newline }: Page, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", newline + indent);
}

/** The white space that the line of this offset starts with. */
function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[\t ]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

function indentUnit(text: string): string {
  if (!text.trimEnd().includes("\n")) return "";
  return /^[[{]\r?\n([\t ]+)/.exec(text.trimStart())?.[1] ?? "  ";
}

type JsonObject = Record<string, unknown>;

/** Whether JSON would show this key: a name that every object inherits is not there, nor is one without a value. */
function has(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== undefined;
}

function keyOf(member: Node): string {
  return String(member.children?.[0]?.value);
}

function grows(node: Node, before: unknown[], after: unknown[]): boolean {
  const members = node.type === "array" ? (node.children?.length ?? 0) : 0;
  return members > 0 && members === before.length && after.length >= before.length;
}

function end(node: Node): number {
  return node.offset + node.length;
}
