import type { ApiFinding } from "@anneal/types";
import { expect, test } from "vitest";
import type { LineComment } from "../../../../store/review-store.ts";
import { asNote, noteWith, tellable } from "./comments.ts";

const comment = (change: Partial<LineComment> = {}): LineComment => ({
  id: "1",
  file: "a.ts",
  line: 4,
  side: "new",
  at: "head",
  text: "Say why.",
  ...change,
});

test.for([
  { of: comment(), note: "a.ts, line 4: Say why." },
  { of: comment({ at: "2" }), note: "a.ts, line 4 in round 2: Say why." },
  { of: comment({ side: "old" }), note: "a.ts, line 4 before the change: Say why." },
])("the fixer reads “$note”", ({ of, note }) => {
  expect(asNote(of)).toBe(note);
});

test.for([
  { note: "", comments: [], told: "" },
  { note: "Once more.", comments: [], told: "Once more." },
  { note: "", comments: [comment()], told: "a.ts, line 4: Say why." },
  {
    note: "Once more.",
    comments: [comment(), comment({ line: 9 })],
    told: "Once more.\n\na.ts, line 4: Say why.\n\na.ts, line 9: Say why.",
  },
])("a note “$note” takes $comments.length comments along", ({ note, comments, told }) => {
  expect(noteWith(note, comments)).toBe(told);
});

const finding = (fingerprint: string, file: string, line: number | undefined, actions: string[]) =>
  ({ fingerprint, finding: { file, line }, actions }) as unknown as ApiFinding;
const open = ["dismiss", "tell"];

test.for([
  { what: "the nearest open one of the file", line: 12, findings: [3, 10, 40], goes: "10" },
  { what: "none where the file has none", line: 12, findings: [], goes: null },
])("a comment goes at once with a finding: $what", ({ line, findings, goes }) => {
  const all = [
    finding("elsewhere", "b.ts", line, open),
    finding("settled", "a.ts", line, ["reopen"]),
    ...findings.map((at) => finding(String(at), "a.ts", at, open)),
  ];
  expect(tellable(all, { file: "a.ts", line })?.fingerprint ?? null).toBe(goes);
});
