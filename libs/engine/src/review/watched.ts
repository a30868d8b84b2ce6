import type { Change } from "@anneal/adapters";
import type { ChangedFile, Region } from "@anneal/types";

/** A change that remembers what passed by, so that the diff is made only once. */
export interface Watched extends Change {
  /** The lines that the change touches, on the new side. */
  regions(): Region[];
  blobOf(file: string): string | undefined;
}

export function watched(change: Change): Watched {
  const files = new Map<string, { blob: string; ranges: [number, number][] }>();
  return {
    bounds: change.bounds,
    content: (blob) => change.content(blob),
    ...(change.whole === undefined ? {} : { whole: change.whole }),
    async *files() {
      for await (const file of change.files()) {
        files.set(file.path, { blob: file.newBlob, ranges: rangesOf(file) });
        yield file;
      }
    },
    regions: () => [...files].map(([file, { ranges }]) => ({ file, ranges })),
    blobOf: (file) => files.get(file)?.blob,
  };
}

function rangesOf({ hunks }: ChangedFile): [number, number][] {
  return hunks.map(({ newStart, newLines }) => [newStart, newStart + Math.max(newLines, 1) - 1]);
}
