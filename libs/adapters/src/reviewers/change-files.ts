import { coverageOf } from "@anneal/core/unseen";
import type { ChangedFile, Coverage } from "@anneal/types";
import type { Change } from "../ports.ts";

/** The files of a change that have text to judge, or none that could be missed; and those that have not, and why. */
export async function textFiles(change: Change): Promise<{ files: ChangedFile[]; coverage: Coverage }> {
  const all = await allFiles(change);
  const coverage = await coverageOf(all);
  const reviewed = new Set(coverage.reviewed);
  return { files: all.filter(({ path }) => reviewed.has(path)), coverage };
}

export async function allFiles(change: Change): Promise<ChangedFile[]> {
  const files: ChangedFile[] = [];
  for await (const file of change.files()) files.push(file);
  return files;
}
