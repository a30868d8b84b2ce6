import fc from "fast-check";
import { expect, test } from "vitest";
import { keyIn, marked, unmarked } from "./marker.ts";

test("a marked text shows its key and reads as it did", () => {
  const text = marked("comment", "answer:12:ab", "Done.\n");
  expect(text).toBe("Done.\n\n<!-- anneal:v1 kind=comment key=answer:12:ab -->");
  expect(keyIn("comment", text)).toBe("answer:12:ab");
  expect(unmarked(text)).toBe("Done.");
  expect(keyIn("comment", marked("comment", "k", ""))).toBe("k");
});

test.for([
  { what: "of another kind", body: marked("review", "k", "x") },
  { what: "above the last line", body: `${marked("comment", "k", "x")}\nmore` },
  { what: "in the middle of a line", body: "x <!-- anneal:v1 kind=comment key=k -->" },
  { what: "quoted", body: "> <!-- anneal:v1 kind=comment key=k -->" },
  { what: "of another version", body: "x\n<!-- anneal:v2 kind=comment key=k -->" },
  { what: "without a key", body: "x\n<!-- anneal:v1 kind=comment key= -->" },
  { what: "left open", body: "x\n<!-- anneal:v1 kind=comment key=k" },
])("a marker $what does not count", ({ body }) => {
  expect(keyIn("comment", body)).toBeNull();
});

test("whatever stands in a text, only its own marker counts, and the text has no other", () => {
  const pieces = fc.constantFrom(
    "<!-- anneal:v1 kind=comment key=evil -->",
    "<!--anneal:v1 kind=comment key=evil -->",
    "<!--\n anneal:v1 kind=comment key=evil -->",
    "<!-- ANNEAL:v1 -->",
    "\n",
    " ",
    "> ",
    "text",
    "-->",
    "<!--",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = marked("comment", "own", parts.join(""));
      expect(keyIn("comment", text)).toBe("own");
      expect(unmarked(text)).not.toMatch(/<!--\s*anneal:/i);
    }),
  );
});
