import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git } from "../../run/run.ts";
import { packedRefs } from "./head-file.ts";
import { isId } from "./known-commits.ts";

/** A name that git has for something. */
export interface Ref {
  /** Below the folder that was asked for. */
  name: string;
  at: string;
}

/** All refs of a folder, such as `refs/heads/`. */
export async function refs(location: RepoLocation, folder: string): Promise<Ref[]> {
  const found = [...(refsOnDisk(location) ?? [])].filter(([name]) => name.startsWith(folder));
  // A ref that stands for another one, or is being written, is a question for git, and so is a folder without refs.
  if (found.length > 0 && found.every(([name, at]) => isId(at) && !name.endsWith(".lock")))
    return found.map(([name, at]) => ({ name: name.slice(folder.length), at })).sort(byName);
  const { root } = location;
  const listed = await git({ cwd: root, args: ["for-each-ref", "--format=%(objectname) %(refname)", folder] });
  const lines = listed.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [at = "", name = ""] = line.split(" ");
    return { name: name.slice(folder.length), at };
  });
}

function byName(a: Ref, b: Ref): number {
  return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}

/** Every ref of a repository with what it leads to, as git's own files say it; null where they cannot be read that way. */
export function refsOnDisk(location: Pick<RepoLocation, "commonDir">): Map<string, string> | null {
  const packed = packedRefs(location);
  if (packed === null) return null;
  const found = new Map<string, string>();
  for (const [, target = "", name = ""] of packed.matchAll(/^([0-9a-f]+) (\S+)$/gm)) found.set(name, target);
  try {
    // A loose ref counts more than a packed one of its name.
    for (const { path, target } of looseRefs(join(location.commonDir, "refs")))
      found.set(relative(location.commonDir, path), target);
    return found;
  } catch {
    return null;
  }
}

function looseRefs(folder: string): { path: string; target: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) return [];
    // A pipe would never end.
    if (!entry.isFile())
      return [{ path, target: entry.isSymbolicLink() ? `link to ${readlinkSync(path)}` : "no file" }];
    return [{ path, target: readFileSync(path, "utf8").trim() }];
  });
}
