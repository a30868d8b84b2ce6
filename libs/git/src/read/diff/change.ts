import type { ChangeBounds, ChangedFile } from "@anneal/types";

/** A change to judge: its ends, its files as a stream, and the content behind them. */
export interface Change {
  bounds: ChangeBounds;
  /** Streams the changed files in git's order; may be called again, and then reads again. */
  files(): AsyncIterable<ChangedFile>;
  /** The text of a blob, or null where it is missing, too large to read or no text. */
  content(blob: string): Promise<string | null>;
  /** Everything that the change ends in; not there where only the change itself is at hand. */
  whole?: {
    /** The top of the work tree. */
    root: string;
    /** The paths of all files at the head, from the top. */
    files(): Promise<string[]>;
  };
}
