/** How far a stream has been read in one project: the event, and which of the frames that it makes. */
export interface StreamPosition {
  seq: number;
  part: number;
}

/** By project. */
export type Positions = Readonly<Record<string, StreamPosition>>;

/** Whoever has seen this part of an event has seen all of it. */
export const LAST_PART = 1_000_000;

export function isAfter({ seq, part }: StreamPosition, after: StreamPosition): boolean {
  return seq > after.seq || (seq === after.seq && part > after.part);
}

/** A place in a stream over several projects, as one word that nobody has to understand and every address can hold. */
export function cursorOf(positions: Positions): string {
  let text = "";
  // Made for every frame and every listener, so it is put together by hand.
  for (const project in positions) {
    const place = positions[project];
    if (place !== undefined) text += `${text === "" ? "" : "_"}${project}.${place.seq}.${place.part}`;
  }
  return text;
}

/** Reads a cursor, or a plain sequence number for a stream over one project; null where it is neither. */
export function readCursor(text: string, projects: readonly string[]): Positions | null {
  if (/^\d{1,15}$/.test(text)) {
    const [only, ...more] = projects;
    return only === undefined || more.length > 0 ? null : { [only]: { seq: Number(text), part: LAST_PART } };
  }
  const entries = text.split("_").map((entry) => ENTRY.exec(entry));
  if (!entries.every((entry) => entry !== null)) return null;
  return Object.fromEntries(
    entries.map(([, project = "", seq, part]) => [project, { seq: Number(seq), part: Number(part) }]),
  );
}

const ENTRY = /^([a-z0-9][a-z0-9-]{0,60})\.(\d{1,15})\.(\d{1,7})$/;
