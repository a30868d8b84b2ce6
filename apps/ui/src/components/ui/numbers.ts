const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Cents are always shown: a loop costs little, many loops do not. */
export function money(usd: number): string {
  return DOLLARS.format(usd);
}

/** A number with its word: 1 file, 12 files. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en-US")} ${n === 1 ? one : many}`;
}

/** A span of time as a clock shows it: 3:41, or 1:02:05. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} KB` : `${(count / 1_000_000).toFixed(1)} MB`;
}
