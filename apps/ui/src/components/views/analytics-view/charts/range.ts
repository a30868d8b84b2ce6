/** Which days are looked at, as the address says it: `30d`, `all`, or two days. */
export interface RangeSearch {
  from?: string;
  to?: string;
}

export interface Range {
  /** What was chosen: one of the presets, or days of one's own. */
  choice: Preset | "own";
  /** In UTC, as in 2026-01-31; null where it is open. */
  from: string | null;
  to: string | null;
}

export const PRESETS = ["7d", "30d", "90d", "all"] as const;
export type Preset = (typeof PRESETS)[number];

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The days that an address means. What cannot be read falls back to the last 30 days. */
export function rangeOf({ from, to }: RangeSearch, now: number): Range {
  const preset = PRESETS.find((one) => one === from);
  if (preset !== undefined) return presetRange(preset, now);
  const [first, last] = [dateIn(from), dateIn(to)];
  if (first === null && last === null) return presetRange("30d", now);
  return { choice: "own", from: first, to: last };
}

type Days = Pick<Range, "from" | "to">;

/** Nothing lies in such days: the address is kept as it is, so that no field changes under the hands of whoever types. */
export function isBackwards({ from, to }: Days): boolean {
  return from !== null && to !== null && from > to;
}

export function inRange({ from, to }: Days, at: number): boolean {
  const day = dayOf(at);
  return (from === null || day >= from) && (to === null || day <= to);
}

/** The first of the last so many days, today included. */
function presetRange(preset: Preset, now: number): Range {
  if (preset === "all") return { choice: preset, from: null, to: null };
  return { choice: preset, from: dayOf(now - (Number.parseInt(preset, 10) - 1) * DAY_MS), to: null };
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function dateIn(text: string | undefined): string | null {
  if (text === undefined || !DATE.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || dayOf(ms) !== text ? null : text;
}
