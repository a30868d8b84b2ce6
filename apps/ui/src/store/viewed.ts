/** What was looked at: by loop, then by file, the content that was seen. */
export type Viewed = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A file of a diff as far as these marks need it. */
export interface ViewedFile {
  path: string;
  /** Null where the file is gone. */
  blob: string | null;
}

/** More loops than anybody goes back to; the marks of the others are forgotten. */
const KEPT_LOOPS = 100;

/** A mark holds for a content, not for a name: when a later round changes the file it has not been looked at. */
export function isViewed(all: Viewed, loop: string, { path, blob }: ViewedFile): boolean {
  return all[loop]?.[path] === contentOf(blob);
}

/** The marks with one set or taken away; the loop becomes the newest of those that are kept. */
export function withMark(all: Viewed, loop: string, { path, blob }: ViewedFile, isSet: boolean): Viewed {
  const { [loop]: { [path]: _, ...marks } = {}, ...others } = all;
  const kept = Object.entries(others).slice(1 - KEPT_LOOPS);
  return { ...Object.fromEntries(kept), [loop]: isSet ? { ...marks, [path]: contentOf(blob) } : marks };
}

function contentOf(blob: string | null): string {
  return blob ?? "gone";
}
