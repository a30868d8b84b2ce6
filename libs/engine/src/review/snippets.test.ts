import type { Finding } from "@anneal/types";
import { expect, test } from "vitest";
import { withChange } from "./reviewers/testing/reviewed.ts";
import { withSnippets } from "./snippets.ts";
import { watched } from "./watched.ts";

const at = (line: number, more: Partial<Finding> = {}): Finding => ({
  category: "logic",
  severity: "low",
  title: "t",
  description: "d",
  file: "a.ts",
  line,
  ...more,
});

test("each file is read once, however many findings stand in it", async () => {
  const text = Array.from({ length: 50 }, (_, n) => `line ${n + 1}`).join("\r\n");
  const reads: string[] = [];
  const findings = await withChange({ "b.ts": "" }, { "a.ts": text }, async (change) => {
    const counting = {
      ...change,
      content: (blob: string) => {
        reads.push(blob);
        return change.content(blob);
      },
    };
    const seen = watched(counting);
    for await (const _ of seen.files());
    const lines = Array.from({ length: 50 }, (_, n) => at(n + 1));
    return await withSnippets([...lines, at(2, { endLine: 3 }), at(1, { snippet: "own" }), at(99)], seen);
  });
  expect(reads).toHaveLength(1);
  expect(findings.map(({ snippet }) => snippet).slice(48)).toEqual([
    "line 49",
    "line 50",
    "line 2\nline 3",
    "own",
    undefined,
  ]);
});
