import { money } from "../../../ui/numbers.ts";

/** A share as people say it; a dash where there is nothing to divide by. */
export function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)}%`;
}

export function average(value: number | null): string {
  return value === null ? "–" : value.toFixed(1);
}

/** Minutes as 45 min, 3 h 20 min, or 2 days 4 h of eight hours each. */
export function worktime(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole < 60) return `${whole} min`;
  const hours = Math.floor(whole / 60);
  if (hours < 16) return joined([`${hours} h`, whole % 60 === 0 ? "" : `${whole % 60} min`]);
  return joined([`${Math.floor(hours / 8)} days`, hours % 8 === 0 ? "" : `${hours % 8} h`]);
}

/** What the numbers of a chart count. */
export type ChartUnit = "count" | "money";

export const FORMATS: Readonly<Record<ChartUnit, (value: number) => string>> = { count, money };

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}
