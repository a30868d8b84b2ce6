/** How far a stream has been read in one project: the event, and which of the frames that it makes. */
export interface Position {
  seq: number;
  part: number;
}

/** By project. */
export type Positions = Readonly<Record<string, Position>>;

/** A place in a stream over several projects, as one word that nobody has to understand. */
export function cursorOf(positions: Positions): string {
  const entries = Object.entries(positions).map(([project, { seq, part }]) => [project, seq, part]);
  return Buffer.from(JSON.stringify(entries)).toString("base64url");
}

/** Reads a cursor, or a plain sequence number for a stream over one project; null where it is neither. */
export function readCursor(text: string, projects: readonly string[]): Positions | null {
  if (/^\d{1,15}$/.test(text)) {
    const [only, ...more] = projects;
    // Whoever names a number has seen all frames of that event.
    return only === undefined || more.length > 0 ? null : { [only]: { seq: Number(text), part: LAST_PART } };
  }
  try {
    const entries: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(entries) || !entries.every(isEntry)) return null;
    return Object.fromEntries(entries.map(([project, seq, part]) => [project, { seq, part }]));
  } catch {
    return null;
  }
}

const LAST_PART = 1_000_000;

function isEntry(value: unknown): value is [string, number, number] {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [project, seq, part] = value;
  return typeof project === "string" && isCount(seq) && isCount(part);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
