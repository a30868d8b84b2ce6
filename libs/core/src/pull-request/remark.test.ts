import { describe, expect, test } from "vitest";
import { sortRemark } from "./remark.ts";

const inline = { on: "line", demanded: false } as const;
const whole = { on: "whole", demanded: false } as const;
const demanded = { on: "whole", demanded: true } as const;

describe("a remark on a pull request", () => {
  test.for([
    "Please rename this.",
    "Rename this to `total`.",
    "Can you add a test for the empty cart?",
    "Could you please split this up?",
    "Would you mind moving this to its own file?",
    "This should be a constant.",
    "This needs a guard against null.",
    "You must not log the password here.",
    "This crashes when the list is empty.",
    "Off-by-one error in the loop.",
    "The handle is never closed.",
    "SQL injection here: the name goes straight into the query",
    "N+1 queries",
    "Don't swallow the error.",
    "Nice work! But please handle the error.",
    "LGTM apart from the missing test.",
    "What does this do? Please document it.",
    "1. Add a test\n2. Remove the log line",
    "- use a map",
    "nit: trailing space",
    "[critical] tokens end up in the log",
    "issue (blocking): wrong status code",
    "suggestion: a map would be clearer",
    "todo: error message",
    "```suggestion\nconst total = 0;\n```",
    "Looks good.\n```suggestion\nconst total = 0;\n```",
  ])("asks for a change: %j", (text) => {
    expect(sortRemark(text, whole).want).toBe("change");
  });

  test.for([
    "Why?\r\n\r\n```js\r\nplease remove this\r\n```\r\n",
    "Why is this needed?",
    "What happens if the list is empty?",
    "Is this tested anywhere?",
    "Shouldn't this be >=?",
    "Can you explain this?",
    "Nice. How long does it take?",
    "question: is this the right place",
    "> please rename this\n\nWhy?",
    "Does `please remove()` do the same?",
  ])("asks for an answer: %j", (text) => {
    expect(sortRemark(text, inline).want).toBe("answer");
  });

  test.for([
    "I wonder whether a queue would fit better.",
    "Let's discuss the overall approach.",
    "Maybe we should use a map?",
    "What do you think about events instead?",
    "Not sure that this belongs here.",
    "This is out of scope.",
    "thought: a table would do",
    "The release is on Thursday.",
  ])("leaves a decision to people: %j", (text) => {
    expect(sortRemark(text, whole).want).toBe("decision");
  });

  test.for([
    "LGTM",
    "👍",
    "Nice work!",
    "Thanks, looks good to me.",
    "Great catch. Love it.",
    "+1",
    "praise: what a clean test",
    "No bugs found, well done.",
    "Nothing wrong here.",
    "note: merged upstream already",
    "",
    "> please rename this",
    "<!-- please delete everything -->",
    "```\nplease remove this\n```",
  ])("wants nothing: %j", (text) => {
    expect(sortRemark(text, whole).want).toBe("nothing");
  });

  test("that fits no rule asks for a change on a line or in a review that demands one, and goes to people elsewhere", () => {
    const text = "Two maps, one list.";
    expect([inline, whole, demanded].map((place) => sortRemark(text, place).want)).toEqual([
      "change",
      "decision",
      "change",
    ]);
  });

  test.for([
    { text: "critical: the key is in the log", severity: "critical" },
    { text: "[High] wrong total", severity: "high" },
    { text: "**Medium**: duplicated code", severity: "medium" },
    { text: "P3: spacing", severity: "low" },
    { text: "Low: spacing", severity: "low" },
    { text: "suggestion: use a map", severity: "info" },
    { text: "Suggestion (non-blocking): use a map", severity: "info" },
    { text: "issue (blocking): use a map", severity: "high" },
    { text: "nit: spacing", severity: "low" },
    { text: "Fix the typo.", severity: "low" },
    { text: "This is an XSS vulnerability.", severity: "high" },
    { text: "This leaks file handles.", severity: "high" },
    { text: "Please fix. Severity: low", severity: "low" },
    { text: "Please rename this.", severity: "medium" },
  ])("has the severity $severity by its words: $text", ({ text, severity }) => {
    expect(sortRemark(text, inline).severity).toBe(severity);
  });

  test("of a review that asks for changes is high unless it says otherwise", () => {
    expect(sortRemark("Please rename this.", demanded).severity).toBe("high");
    expect(sortRemark("nit: rename this.", demanded).severity).toBe("low");
  });

  test.for([
    { text: "Escape the name before it goes into the query.", category: "security" },
    { text: "This is an N+1 query.", category: "performance" },
    { text: "Add a test.", category: "testing" },
    { text: "Document the parameter.", category: "documentation" },
    { text: "Rename this.", category: "style" },
    { text: "Extract this into a module.", category: "architecture" },
    { text: "Wrong total.", category: "logic" },
  ])("is about $category: $text", ({ text, category }) => {
    expect(sortRemark(text, inline).category).toBe(category);
  });

  test("with a suggestion block hands over its code", () => {
    const text = "Like this:\n```suggestion\nconst total = 0;\nreturn total;\n```\n";
    expect(sortRemark(text, inline)).toMatchObject({ want: "change", suggestion: "const total = 0;\nreturn total;" });
  });

  test("that is long and hostile is sorted in time that grows with its length", () => {
    for (const piece of [
      "`",
      "> ",
      "```\n",
      "<!--",
      "a.",
      "* ",
      "no ",
      "should ",
      "[a]",
      "please\n",
      "(",
      "~~~\n",
      "\n",
      "a?\n",
    ]) {
      expect(sortRemark(piece.repeat(30_000 / piece.length), whole).severity).toBeDefined();
    }
  });
});
