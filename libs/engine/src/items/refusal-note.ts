const NOTE = "Not moved to ";

/** What feature.json says in `error` where a move on the board was put back. */
export function refusalNote(wanted: string, reason: string): string {
  return `${NOTE}${wanted}: ${reason}`;
}

export function isRefusalNote(error: string | null | undefined): boolean {
  return error?.startsWith(NOTE) === true;
}
