import { isRecord } from "@anneal/types/unknown";
export type UnknownRecord = Record<string, unknown>;

/** One line of a JSON transcript; undefined for whatever else a program prints there. */
export function jsonLine(line: string): UnknownRecord | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return objectOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

export function objectOf(value: unknown): UnknownRecord | undefined {
  return isRecord(value) ? value : undefined;
}

export function listOf(value: unknown): UnknownRecord[] {
  return Array.isArray(value) ? value.map(objectOf).filter((one) => one !== undefined) : [];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** What a tool was given or gave back, as text that a log can hold. */
export function detailOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length <= LONGEST_DETAIL ? text : `${text.slice(0, LONGEST_DETAIL)}… (${text.length} characters)`;
}

const LONGEST_DETAIL = 16_000;

/** The last words of a program that failed without saying why in its own form. */
export function lastWords(said: string): string {
  return said.trim().split("\n").slice(-3).join(" ").slice(-600);
}
