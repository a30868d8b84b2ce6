import type { ChangeBounds, ChangedFile } from "@anneal/types";
import type { RepoLocation } from "../../run/repo-location.ts";
import { isId } from "../refs/known-commits.ts";
import { patchIn } from "./shown-patch.ts";

type Ends = Pick<ChangeBounds, "base" | "head">;

/** A diff as it was last made. */
interface KnownDiff {
  files: readonly ChangedFile[];
  /** As git printed it. */
  text: string;
}

const known = new Map<string, KnownDiff>();
const MOST_KNOWN = 8;
const MOST_BYTES = 500_000;

/** What is remembered of a diff; ends that are given by their whole ids can never differ in another way. */
export function knownDiff(location: RepoLocation, ends: Ends, limit: number): KnownDiff | null {
  return known.get(keyOf(location, ends, limit)) ?? null;
}

/** Gathers a diff while it is made, to be remembered if it is small and was seen to its end. */
export class DiffNotes {
  readonly #key: string | null;
  #files: ChangedFile[] = [];
  #output: Buffer[] = [];
  #bytes = 0;

  constructor(location: RepoLocation, ends: Ends, limit: number) {
    this.#key = isId(ends.base) && isId(ends.head) ? keyOf(location, ends, limit) : null;
  }

  /** What git printed next. */
  output(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#isWanted()) return void this.#output.push(chunk);
    this.#output = [];
    this.#files = [];
  }

  add(file: ChangedFile): void {
    if (this.#isWanted()) this.#files.push(file);
  }

  end(): void {
    if (this.#key === null || !this.#isWanted()) return;
    const [oldest] = known.keys();
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    const output = Buffer.concat(this.#output);
    // The patches follow an empty field behind all names, which are never empty.
    const names = output.indexOf("\0\0");
    known.set(this.#key, { files: this.#files, text: names < 0 ? "" : patchIn(output.subarray(names + 2)) });
  }

  #isWanted(): boolean {
    return this.#key !== null && this.#bytes <= MOST_BYTES;
  }
}

function keyOf({ commonDir }: RepoLocation, { base, head }: Ends, limit: number): string {
  return [commonDir, base, head, limit].join("\0");
}
