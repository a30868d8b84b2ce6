import { cpSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";

/** A folder in the place of the home folder: what is made at its top, or put into a fresh folder, is gone afterwards. */
export interface PrivateHome {
  at: string;
  by: string;
  /** What of the real one is in there, read-only. */
  shown: string[];
  /** Folders that are not: caches, which programs only work with where they can write them. */
  fresh: string[];
}

const CACHES = [".cache", ".npm", ".gradle", ".nuget"];

/**
 * The home folder as a box shows it. Of some files at its top it gets a copy, since programs replace them as a whole. Null where it
 * cannot be covered, because it holds what the box is for.
 */
export function privateHome(
  by: string,
  { HOME = homedir() }: Record<string, string>,
  cwd: string,
  copied: readonly string[],
): PrivateHome | null {
  const at = realFolder(HOME);
  if (at === null || at === sep || at === cwd || at.startsWith(cwd + sep)) return null;
  for (const name of copied) if (isFile(join(at, name))) cpSync(join(at, name), join(by, name), { dereference: true });
  const shown = readdirSync(at).filter((name) => !CACHES.includes(name) && !copied.includes(name));
  return { at, by, shown, fresh: CACHES };
}

function realFolder(path: string): string | null {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
