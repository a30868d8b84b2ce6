/** The files of a change that are not among those shown, one per line; folders with counts where that would be too long. */
export function otherFiles(files: readonly string[], shown: ReadonlySet<string>, mostBytes: number): string {
  const others = files.filter((file) => !shown.has(file));
  const fitting = [
    others,
    countedBy(others, Number.POSITIVE_INFINITY),
    countedBy(others, 2),
    countedBy(others, 1),
  ].find((lines) => Buffer.byteLength(lines.join("\n")) <= mostBytes);
  return (fitting ?? [`${others.length} files`]).join("\n");
}

function countedBy(files: readonly string[], depth: number): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = file.split("/").slice(0, -1).slice(0, depth).join("/");
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([folder, count]) => `${folder === "" ? "." : folder}/ (${count} files)`);
}
