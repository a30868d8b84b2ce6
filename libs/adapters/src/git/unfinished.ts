import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "./place.ts";

const FILES = { MERGE_HEAD: "merge", CHERRY_PICK_HEAD: "cherry-pick", REVERT_HEAD: "revert" } as const;

/** The git commands that were begun in a work tree and neither finished nor given up. */
export async function unfinished({ gitDir }: Place): Promise<string[]> {
  const begun = Object.entries(FILES).map(async ([file, command]) =>
    lstat(join(gitDir, file)).then(
      () => [command],
      () => [],
    ),
  );
  return (await Promise.all(begun)).flat();
}
