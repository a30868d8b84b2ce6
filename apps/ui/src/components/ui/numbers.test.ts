import { expect, test } from "vitest";
import { counted } from "./numbers.ts";

test.for([
  { n: 0, says: "0 files" },
  { n: 1, says: "1 file" },
  { n: 12_000, says: "12,000 files" },
])("$n: $says", ({ n, says }) => {
  expect(counted(n, "file")).toBe(says);
});

test("a word that does not take an s", () => {
  expect([counted(1, "fix", "fixes"), counted(2, "fix", "fixes")]).toEqual(["1 fix", "2 fixes"]);
});
