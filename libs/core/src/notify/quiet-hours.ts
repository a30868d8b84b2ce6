import type { QuietHours } from "@anneal/types";

const MINUTE = 60_000;
const DAY = 24 * 60;

/** When the quiet hours that hold at a moment are over; null where none hold. */
export function quietUntil({ from, to, timezone }: QuietHours, at: number): number | null {
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  if (begin === end || !holds(begin, end, minuteAt(at, timezone))) return null;
  // Minute by minute near the end, since a clock may be put forward or back in between.
  let until = Math.floor(at / MINUTE) * MINUTE;
  do until += MINUTE * Math.max(1, ((end - minuteAt(until, timezone) + DAY) % DAY) - 2 * 60);
  while (holds(begin, end, minuteAt(until, timezone)));
  return until;
}

function holds(begin: number, end: number, minute: number): boolean {
  return begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** The minute of the day that the clocks of a place show. */
function minuteAt(at: number, timeZone: string | undefined): number {
  const options = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...(timeZone && { timeZone }) } as const;
  return minutesOf(new Intl.DateTimeFormat("en-GB", options).format(at));
}
