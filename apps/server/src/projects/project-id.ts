import { createHash } from "node:crypto";
import { basename } from "node:path";

/** A short name for a project that says which one it is and stays the same: its folder's name, and a part of a hash of its path. */
export function projectId(root: string): string {
  const name = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  const hash = createHash("sha256").update(root).digest("hex").slice(0, 8);
  return `${name === "" ? "project" : name}-${hash}`;
}
