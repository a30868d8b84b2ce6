import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git } from "../scratch.ts";

export const DESCRIPTION = "It does what was asked. ".repeat(40);

/** A repository with so many features that nobody has touched for long. */
export function boardOf(root: string, count: number): string {
  mkdirSync(root, { recursive: true });
  git(root, "init", "--quiet", "--initial-branch=main");
  git(root, "commit", "--quiet", "--allow-empty", "--message", "start");
  for (let n = 0; n < count; n += 1) {
    const id = `feature-1767960000000-${String(n).padStart(9, "0")}`;
    const file = join(root, ".automaker/features", id, "feature.json");
    mkdirSync(dirname(file), { recursive: true });
    const common = { id, title: `Feature number ${n}`, category: "Uncategorized", description: DESCRIPTION };
    writeFileSync(file, JSON.stringify({ ...common, status: "backlog", priority: n % 3 }, null, 2));
    utimesSync(file, 1, 1);
  }
  return root;
}

/** What any durable write needs: the bytes on disk, then in their place, then that on disk too. */
export function writeBare(path: string, text: string): void {
  const file = openSync(`${path}.tmp`, "w");
  writeFileSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}
