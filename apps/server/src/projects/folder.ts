import { statSync } from "node:fs";

/** A folder as it is now: by what it is, not by its name, which another one can take. */
export function folderAt(path: string): { isThere(): boolean } {
  const first = identityOf(path);
  return { isThere: () => first !== null && identityOf(path) === first };
}

function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
