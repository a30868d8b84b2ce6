import { expect, test } from "vitest";
import { checksText } from "./checks-text.ts";

test.for([
  { testCommand: "npm test", result: "passed", says: "npm test: passed" },
  { testCommand: ["go", "test"], result: "failed", says: "go test: failed" },
  { testCommand: "npm test", result: "not-run", says: "npm test: not run" },
  { testCommand: null, result: "not-configured", says: "none configured" },
  { testCommand: null, result: "not-run", says: "not run" },
  { testCommand: null, result: "passed", says: "no test command; the unit's own commands passed" },
] as const)("$testCommand, $result → $says", ({ says, testCommand, result }) => {
  const command = typeof testCommand === "string" || testCommand === null ? testCommand : [...testCommand];
  expect(checksText({ testCommand: command, result })).toBe(says);
});
