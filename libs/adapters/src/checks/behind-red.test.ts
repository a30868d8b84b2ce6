import { describe, expect, test } from "vitest";
import { behindRed } from "./behind-red.ts";

test.for<{ line: string; behind: string[] }>([
  { line: "npm test && npm run lint", behind: ["npm test || :; npm run lint"] },
  { line: "a && b && c", behind: ["a || :; b", "a || :; b || :; c"] },
  { line: "a &&\n  b", behind: ["a || :; b"] },
  { line: "cd app && pytest -q && ruff check .", behind: ["cd app && pytest -q || :; ruff check ."] },
  { line: "CI=1 pytest && cd app && ruff check .", behind: ["CI=1 pytest || :; cd app && ruff check ."] },
  { line: "echo 'a && b' && c", behind: ["echo 'a && b' || :; c"] },
  { line: "pytest", behind: [] },
  { line: "pytest 2>&1", behind: [] },
  { line: ". venv/bin/activate; pytest; ruff check .\n", behind: [] },
  { line: "a; sh -c 'b && c'", behind: ["a || :; sh -c 'b || :; c'"] },
])("behind a red program of a shell's line: $line", ({ line, behind }) => {
  expect(behindRed(["bash", "-c", line])).toEqual({ further: behind.map((one) => ["bash", "-c", one]) });
});

describe("what may end half way hides what cannot be told", () => {
  test.for([
    "pytest # && ruff check .",
    "a && b; c",
    "a && b || c",
    "a || b",
    "a | b",
    "a & b",
    "a && $B",
    "a && (b)",
    "if a && b",
    "if a; then b; fi",
    "! a && b",
    "a && exit 3",
    "a || exit 1; b",
    "set -e; a; b",
    "set -e\na\nb",
    "a\nb && c",
    "f() { a; }; f",
    "a && 'b",
    "a &&",
    "a && sh -c 'b || c'",
    "",
  ])("%s", (line) => {
    expect(behindRed(["bash", "-c", line])).toEqual({ unknown: expect.stringContaining("may end half way") });
  });

  test.for<{ command: [string, ...string[]]; further: string[][] | null }>([
    { command: ["echo", "-c", "a && b"], further: [] },
    { command: ["sh", "run.sh", "-c", "a || b"], further: [] },
    { command: ["sh", "-c", "a && b", "name"], further: null },
    { command: ["/bin/sh", "-e", "-c", "a && b"], further: [["/bin/sh", "-e", "-c", "a || :; b"]] },
    { command: ["env", "bash", "-euo", "pipefail", "-c", "a"], further: [] },
    { command: ["env", "bash", "-c", "a && b"], further: [["env", "bash", "-c", "a || :; b"]] },
    { command: ["bash", "-ec", "a; b"], further: null },
    { command: ["bash", "-euo", "pipefail", "-c", "a; b"], further: null },
    { command: ["bash", "-o", "errexit", "-c", "a; b"], further: null },
    { command: ["bash", "-c", "-e", "a; b"], further: null },
  ])("only a shell has a line: $command", ({ command, further }) => {
    expect(behindRed(command)).toEqual(further === null ? { unknown: expect.any(String) } : { further });
  });
});

test.for<{ command: string[]; stops: string | null }>([
  { command: ["mocha", "--bail"], stops: "--bail" },
  { command: ["npx", "mocha", "-b"], stops: "-b" },
  { command: ["bash", "-c", "cd app && mocha -b"], stops: "-b" },
  { command: ["python3", "-m", "unittest", "-vf"], stops: "-vf" },
  { command: ["python3", "manage.py", "test", "--failfast"], stops: "--failfast" },
  { command: ["go", "test", "-failfast", "./..."], stops: "-failfast" },
  { command: ["npm", "test", "--", "--bail=1"], stops: "--bail=1" },
  { command: ["vitest", "run", "--bail=0"], stops: null },
  { command: ["vitest", "run", "--bail", "0"], stops: null },
  { command: ["cargo", "test", "--no-fail-fast"], stops: null },
  { command: ["python3", "-m", "unittest", "-v"], stops: null },
  { command: ["tar", "-f", "x"], stops: null },
])("the words that stop tests at a failure: $command", ({ command: [program = "", ...args], stops }) => {
  expect(behindRed([program, ...args])).toEqual(
    stops === null ? { further: [] } : { unknown: expect.stringContaining(`with ${stops} tests stop at a failure`) },
  );
});
