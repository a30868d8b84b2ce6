import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";

/** Every file of a folder by its path, with its mode and what is in it. */
export function digest(folder: string, at = folder): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    const path = join(at, entry.name);
    if (entry.isDirectory()) Object.assign(found, digest(folder, path));
    else {
      const content = entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
      found[relative(folder, path)] = `${lstatSync(path).mode} ${createHash("sha256").update(content).digest("hex")}`;
    }
  }
  return found;
}

/** The paths at which two of them differ, sorted. */
export function differing(before: Record<string, string>, after: Record<string, string>): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}
