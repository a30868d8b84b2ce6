import { describe, expect, test } from "vitest";
import { lintTemplate, placeholders, render } from "./render.ts";

describe("render", () => {
  test.for([
    { name: "a placeholder", template: "Hi {who}!", variables: { who: "you" }, text: "Hi you!" },
    { name: "every use of it", template: "{a}{a}", variables: { a: "x" }, text: "xx" },
    {
      name: "a value with braces once",
      template: "{a}",
      variables: { a: "{gitDiff}", gitDiff: "NO" },
      text: "{gitDiff}",
    },
    { name: "a value with its own name once", template: "{a}", variables: { a: "{a}{a}" }, text: "{a}{a}" },
    { name: "a value with dollar signs as it is", template: "{a}", variables: { a: "$& $1 $$" }, text: "$& $1 $$" },
    { name: "no JSON", template: '{"a": 1} { a } {}', variables: { a: "x" }, text: '{"a": 1} { a } {}' },
    {
      name: "no code",
      template: "if (x) { return; } {a.b} {a-b} {1a}",
      variables: { a: "x" },
      text: "if (x) { return; } {a.b} {a-b} {1a}",
    },
    { name: "a variable without value by nothing", template: "[{a}]", variables: { a: undefined }, text: "[]" },
    {
      name: "no inherited property",
      template: "{constructor} {toString}",
      variables: {},
      text: "{constructor} {toString}",
    },
  ])("replaces $name", ({ template, variables, text }) => {
    expect(render(template, variables).text).toBe(text);
  });

  test("reports unknown variables once and leaves them in the text", () => {
    const { text, unknown } = render("{a} {typo} {typo} {other}", { a: "1" });
    expect(unknown).toEqual(["typo", "other"]);
    expect(text).toBe("1 {typo} {typo} {other}");
  });

  test("does not report braces that came in with a value", () => {
    expect(render("{a}", { a: "{nobody}" }).unknown).toEqual([]);
  });

  test("reports variables that the template does not use", () => {
    expect(render("{a}", { a: "1", b: "2" }).unused).toEqual(["b"]);
  });

  test.for([{ value: undefined }, { value: "" }])("notes a variable with the value $value", ({ value }) => {
    expect(render("{spec}", { spec: value }).notes).toEqual(["{spec} has no value here and was left empty."]);
  });
});

describe("lintTemplate", () => {
  test("names each use of an unknown variable with its line and column", () => {
    const template = 'Title: {featureTitle}\r\n{ "json": true }\n  {gitdiff} and {gitdiff}\n';
    expect(lintTemplate(template, ["featureTitle", "gitDiff"])).toEqual([
      { name: "gitdiff", line: 3, column: 3 },
      { name: "gitdiff", line: 3, column: 17 },
    ]);
  });

  test("finds nothing in a template that uses only allowed variables", () => {
    expect(lintTemplate("{a} {b} {a}", ["a", "b"])).toEqual([]);
  });
});

test("placeholders are listed once each in the order of their first use", () => {
  expect(placeholders("{b} {a} {b} {not valid}")).toEqual(["b", "a"]);
});
