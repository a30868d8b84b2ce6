import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeText } from "./code-text.ts";
import type { Language } from "./file-kind.ts";

const squeeze = (text: string) => text.replaceAll(/\s+/g, " ").trim();

describe("code is told apart from strings and comments", () => {
  test.for<{ what: string; language: Language; text: string; code: string; comments?: string }>([
    {
      what: "strings and comments",
      language: "js",
      text: "a('b // c'); // d 'e'\nf();",
      code: "a(' '); f();",
      comments: "// d 'e'",
    },
    { what: "escaped quotes", language: "js", text: "a('\\'b'); c();", code: "a(' '); c();" },
    {
      what: "code inside a template",
      language: "js",
      text: "`a @{b(`c @{d}`)} e`; f".replaceAll("@", "$"),
      code: "` @{b(` @{d}`)} `; f".replaceAll("@", "$"),
    },
    {
      what: "braces inside a template's code",
      language: "js",
      text: "`@{{ a: {} }.a} b`; c".replaceAll("@", "$"),
      code: "`@{{ a: {} }.a} `; c".replaceAll("@", "$"),
    },
    {
      what: "a regular expression with quotes",
      language: "js",
      text: "x = /['\"]/g; y('a');",
      code: "x = / /g; y(' ');",
    },
    { what: "a regular expression with a class", language: "js", text: "return /[/]'/; b", code: "return / /; b" },
    { what: "a division", language: "js", text: "a / b / c; 'd'", code: "a / b / c; ' '" },
    {
      what: "a self-closing element",
      language: "js",
      text: "<A b={c} /> ; <D e={f} />;",
      code: "<A b={c} /> ; <D e={f} />;",
    },
    { what: "closing elements", language: "js", text: "<b>x</b><i>y</i>", code: "<b>x</b><i>y</i>" },
    { what: "a stray apostrophe up to its line end", language: "js", text: "<p>Don't</p>\na();", code: "<p>Don' a();" },
    { what: "a block comment over lines", language: "go", text: "a /* b\nc */ d", code: "a d", comments: "/* b c */" },
    { what: "a raw string", language: "go", text: 'a := `b " c`\nd', code: "a := ` ` d" },
    { what: "a docstring", language: "python", text: '"""a\nb"""\nc = 1 # d', code: '""" """ c = 1', comments: "# d" },
    {
      what: "a lifetime",
      language: "rust",
      text: "fn f<'a>(x: &'a str) { 'b'; \"c\" }",
      code: "fn f<'a>(x: &'a str) { ' '; \" \" }",
    },
    { what: "a raw Rust string", language: "rust", text: 'let a = r#"b " c"#; d', code: 'let a = r#" "#; d' },
    { what: "a shell parameter", language: "shell", text: "a=$#b # c", code: "a=$#b", comments: "# c" },
    { what: "an address in YAML", language: "hash", text: "a: http://b#c # d", code: "a: http://b#c", comments: "# d" },
    { what: "a PHP attribute", language: "php", text: "#[A]\nb(); # c", code: "#[A] b();", comments: "# c" },
  ])("$what", ({ language, text, code, comments }) => {
    expect(squeeze(codeText(text, language).code)).toBe(code);
    if (comments !== undefined) expect(squeeze(codeText(text, language).comments)).toBe(comments);
  });

  test("every view of any text has its length and its lines", () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      "`",
      "/*",
      "*/",
      "//",
      "#",
      "${",
      "}",
      "{",
      "\n",
      "\r\n",
      "a",
      " ",
      "\\",
      "/",
      "é",
      "🔑",
      '"""',
      'r#"',
    );
    const language = fc.constantFrom<Language>("js", "python", "rust", "go", "ruby", "php", "html", "text");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), language, (pieces, of) => {
        const text = pieces.join("");
        const views = codeText(text, of);
        for (const view of [views.code, views.comments, views.uncommented]) {
          expect(view.length).toBe(text.length);
          expect(view.split("\n").length).toBe(text.split("\n").length);
        }
      }),
    );
  });
});
