import { ForgeError } from "../../contract/errors.ts";

/** The fields of a JSON object; none for anything else. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** A field that has to be there: without it the answer is not what GitHub describes. */
export function textOf(value: unknown, name: string): string {
  const found = fieldsOf(value)[name];
  if (typeof found === "string") return found;
  throw unreadable(name);
}

export function numberOf(value: unknown, name: string): number {
  const found = fieldsOf(value)[name];
  if (typeof found === "number") return found;
  throw unreadable(name);
}

/** A text that may be missing or null. */
export function maybeText(value: unknown, name: string): string | null {
  const found = fieldsOf(value)[name];
  return typeof found === "string" ? found : null;
}

export function maybeNumber(value: unknown, name: string): number | null {
  const found = fieldsOf(value)[name];
  return typeof found === "number" ? found : null;
}

export function listOf(value: unknown, name: string): unknown[] {
  const found = fieldsOf(value)[name];
  if (Array.isArray(found)) return found;
  throw unreadable(name);
}

/** The account that something belongs to; GitHub gives null for one that was deleted. */
export function authorOf(value: unknown): { author: string; isBot: boolean } {
  const { user } = fieldsOf(value);
  return { author: maybeText(user, "login") ?? "ghost", isBot: fieldsOf(user).type === "Bot" };
}

function unreadable(name: string): ForgeError {
  return new ForgeError("damaged", `the forge's answer lacks ${name}: is this address GitHub's?`);
}
