import type { ChangedFile, Coverage } from "@anneal/types";
import type { Change } from "../ports.ts";

/** The files of a change that have text to judge, or none that could be missed; and those that have not, and why. */
export async function textFiles(change: Change): Promise<{ files: ChangedFile[]; coverage: Coverage }> {
  const files: ChangedFile[] = [];
  const skipped: Coverage["skipped"] = [];
  for await (const file of change.files()) {
    // A rename, a change of mode or an empty file has no text that could be missed.
    const whole = file.skipped === undefined || file.oldBlob === file.newBlob || file.skipped === "empty file";
    if (whole) files.push(file);
    else skipped.push({ file: file.path, reason: file.skipped ?? "" });
  }
  return { files, coverage: { reviewed: files.map(({ path }) => path), skipped } };
}
