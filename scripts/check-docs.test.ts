import { expect, test } from "vitest";
import { docProblems } from "./check-docs.ts";

const FILES = ["ARCHITECTURE.md", "docs/how/loop.md", "docs/board.md", "libs/core/src/loop/loop.ts"];
const LOOP = '# The loop\n\n## Rounds, and limits\n\n<a id="own"></a>\n';

test.for([
  { name: "a file", text: "`libs/core/src/loop/loop.ts`", says: [] },
  { name: "a folder", text: "`libs/core/src/loop/`", says: [] },
  { name: "the end of a path", text: "`loop/loop.ts`", says: [] },
  { name: "a pattern", text: "`libs/core/src/*/*.ts`", says: [] },
  { name: "names of many things", text: "`libs/{id}/src` and `libs/…/x.ts`", says: [] },
  { name: "a command", text: "`npm run check`", says: [] },
  { name: "a code block", text: "```\n`libs/gone/`\n[x](gone.md)\n```", says: [] },
  {
    name: "a file that is gone",
    text: "\n`libs/core/gone.ts`",
    says: ["ARCHITECTURE.md:2: `libs/core/gone.ts` does not exist"],
  },
  { name: "a folder that is gone", text: "`libs/gone/`", says: ["ARCHITECTURE.md:1: `libs/gone/` does not exist"] },
  { name: "a name without a file", text: "`gone.ts`", says: ["ARCHITECTURE.md:1: `gone.ts` does not exist"] },
  {
    name: "a pattern without a file",
    text: "`libs/*/gone.ts`",
    says: ["ARCHITECTURE.md:1: `libs/*/gone.ts` does not exist"],
  },
  {
    name: "links to a page, a heading and an anchor",
    text: "[a](docs/how/loop.md) [b](docs/how/loop.md#rounds-and-limits) [c](docs/how/loop.md#own)",
    says: [],
  },
  { name: "a link elsewhere", text: "[a](https://example.org/gone.md)", says: [] },
  {
    name: "a link to no file",
    text: "[a](docs/gone.md)",
    says: ["ARCHITECTURE.md:1: the link docs/gone.md leads to no file"],
  },
  {
    name: "a link to no heading",
    text: "[a](docs/how/loop.md#gone)",
    says: ["ARCHITECTURE.md:1: the link docs/how/loop.md#gone leads to no heading of docs/how/loop.md"],
  },
])("$name", ({ text, says }) => {
  const docs = [
    { path: "ARCHITECTURE.md", text },
    { path: "docs/how/loop.md", text: LOOP },
  ];
  expect(docProblems(docs, FILES)).toEqual(says);
});

test("a page for users may name files of their own, and its links are checked", () => {
  const text = "`libs/yours.ts`\n[a](how/gone.md)";
  expect(docProblems([{ path: "docs/board.md", text }], FILES)).toEqual([
    "docs/board.md:2: the link how/gone.md leads to no file",
  ]);
});
