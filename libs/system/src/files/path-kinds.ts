import { lstatSync, type Stats } from "node:fs";
import { systemCode } from "./errors.ts";

/** What stands at a path, without following it. */
export function folderKind(path: string): "folder" | "other" | "nothing" {
  const entry = entryAt(path);
  if (entry === undefined) return "nothing";
  return entry.isDirectory() ? "folder" : "other";
}

export function isPlainFile(path: string): boolean {
  return entryAt(path)?.isFile() === true;
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A path that is no folder holds nothing.
    if (systemCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
