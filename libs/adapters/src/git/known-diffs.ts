import type { ChangeBounds, ChangedFile } from "@anneal/types";
import type { Place } from "./place.ts";

type Ends = Pick<ChangeBounds, "base" | "head">;

const known = new Map<string, readonly ChangedFile[]>();
const MOST_KNOWN = 8;
const MOST_CHARACTERS = 500_000;

/** The files that a diff had when it was last made; ends that are given by their whole ids can never differ in another way. */
export function knownDiff(place: Place, ends: Ends, limit: number): readonly ChangedFile[] | null {
  return known.get(keyOf(place, ends, limit)) ?? null;
}

/** Gathers the files of a diff while it is made, to be remembered if it is small and was seen to its end. */
export class DiffNotes {
  readonly #key: string | null;
  #files: ChangedFile[] = [];
  #characters = 0;

  constructor(place: Place, ends: Ends, limit: number) {
    this.#key = isId(ends.base) && isId(ends.head) ? keyOf(place, ends, limit) : null;
  }

  add(file: ChangedFile): void {
    if (this.#key === null || this.#characters > MOST_CHARACTERS) return;
    this.#files.push(file);
    this.#characters += file.path.length;
    for (const { lines } of file.hunks) for (const line of lines) this.#characters += line.length + 1;
    if (this.#characters > MOST_CHARACTERS) this.#files = [];
  }

  end(): void {
    if (this.#key === null || this.#characters > MOST_CHARACTERS) return;
    const [oldest] = known.keys();
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    known.set(this.#key, this.#files);
  }
}

function keyOf({ commonDir }: Place, { base, head }: Ends, limit: number): string {
  return [commonDir, base, head, limit].join("\0");
}

function isId(name: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
}
