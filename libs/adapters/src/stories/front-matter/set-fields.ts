import { isDeepStrictEqual } from "node:util";
import { DamagedFile, InvalidChange } from "@anneal/system/files/errors";
import { isMap, isScalar, type Scalar, type YAMLMap } from "yaml";
import { splitFrontMatter } from "./split.ts";
import { parseYaml, readYamlMap } from "./yaml-map.ts";

export type FieldValue = string | number | null;

/**
 * Sets keys of a markdown text's front matter. Only the bytes of those values change: comments, order, quotes, line
 * ends, unknown keys and the body stay. A key that is missing gets a line at the end, and a text without front matter gets one.
 */
export function setFields(file: string, text: string, fields: Readonly<Record<string, FieldValue>>): string {
  const before = valuesOf(file, text);
  let next = text;
  for (const [key, value] of Object.entries(fields)) {
    if (!Object.hasOwn(before, key) || before[key] !== value) next = setField(file, next, key, value);
  }
  // What is about to be written is read first: an anchor or a tag could give the new value another meaning.
  const after = next === text ? before : valuesOf(file, next);
  const wanted = { ...before, ...fields };
  if (isDeepStrictEqual({ ...after }, wanted)) return next;
  throw new InvalidChange(file, [
    `${Object.keys(fields).join(", ")} cannot be set without changing other lines: set them by hand`,
  ]);
}

function valuesOf(file: string, text: string): Record<string, unknown> {
  const split = splitFrontMatter(text);
  if (split.kind === "none") return {};
  if (split.kind === "open") throw new DamagedFile(file, { line: 1, column: 1 }, NEVER_CLOSED);
  const read = readYamlMap(split.yaml, { firstLine: 2, scalars: "typed" });
  if (read.ok) return read.value;
  throw new DamagedFile(file, { line: read.line, column: 1 }, `front matter: ${read.message}`);
}

export const NEVER_CLOSED = "front matter: it is never closed; end it with a line `---`";

function setField(file: string, text: string, key: string, value: FieldValue): string {
  const split = splitFrontMatter(text);
  const eol = /\r\n|\n/.exec(text)?.[0] ?? "\n";
  const line = `${key}: ${scalarText(value)}`;
  if (split.kind !== "found") {
    const mark = text.startsWith("\uFEFF") ? 1 : 0;
    const gap = text.slice(mark) === "" ? "" : eol;
    return `${text.slice(0, mark)}---${eol}${line}${eol}---${eol}${gap}${text.slice(mark)}`;
  }
  const put = (from: number, to: number, words: string) =>
    text.slice(0, split.yamlStart + from) + words + text.slice(split.yamlStart + to);
  const map = parseYaml(split.yaml, { scalars: "typed" }).contents;
  const pair = isMap(map) ? map.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
  if (pair === undefined) {
    const { at, words } = newEntry(split.yaml, isMap(map) ? map : null, { line, eol });
    return put(at, at, words);
  }
  const old: unknown = pair.value;
  const isTyped = isScalar(old) && old.tag !== undefined && old.tag !== "tag:yaml.org,2002:str";
  if (!isScalar(old) || old.range == null || isTyped) {
    throw new InvalidChange(file, [`${key} is not a plain single value: correct it by hand`]);
  }
  const [from, to] = old.range;
  return put(from, to, fitted(split.yaml, [from, to], scalarText(value, old.type), eol));
}

/** A line at the end, indented like the others; in a mapping with braces the first entry. */
function newEntry(
  yaml: string,
  map: YAMLMap.Parsed | null,
  { line, eol }: { line: string; eol: string },
): { at: number; words: string } {
  if (map?.flow) return { at: map.range[0] + 1, words: map.items.length === 0 ? line : `${line}, ` };
  const start = map?.range[0] ?? 0;
  const indent = yaml.slice(yaml.lastIndexOf("\n", start - 1) + 1, start);
  return { at: yaml.length, words: `${indent}${line}${eol}` };
}

/** The new value with the blanks that its place needs: a value that was left out, or one that ended its own line. */
function fitted(yaml: string, [from, to]: readonly [number, number], words: string, eol: string): string {
  const before = from === to && !/\s/.test(yaml.charAt(from - 1)) ? " " : "";
  const comment = from === to && yaml.charAt(to) === "#" ? " " : "";
  const lineEnd = from !== to && yaml.charAt(to - 1) === "\n" ? eol : "";
  return `${before}${words}${comment}${lineEnd}`;
}

const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*$/;
// Older parsers take these for something else than text.
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

function scalarText(value: FieldValue, style?: Scalar.Type | undefined): string {
  if (typeof value !== "string") return String(value);
  if (style === "QUOTE_DOUBLE") return JSON.stringify(value);
  if (style === "QUOTE_SINGLE" && /^[\x20-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return PLAIN.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value);
}
