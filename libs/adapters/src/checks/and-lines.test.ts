import { expect, test } from "vitest";
import { behindRed } from "./and-lines.ts";

test.for<{ line: string; behind: string[] }>([
  { line: "npm test && npm run lint", behind: ["npm test || :; npm run lint"] },
  { line: "a && b && c", behind: ["a || :; b", "a || :; b || :; c"] },
  {
    line: "cd app && pytest -q && ruff check .",
    behind: ["cd app && pytest -q", "cd app && pytest -q || :; ruff check ."],
  },
  { line: "CI=1 pytest && cd app && ruff check .", behind: ["CI=1 pytest || :; cd app && ruff check ."] },
  { line: "echo 'a && b' && c", behind: ["echo 'a && b' || :; c"] },
  { line: "pytest", behind: [] },
  { line: "pytest # && ruff check .", behind: [] },
  { line: "a && b; c", behind: [] },
  { line: "a && b || c", behind: [] },
  { line: "a && $B", behind: [] },
  { line: "a && (b)", behind: [] },
  { line: "if a && b", behind: [] },
  { line: "! a && b", behind: [] },
  { line: "a && exit 3", behind: [] },
  { line: "a\nb && c", behind: [] },
  { line: "a && 'b", behind: [] },
  { line: "a &&", behind: [] },
])("behind a red program of a shell's line: $line", ({ line, behind }) => {
  expect(behindRed(["bash", "-ec", line])).toEqual(behind.map((one) => ["bash", "-ec", one]));
});

test("only a shell joins programs", () => {
  expect(behindRed(["echo", "-c", "a && b"])).toEqual([]);
  expect(behindRed(["sh", "-c", "a && b", "name"])).toEqual([]);
  expect(behindRed(["/bin/sh", "-e", "-c", "a && b"])).toEqual([["/bin/sh", "-e", "-c", "a || :; b"]]);
});
