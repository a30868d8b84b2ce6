import { expect, test } from "vitest";
import { isError } from "./transcript-errors.ts";

test.for([
  { kind: "result", text: "failed: run the tests", error: true },
  { kind: "result", text: "<tool_use_error>File has not been read</tool_use_error>", error: true },
  { kind: "result", text: "2 tests ran\nexit code 1", error: true },
  { kind: "result", text: "Exited with code: 137", error: true },
  { kind: "result", text: "at line 3\nTypeError: x is not a function", error: true },
  { kind: "note", text: "API Error: overloaded", error: true },
  { kind: "result", text: "exit 2\nno such file", error: true },
  { kind: "result", text: "exit 0\nall went well", error: false },
  { kind: "result", text: "#!/bin/sh\nexit 1", error: false },
  { kind: "result", text: "completed: run the tests", error: false },
  { kind: "result", text: "exit code 0", error: false },
  { kind: "result", text: "  throw new Error(why);", error: false },
  { kind: "result", text: "Read src/errors.ts", error: false },
  { kind: "note", text: "I wonder whether the error is real.", error: false },
  { kind: "text", text: "Error: this is what the user sees.", error: false },
  { kind: "tool", text: "error.ts", error: false },
] as const)("a $kind “$text” is an error: $error", ({ kind, text, error }) => {
  expect(isError({ kind, text })).toBe(error);
});
