import { stat } from "node:fs/promises";

/** Another one whenever a file of git's was written: git never writes into one, but puts a new file in its place. Null where there is none. */
export async function stampOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
}
