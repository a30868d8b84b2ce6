// JSON itself lets these through, and a terminal that prints the result would obey them.
const UNSEEN = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** JSON that is harmless on a terminal. */
export function json(value: unknown, indent = 2): string {
  const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(value, null, indent).replace(UNSEEN, escaped)}\n`;
}

/** A length of time in its two largest units. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, "0")}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h ${String(minutes % 60).padStart(2, "0")}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** Money, or nothing where none was reported. */
export function money(usd: number): string {
  if (usd === 0) return "";
  return usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`;
}

export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** The part of a generated id that tells it apart; commands take it as well as the whole. */
export function shortId(id: string): string {
  return /^feature-\d{13}-([a-z0-9]{9})$/.exec(id)?.[1] ?? id;
}

/** Text cut to a width; wide enough is left alone. */
export function fitted(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
