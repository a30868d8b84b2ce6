import { lstatSync } from "node:fs";

/** What stands at a path, without following it. */
export function folderKind(path: string): "folder" | "other" | "nothing" {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return "nothing";
  return entry.isDirectory() ? "folder" : "other";
}

export function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
