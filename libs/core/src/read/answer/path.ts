/** Where the reviewed files are. */
export interface ReviewedPaths {
  /** Folders that are the top of the repository, as absolute paths: the one that the reviewer read, and the user's own. */
  roots: readonly string[];
  /** The changed files, from the top of the repository. */
  files: readonly string[];
}

/**
 * A path as it is from the top of the repository. One that begins elsewhere is a known folder's, or the one changed file
 * that it ends with; any other stays as it was written: no file is better than a wrong one.
 */
export function whereabouts(
  { roots, files }: ReviewedPaths = { roots: [], files: [] },
  note: (text: string) => void,
): (path: string) => string {
  const tops = roots.map((root) => slashed(root).replace(/\/+$/, "")).toSorted((a, b) => b.length - a.length);
  const names = new Set(tops.map((top) => top.slice(top.lastIndexOf("/") + 1)));
  return (path) => {
    const file = slashed(path.replace(/^file:\/\//, "")).replace(/^(?:\.\/)+/, "");
    if (!/^(?:\/|~\/|[A-Za-z]:\/)/.test(file)) return file;
    const climbs = /(?:^|\/)\.\.(?:\/|$)/.test(file);
    const top = tops.find((one) => one !== "" && !climbs && file.startsWith(`${one}/`));
    const below = top === undefined ? "" : file.slice(top.length + 1);
    if (below !== "") return below;
    const ends = climbs ? [] : files.filter((one) => endsWith(file, one, names));
    const [only] = ends;
    if (only !== undefined && ends.length === 1) return only;
    note(`The absolute path "${file}" could not be made relative to the repository.`);
    return file;
  };
}

/** A name without a folder is found in any folder: it counts only below one that is called like the repository. */
function endsWith(path: string, file: string, names: ReadonlySet<string>): boolean {
  if (!path.endsWith(`/${file}`)) return false;
  return (
    file.includes("/") ||
    names.has(
      path
        .slice(0, -file.length - 1)
        .split("/")
        .at(-1) ?? "",
    )
  );
}

function slashed(path: string): string {
  return path.replace(/\\/g, "/");
}
