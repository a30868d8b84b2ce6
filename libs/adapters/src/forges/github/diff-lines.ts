import type { GithubClient } from "./client/client.ts";
import { maybeText, textOf } from "./client/fields.ts";

/** By file, the lines of its new side that stand in the diff, and so can carry a comment. */
export async function diffLines(client: GithubClient, number: number): Promise<Map<string, Set<number>>> {
  const files = await client.list(client.path("pulls", number, "files"));
  return new Map(files.map((file) => [textOf(file, "filename"), linesOf(maybeText(file, "patch") ?? "")]));
}

function linesOf(patch: string): Set<number> {
  const found = new Set<number>();
  let line = 0;
  for (const text of patch.split("\n")) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text)?.[1];
    if (start !== undefined) line = Number(start);
    else if (text.startsWith("+") || text.startsWith(" ")) found.add(line++);
  }
  return found;
}
