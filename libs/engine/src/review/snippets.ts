import type { Finding } from "@anneal/types";
import type { Watched } from "./watched.ts";

const LONGEST_SNIPPET = 20;

/** Gives findings that name a location the code there: the base of their identity over rounds. */
export async function withSnippets(
  findings: readonly Finding[],
  change: Pick<Watched, "blobOf" | "content">,
): Promise<Finding[]> {
  const wanting = findings.flatMap((finding) => blobOf(finding, change) ?? []);
  const lines = new Map<string, readonly string[]>();
  // One file at a time is read and divided, however many findings it has.
  for (const blob of new Set(wanting)) lines.set(blob, (await change.content(blob))?.split(/\r?\n/) ?? []);
  return findings.map((finding) => withSnippet(finding, lines.get(blobOf(finding, change) ?? "")));
}

/** Where its code is, if it names a location and does not show the code itself. */
function blobOf({ file, line, snippet }: Finding, change: Pick<Watched, "blobOf">): string | undefined {
  return snippet !== undefined || line === undefined || file === undefined ? undefined : change.blobOf(file);
}

function withSnippet(finding: Finding, lines: readonly string[] | undefined): Finding {
  const { line } = finding;
  if (line === undefined || lines === undefined) return finding;
  const end = Math.min(finding.endLine ?? line, line + LONGEST_SNIPPET - 1);
  const snippet = lines.slice(line - 1, end).join("\n");
  return snippet.trim() === "" ? finding : { ...finding, snippet };
}
