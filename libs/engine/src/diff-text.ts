import type { Change } from "@anneal/adapters";
import type { ChangedFile, Coverage } from "@anneal/types";

/** The change as a unified diff for a prompt, and what of it is not in there. */
export async function diffText(change: Change): Promise<{ text: string; coverage: Coverage }> {
  const parts: string[] = [];
  const coverage: Coverage = { reviewed: [], skipped: [] };
  for await (const file of change.files()) {
    parts.push(fileText(file));
    if (file.skipped === undefined || hasNoText(file)) coverage.reviewed.push(file.path);
    else coverage.skipped.push({ file: file.path, reason: file.skipped });
  }
  return { text: parts.join("\n"), coverage };
}

/** A rename, a change of mode or an empty file has no text that could have been missed. */
function hasNoText({ oldBlob, newBlob, skipped }: ChangedFile): boolean {
  return oldBlob === newBlob || skipped === "empty file";
}

function fileText(file: ChangedFile): string {
  const before = file.status === "added" ? "/dev/null" : `a/${file.oldPath ?? file.path}`;
  const after = file.status === "deleted" ? "/dev/null" : `b/${file.path}`;
  const head = [`diff --git a/${file.oldPath ?? file.path} b/${file.path}`, `--- ${before}`, `+++ ${after}`];
  if (file.skipped !== undefined) return [...head, `(not shown: ${file.skipped})`].join("\n");
  const hunks = file.hunks.flatMap((h) => [
    `@@ -${h.oldStart},${h.oldLines} +${h.newStart},${h.newLines} @@`,
    ...h.lines,
  ]);
  return [...head, ...hunks].join("\n");
}
