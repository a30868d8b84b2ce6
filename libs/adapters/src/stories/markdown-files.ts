import { readdir } from "node:fs/promises";
import { join } from "node:path";

const SKIPPED = new Set(["node_modules", "dist", "build", "target", "vendor", "coverage"]);
const DEEPEST = 12;

/** The markdown files of a repository, relative and sorted. Links, hidden folders and built things are not entered. */
export async function markdownFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  let level = [""];
  for (let depth = 0; level.length > 0 && depth < DEEPEST; depth++) {
    const listings = await Promise.all(level.map((folder) => listed(root, folder)));
    found.push(...listings.flatMap(({ files }) => files));
    level = listings.flatMap(({ folders }) => folders);
  }
  return found.sort();
}

async function listed(root: string, folder: string): Promise<{ files: string[]; folders: string[] }> {
  // A folder that cannot be read holds nothing that we could show.
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const path = (name: string) => (folder === "" ? name : `${folder}/${name}`);
  return {
    files: entries.filter((entry) => entry.isFile() && /\.md$/i.test(entry.name)).map(({ name }) => path(name)),
    folders: entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name))
      .map(({ name }) => path(name)),
  };
}
