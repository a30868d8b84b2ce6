import { expect, test } from "vitest";
import { linesOf } from "./transcript-lines.ts";

test.for([
  { what: "nothing", text: "", lines: [] },
  {
    what: "a word and a tool",
    text: '{"at":1,"by":"claude","kind":"text","text":"I look."}\n{"at":2,"by":"claude","kind":"tool","name":"Read","detail":"a.ts"}\n',
    lines: [
      { number: 1, at: 1, by: "claude", kind: "text", name: "", text: "I look." },
      { number: 2, at: 2, by: "claude", kind: "tool", name: "Read", text: "a.ts" },
    ],
  },
  {
    what: "a line that is still being written",
    text: '{"at":1,"by":"a","kind":"text","text":"x"}\n{"at":2,"by',
    lines: [{ number: 1, at: 1, by: "a", kind: "text", name: "", text: "x" }],
  },
  { what: "no JSON", text: "plain\n", lines: [{ number: 1, at: 0, by: "", kind: "note", name: "", text: "plain" }] },
])("reads $what", ({ text, lines }) => {
  expect(linesOf(text)).toEqual(lines);
});
