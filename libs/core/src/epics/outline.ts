import { isRecord } from "@anneal/types/unknown";

const MAX_DEPTH = 12;

/** Data as an indented outline, for people and models to read. Texts of several lines stay texts. */
export function outline(value: unknown, depth = 0): string {
  const indent = "  ".repeat(depth);
  if (depth > MAX_DEPTH) return `${indent}…`;
  if (Array.isArray(value)) return value.map((entry) => `${indent}- ${item(entry, depth)}`).join("\n");
  if (isRecord(value)) {
    return Object.entries(value)
      .map(
        ([key, entry]) => `${indent}${key}:${isPlain(entry) ? inline(entry, depth) : `\n${outline(entry, depth + 1)}`}`,
      )
      .join("\n");
  }
  return `${indent}${plain(value, depth)}`;
}

function item(entry: unknown, depth: number): string {
  return isPlain(entry) ? plain(entry, depth + 1) : outline(entry, depth + 1).trimStart();
}

function inline(value: unknown, depth: number): string {
  const text = plain(value, depth + 1);
  return text.includes("\n") ? `\n${"  ".repeat(depth + 1)}${text}` : ` ${text}`;
}

function plain(value: unknown, depth: number): string {
  if (typeof value === "string") return value.trim().replaceAll("\n", `\n${"  ".repeat(depth)}`);
  if (Array.isArray(value) || isRecord(value)) return "none";
  return value === null || value === undefined ? "none" : String(value);
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return !isRecord(value) || Object.keys(value).length === 0;
}
