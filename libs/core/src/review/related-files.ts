/** Files that are best judged together, in git's order: a file with its tests, within a folder. */
export interface FolderGroup {
  folder: string;
  clusters: string[][];
}

export function groupsOf(paths: readonly string[]): FolderGroup[] {
  const place = new Map(paths.map((path, index) => [path, index]));
  const homes = homesOf(paths);
  const homeOf = (path: string) => place.get(homes.get(path) ?? path) ?? 0;
  const sorted = [...paths].sort((a, b) => homeOf(a) - homeOf(b) || (place.get(a) ?? 0) - (place.get(b) ?? 0));
  const groups: FolderGroup[] = [];
  let last: string | undefined;
  for (const path of sorted) {
    const home = homes.get(path) ?? path;
    const folder = folderOf(home);
    const group = groups.at(-1);
    if (group?.folder !== folder) groups.push({ folder, clusters: [[path]] });
    else if (home === last) group.clusters.at(-1)?.push(path);
    else group.clusters.push([path]);
    last = home;
  }
  return groups;
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** The source that each test of the change belongs to, where only one can be meant. */
function homesOf(paths: readonly string[]): Map<string, string> {
  const sources = new Map<string, string[]>();
  for (const path of paths) {
    const { stem, isTest } = stemOf(path);
    if (!isTest) sources.set(stem, [...(sources.get(stem) ?? []), path]);
  }
  const homes = new Map<string, string>();
  for (const path of paths) {
    const { stem, isTest } = stemOf(path);
    const candidates = isTest ? (sources.get(stem) ?? []) : [];
    const siblings = candidates.filter((source) => folderOf(source) === folderOf(path));
    const [home, ...others] = siblings.length > 0 ? siblings : candidates;
    if (home !== undefined && others.length === 0) homes.set(path, home);
  }
  return homes;
}

const TEST = /^(?:test[_-](.+)|(.+?)(?:[._-](?:test|tests|spec)|Tests?|Spec))$/;

/** A file's name without its kind, and without what makes it a test. */
export function stemOf(path: string): { stem: string; isTest: boolean } {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]*$/, "");
  const found = TEST.exec(name);
  return { stem: (found?.[1] ?? found?.[2] ?? name).toLowerCase(), isTest: found !== null };
}
