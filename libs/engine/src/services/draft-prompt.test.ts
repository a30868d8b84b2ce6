import { expect, test } from "vitest";
import { draftPrompt } from "./draft-prompt.ts";

const fileOf = (path: string, lines: number) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines} @@\n${`+${path} line\n`.repeat(lines)}`;
const args = {
  workItem: { title: "T", description: "D" },
  question: { sourceId: 5, author: "alice", question: "Why?" },
  base: "b".repeat(40),
  head: "c".repeat(40),
  patch: fileOf("small.js", 3) + fileOf("large.js", 5_000) + fileOf("last.js", 3),
};

test("a change that fits is shown whole", () => {
  const prompt = draftPrompt({ ...args, budget: 1_000_000 });
  expect(prompt).toContain(args.patch.trimEnd());
  expect(prompt).not.toContain("## Not Shown");
});

test("of one that does not, the files that fit are shown and the others are named", () => {
  const prompt = draftPrompt({ ...args, budget: 20_000 });
  expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(20_000);
  expect(prompt).toContain("+small.js line");
  expect(prompt).toContain("+last.js line");
  expect(prompt).not.toContain("+large.js line");
  expect(prompt).toMatch(/files of the change that are not in the diff\nlarge\.js\n/);
});
