import { isAfter, LAST_PART, type StreamPosition } from "./cursor.ts";
import type { StreamFrame } from "./frames.ts";

const MOST_FRAMES = 4_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** The last frames of a project, so that listeners who come back after a short while do not have the log replayed for each of them. */
export class Recent {
  readonly #frames: StreamFrame[] = [];
  #characters = 0;
  /** All frames after this place are here. */
  #from: StreamPosition;

  constructor(lastSeq: number) {
    this.#from = { seq: lastSeq, part: LAST_PART };
  }

  add(frame: StreamFrame): void {
    this.#frames.push(frame);
    this.#characters += frame.opened.length;
    if (this.#frames.length <= 2 * MOST_FRAMES && this.#characters <= 2 * MOST_CHARACTERS) return;
    this.#forget();
  }

  /** At most so many frames after a place; null where that is too long ago. */
  after(place: StreamPosition, most: number): StreamFrame[] | null {
    if (isAfter(this.#from, place)) return null;
    const first = this.#firstAfter(place);
    return this.#frames.slice(first, first + most);
  }

  /** Half of them at a time: an array gives its first elements away slowly. */
  #forget(): void {
    let gone = 0;
    while (
      gone < this.#frames.length &&
      (this.#frames.length - gone > MOST_FRAMES || this.#characters > MOST_CHARACTERS)
    ) {
      this.#characters -= this.#frames[gone]?.opened.length ?? 0;
      gone += 1;
    }
    const last = this.#frames[gone - 1];
    this.#frames.splice(0, gone);
    if (last !== undefined) this.#from = { seq: last.seq, part: last.part };
  }

  #firstAfter(place: StreamPosition): number {
    let [low, high] = [0, this.#frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const frame = this.#frames[middle];
      if (frame === undefined || isAfter(frame, place)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
