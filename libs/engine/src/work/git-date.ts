/** Seconds since 1970 in UTC, as git takes it. */
export function gitDate(ms: number): string {
  return `${Math.floor(ms / 1_000)} +0000`;
}
