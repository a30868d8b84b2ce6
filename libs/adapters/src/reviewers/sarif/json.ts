import type { Json, JsonObject } from "@anneal/core/read";

export type { Json };

/** What stands at a path of keys, or undefined where the path leads nowhere. */
export function valueAt(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let found = value;
  for (const key of path) {
    if (Array.isArray(found)) found = typeof key === "number" ? found[key] : undefined;
    else found = isObject(found) && Object.hasOwn(found, String(key)) ? found[String(key)] : undefined;
  }
  return found;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Text that says something. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** A number, also where it is written as text. */
export function numberOf(value: Json | undefined): number | undefined {
  const found = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}
