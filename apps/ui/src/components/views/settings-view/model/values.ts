import { isRecord } from "@anneal/types/unknown";
import type { Scope, Setting, Values } from "./setting.ts";

export interface Held {
  value: unknown;
  from: Scope | "default";
}

/** What one file says and what holds where it says nothing. */
export interface Levels {
  scope: Scope;
  own: Values;
  /** The global file's word, for a project's settings. */
  below: Values;
}

/** The value that holds, and whose word it is: the project's over the global one over the default. */
export function held(setting: Pick<Setting, "path" | "fallback">, levels: Levels): Held {
  const own = valueAt(levels.own, setting.path);
  return own === undefined ? heldBelow(setting, levels) : { value: own, from: levels.scope };
}

/** What would hold if this file said nothing. */
export function heldBelow({ path, fallback }: Pick<Setting, "path" | "fallback">, { scope, below }: Levels): Held {
  const other = scope === "project" ? valueAt(below, path) : undefined;
  return other === undefined ? { value: fallback, from: "default" } : { value: other, from: "global" };
}

export function valueAt(values: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), values);
}

/** A JSON merge patch that sets each path; null takes one away. */
export function patchOf(changes: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [path, value] of changes) {
    const keys = path.split(".");
    const last = keys.pop() ?? path;
    let at = patch;
    for (const key of keys) {
      const next = at[key];
      const inner = isRecord(next) ? next : {};
      at[key] = inner;
      at = inner;
    }
    at[last] = value;
  }
  return patch;
}

export interface Changed {
  path: string;
  was: unknown;
  now: unknown;
}

/** What is not the same in two versions of a file, by path. */
export function changedBetween(was: unknown, now: unknown, path = ""): Changed[] {
  if (JSON.stringify(was) === JSON.stringify(now)) return [];
  if (!isRecord(was) || !isRecord(now)) return [{ path, was, now }];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(now)])];
  return keys.flatMap((key) => changedBetween(was[key], now[key], path === "" ? key : `${path}.${key}`));
}

/** What the server says about a value or something inside it. */
export function problemAt(problems: readonly { path: string; message: string }[], path: string): string | undefined {
  const within = problems.filter((one) => isWithin(one.path, path));
  if (within.length === 0) return undefined;
  return within.map((one) => (one.path === path ? one.message : `${one.path}: ${one.message}`)).join(" · ");
}

export function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);
}
