import type { ChangedFile } from "@anneal/types";

/** Applies parsed hunks to the old text; throws where a context or removed line is not the one that stands there. */
export function applyHunks(old: string, hunks: ChangedFile["hunks"]): string {
  const source = old === "" ? [] : old.split(/(?<=\n)/);
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    result.push(...source.slice(at, start));
    at = start;
    let last: "kept" | "removed" = "removed";
    for (const line of hunk.lines) {
      const text = `${line.slice(1)}\n`;
      if (line.startsWith("\\")) {
        if (last === "kept") result.push(result.pop()!.replace(/\n$/, ""));
        continue;
      }
      if (!line.startsWith("+") && source[at++]?.replace(/\n?$/, "\n") !== text)
        throw new Error(`no such line: ${line}`);
      last = line.startsWith("-") ? "removed" : "kept";
      if (last === "kept") result.push(text);
    }
  }
  return [...result, ...source.slice(at)].join("");
}
