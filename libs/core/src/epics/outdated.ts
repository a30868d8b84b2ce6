import type { EpicState } from "@anneal/types";
import { type EpicProgress, epicState, mergeEpicState } from "./state.ts";

/** Where a file is not what would be written now, of the epic and of tickets that have a loop: a line for each location. */
export function outdatedIn(written: EpicState, progress: EpicProgress): string[] {
  const { loops } = progress;
  if (loops.size === 0) return [];
  const ours = epicState(progress);
  const built = Object.entries(ours.tickets).filter(([id]) => loops.has(id));
  return differences(mergeEpicState(written, { ...ours, tickets: Object.fromEntries(built) }), written);
}

function differences(is: unknown, was: unknown, path: readonly string[] = []): string[] {
  if ((is ?? null) === (was ?? null)) return [];
  if (isComposed(is) && isComposed(was)) {
    const [now, before] = [new Map(Object.entries(is)), new Map(Object.entries(was))];
    const names = new Set([...now.keys(), ...before.keys()]);
    return [...names].flatMap((name) => differences(now.get(name), before.get(name), [...path, name]));
  }
  const place = path.join(".");
  const said = `${place} is ${JSON.stringify(is ?? null)}, not ${JSON.stringify(was ?? null)}`;
  // A whole ticket, or a long text, is named only.
  return [isComposed(is) || isComposed(was) || said.length > LONG ? place : said];
}

const LONG = 200;

function isComposed(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
