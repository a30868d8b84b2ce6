import type { Finding } from "@anneal/types";
import type { Watched } from "./watched.ts";

const LONGEST_SNIPPET = 20;

/** Gives findings that name a place the code that stands there: the base of their identity over rounds. */
export async function withSnippets(findings: readonly Finding[], change: Watched): Promise<Finding[]> {
  if (findings.every((finding) => finding.snippet !== undefined)) return [...findings];
  return await Promise.all(findings.map((finding) => withSnippet(finding, change)));
}

async function withSnippet(finding: Finding, change: Watched): Promise<Finding> {
  const { file, line } = finding;
  const blob = file === undefined ? undefined : change.blobOf(file);
  if (finding.snippet !== undefined || line === undefined || blob === undefined) return finding;
  const text = await change.content(blob);
  const end = Math.min(finding.endLine ?? line, line + LONGEST_SNIPPET - 1);
  const snippet = text
    ?.split(/\r?\n/)
    .slice(line - 1, end)
    .join("\n");
  return snippet === undefined || snippet.trim() === "" ? finding : { ...finding, snippet };
}
