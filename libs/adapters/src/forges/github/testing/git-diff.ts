import { spawnSync } from "node:child_process";

export interface DiffFile {
  filename: string;
  patch: string;
  /** Lines of the new side that stand in the patch. */
  lines: Set<number>;
}

/** What a pull request changes, read from git. */
export function gitDiff(dir: string, base: string, head: string): DiffFile[] {
  const { stdout } = spawnSync("git", ["diff", "--no-color", "--no-ext-diff", `${base}...${head}`], {
    cwd: dir,
    encoding: "utf8",
  });
  return stdout.split(/^diff --git .*\n/m).flatMap((part) => {
    const filename = /^\+\+\+ b\/(.*)$/m.exec(part)?.[1];
    const start = part.search(/^@@/m);
    if (filename === undefined || start === -1) return [];
    const patch = part.slice(start).trimEnd();
    const lines = new Set<number>();
    let at = 0;
    for (const line of patch.split("\n")) {
      const begins = /^@@ .*?\+(\d+)/.exec(line)?.[1];
      if (begins !== undefined) at = Number(begins);
      else if (!line.startsWith("-")) lines.add(at++);
    }
    return [{ filename, patch, lines }];
  });
}
