import type { ChangedFile, Coverage } from "@anneal/types";

/** Why the text of a file was not shown to whoever is shown git's patch and ours; undefined where it was, or where there is none. */
export function notShown(file: ChangedFile): string | undefined {
  const { oldBlob, newBlob, skipped, opaque } = file;
  if (isContentElsewhere(file)) return "its content is not in git but in git LFS";
  if (opaque === true) return `${skipped}, and nobody has read its bytes`;
  // A rename, a change of mode or an empty file has no text that could have been missed.
  return oldBlob === newBlob || skipped === "empty file" ? undefined : skipped;
}

/** What of a change can be shown, and what cannot, and why. */
export async function coverageOf(files: AsyncIterable<ChangedFile> | Iterable<ChangedFile>): Promise<Coverage> {
  const coverage: Coverage = { reviewed: [], skipped: [] };
  for await (const file of files) {
    const reason = notShown(file);
    if (reason === undefined) coverage.reviewed.push(file.path);
    else coverage.skipped.push({ file: file.path, reason });
  }
  return coverage;
}

const LFS_POINTER = "version https://git-lfs.github.com/spec/";

function isContentElsewhere({ hunks, status }: ChangedFile): boolean {
  const [first] = hunks;
  if (status === "deleted" || first === undefined || first.newStart !== 1) return false;
  const now = first.lines.find((line) => !line.startsWith("-")) ?? "";
  return now.slice(1).startsWith(LFS_POINTER);
}
