import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { RepoLocation } from "../../run/repo-location.ts";

const FILES = {
  MERGE_HEAD: "merge",
  CHERRY_PICK_HEAD: "cherry-pick",
  REVERT_HEAD: "revert",
  "rebase-merge": "rebase",
  "rebase-apply/rebasing": "rebase",
  "rebase-apply/applying": "am",
} as const;

/** The git commands that were begun in a work tree and neither finished nor given up. */
export async function unfinished({ gitDir }: RepoLocation): Promise<string[]> {
  const begun = Object.entries(FILES).filter(([file]) => isThere(join(gitDir, file)));
  return begun.map(([, command]) => command);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
