import { fileKind } from "@anneal/adapters/builtin/file-kind";
import type { RoundRecords } from "@anneal/core/show";
import type { Repo } from "@anneal/git";
import type { ApiDiffFile, ApiFileMatrix, ChangedFile, Finding, LoopState, Severity } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";

/** The commit that an end of a diff means: only those that the log names can be meant. */
export function commitAt({ base, head, rounds }: LoopState, end: string): string | null {
  if (end === "base") return base;
  if (end === "head") return head;
  return rounds.find(({ number }) => String(number) === end)?.head ?? null;
}

/** Every file that differs between two commits, with what changed in it. */
export async function diffFiles(repo: Repo, base: string, head: string): Promise<ApiDiffFile[]> {
  const blobs = repo.blobs();
  const files: ApiDiffFile[] = [];
  try {
    for await (const file of repo.changedFiles({ base, head, headKind: "commit" })) {
      const blob = file.status === "deleted" ? null : file.newBlob;
      const bytes = blob === null ? 0 : ((await blobs.size(blob)) ?? 0);
      files.push({ ...linesOf(file), ...aboutOf(file), blob, bytes });
    }
  } finally {
    blobs.close();
  }
  return files;
}

/** Which files each round changed, and where its findings are. */
export async function fileMatrix(repo: Repo, { rounds }: RoundRecords): Promise<Omit<ApiFileMatrix, "next">> {
  const columns: { changed: Map<string, ApiDiffFile>; findings: Map<string, Finding[]> }[] = [];
  // One after another: a long loop must not start dozens of git processes at once.
  for (const { round, since } of rounds) {
    const files = await diffFiles(repo, since, round.head);
    columns.push({ changed: new Map(files.map((file) => [file.path, file])), findings: byFile(round.report.findings) });
  }
  const paths = new Set(columns.flatMap(({ changed, findings }) => [...changed.keys(), ...findings.keys()]));
  return {
    rounds: rounds.map(({ round, since }) => ({ number: round.number, head: round.head, since })),
    files: [...paths].sort().map((path) => ({
      path,
      generated: fileKind(path).generated,
      cells: columns.map(({ changed, findings }) => {
        const file = changed.get(path);
        const found = findings.get(path) ?? [];
        const { added = 0, removed = 0 } = file ?? {};
        return { added, removed, changed: file !== undefined, findings: found.length, worst: worstOf(found) };
      }),
    })),
  };
}

function linesOf({ hunks }: ChangedFile): Pick<ApiDiffFile, "added" | "removed"> {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const beginning = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { added: beginning("+"), removed: beginning("-") };
}

function aboutOf(file: ChangedFile): Omit<ApiDiffFile, "added" | "removed" | "blob" | "bytes"> {
  const { path, oldPath, status, skipped } = file;
  const { generated } = fileKind(path);
  return { path, oldPath: oldPath ?? null, status, binary: skipped === "binary", generated, skipped: skipped ?? null };
}

function byFile(findings: readonly Finding[]): Map<string, Finding[]> {
  const files = new Map<string, Finding[]>();
  for (const finding of findings)
    if (finding.file !== undefined) files.set(finding.file, [...(files.get(finding.file) ?? []), finding]);
  return files;
}

function worstOf(findings: readonly Finding[]): Severity | null {
  return SEVERITIES.find((severity) => findings.some((one) => one.severity === severity)) ?? null;
}
