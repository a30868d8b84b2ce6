import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sanitise, sanitiseDeep } from "./sanitise.ts";

describe("sanitise", () => {
  test.for([
    { what: "colours", text: "\u001b[1;31mred\u001b[0m", clean: "red" },
    { what: "a terminal title", text: "a\u001b]0;owned\u0007b", clean: "ab" },
    { what: "a terminal link", text: "\u001b]8;;http://x\u001b\\y\u001b]8;;\u001b\\", clean: "y" },
    { what: "a half sequence", text: "a\u001b", clean: "a" },
    { what: "a sequence inside a sequence", text: "\u001b\u001b[31m[31m", clean: "[31m" },
    { what: "C1 controls", text: "a\u009b31mb", clean: "a31mb" },
    { what: "backspaces and bells", text: "ok\b\b\u0007no", clean: "okno" },
    { what: "direction overrides", text: "a\u202eb\u2066c", clean: "abc" },
    { what: "carriage returns", text: "a\r\nb\rc", clean: "a\nb\nc" },
    { what: "a lone surrogate", text: "a\ud800b", clean: "a\ufffdb" },
    { what: "a script", text: "<script>x()</script>", clean: "&lt;script>x()&lt;/script>" },
    { what: "a script that never ends", text: "x<ScRiPt", clean: "x&lt;ScRiPt" },
    { what: "a script split by a control character", text: "<scr\u0000ipt>", clean: "&lt;script>" },
    { what: "an event handler", text: '<img src=x onerror="y()">', clean: '&lt;img src=x onerror="y()">' },
    { what: "an event handler after a slash", text: "<svg/onload=y()>", clean: "&lt;svg/onload=y()>" },
    { what: "an event handler on any element", text: "<q\nonclick=y()>", clean: "&lt;q\nonclick=y()>" },
    { what: "an event handler after other attributes", text: "<q a, onclick=y()>", clean: "&lt;q a, onclick=y()>" },
    { what: "a comment", text: "<!-- hidden -->", clean: "&lt;!-- hidden -->" },
    { what: "a script link", text: "[a](javascript:y())", clean: "[a](javascript :y())" },
    {
      what: "a script link with references",
      text: "[a](java&#115;cript&colon;y())",
      clean: "[a](java&amp;#115;cript&amp;colon;y())",
    },
    { what: "a page in a link", text: "[a](data:text/html,x)", clean: "[a](data :text/html,x)" },
  ])("$what cannot do anything any more", ({ text, clean }) => {
    expect(sanitise(text)).toBe(clean);
  });

  test.for([
    "Use Map<string, number> instead of Promise<void>.",
    "if (a < b && c > d) return a<=b;",
    "Tabs\tand\nlines, ünïcödé and 👩‍👩‍👧 stay.",
    "The form data: two fields. AT&T &amp; co.",
    "<b>bold</b>",
  ])("%j stays as it is", (text) => {
    expect(sanitise(text)).toBe(text);
  });

  const piece = fc.constantFrom(
    "<",
    "</",
    "script",
    ">",
    "/",
    " ",
    "\u001b",
    "[31m",
    "javascript",
    ":",
    "&",
    "#",
    "!",
    "\n",
  );
  const text = fc.array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 4 }))).map((parts) => parts.join(""));

  test("doing it twice changes nothing more", () => {
    fc.assert(
      fc.property(text, (input) => {
        expect(sanitise(sanitise(input))).toBe(sanitise(input));
      }),
    );
  });

  test("no text leaves a control character or a script tag behind", () => {
    fc.assert(
      fc.property(text, (input) => {
        expect(sanitise(input)).not.toMatch(/(?![\n\t])\p{Cc}|<\/?script(?:[\s/>]|$)|<[!?]|javascript:/iu);
      }),
    );
  });

  test("all texts of a report are sanitised, wherever they are", () => {
    expect(sanitiseDeep({ a: ["<script>", { "k\u0007": "\u001b[1mx" }], n: 1, z: null })).toEqual({
      a: ["&lt;script>", { k: "x" }],
      n: 1,
      z: null,
    });
  });
});
