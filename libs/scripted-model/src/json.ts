export type WireObject = Record<string, unknown>;

export function isObject(value: unknown): value is WireObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectAt(value: unknown, key: string): WireObject | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : undefined;
}

export function listAt(value: unknown, key: string): unknown[] {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

export function stringAt(value: unknown, key: string): string | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "string" ? found : undefined;
}

/** Every string inside a value, one per line; what hangs under a key named in `without` is left out. */
export function textOf(value: unknown, without?: string): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((each) => textOf(each, without)).join("\n");
  if (!isObject(value)) return "";
  const kept = Object.entries(value).filter(([key]) => key !== without);
  return kept.map(([, each]) => textOf(each, without)).join("\n");
}
