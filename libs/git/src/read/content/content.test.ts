import { describe, expect, test } from "vitest";
import { isAsset } from "./asset.ts";
import { oneHunk } from "./one-hunk.ts";
import { textOf } from "./text-of.ts";

const wide = (text: string) => Buffer.from(text, "utf16le");

describe("bytes as text", () => {
  test.for<[string, Buffer, string | null, string?]>([
    ["nothing", Buffer.alloc(0), ""],
    ["UTF-8", Buffer.from("é日本\n"), "é日本\n"],
    ["UTF-16 with its mark", wide("\ufeffa()\r\n"), "a()\r\n", "UTF-16LE"],
    ["UTF-16 the other way round", wide("\ufeffa()\n").swap16(), "a()\n", "UTF-16BE"],
    ["UTF-16 without a mark", wide("pay(1);\n"), "pay(1);\n", "UTF-16LE"],
    ["UTF-16 without a mark, the other way round", wide("pay(1);\n").swap16(), "pay(1);\n", "UTF-16BE"],
    ["UTF-16 that ends in the middle", Buffer.concat([wide("\ufeffa()\n"), Buffer.from("x")]), null],
    ["UTF-16 with half a letter", Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00]), null],
    ["Latin-1", Buffer.from("name = 'Jos\xe9'\n", "latin1"), "name = 'José'\n", "Latin-1"],
    ["a line of Latin-1 between others", Buffer.from("\xe9t\xe9 dernier\n", "latin1"), "été dernier\n", "Latin-1"],
    ["letters of another code page", Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0a]), null],
    ["a NUL in text", Buffer.from(`pay();${" ".repeat(9)}\0\n`), `pay();${" ".repeat(9)}\0\n`, "UTF-8 with NUL"],
    ["NULs all over", Buffer.from("a\0\0\0b\0\0c"), null],
    ["other controls", Buffer.from("some text and \x01\x02\0\n"), null],
  ])("%s", ([, bytes, text, encoding]) => {
    const read = textOf(bytes);
    expect(read).toEqual(text === null ? null : { text, ...(encoding === undefined ? {} : { encoding }) });
  });
});

/** A header that tells the size of its file, which is as long. */
const sized = (before: string, after: string, { of, order }: { of: number; order: "LE" | "BE" }) => {
  const size = Buffer.alloc(4);
  if (order === "LE") size.writeUInt32LE(of);
  else size.writeUInt32BE(of);
  return `${before}${size.toString("latin1")}${after}`;
};
const BMP = sized("BM", "\0\0\0\0\x36\0\0\0\x28\0\0\0", { of: 70, order: "LE" });
const FONT = "\0\x05\0\x40\0\x02\0\x10";

test.for<[string, string, boolean]>([
  ["logo.png", "\x89PNG\r\n\x1a\n\0", true],
  ["LOGO.PNG", "\x89PNG\r\n\x1a\n\0", true],
  ["logo.js", "\x89PNG\r\n\x1a\n\0", false],
  ["logo.png", "\x89PNG\0", false],
  ["logo.png", "GIF89a", false],
  ["a.gif", "GIF89a\x01\0\x01\0\0\0\0,", true],
  ["a.gif", `GIF89a\x01\0\x01\0\x80\0\0${"\x07".repeat(6)}!`, true],
  ["a.gif", "GIF89a=/*\0*/;run()", false],
  ["a.bmp", BMP, true],
  ["a.bmp", "BM=1/*\0*/;run();\n", false],
  ["a.bmp", BMP.replace("\x28", "\x29"), false],
  ["a.ttf", `\0\x01\0\0${FONT}`, true],
  ["a.ttf", `true${FONT}`, true],
  ["a.ttf", "true\necho run\nexit 0\n\0", false],
  ["a.otf", `OTTO${FONT}`, true],
  ["a.otf", "OTTO=1/*\0*/;run()", false],
  ["a.webp", sized("RIFF", "WEBPVP8 ", { of: 62, order: "LE" }), true],
  ["a.webp", sized("RIFF", "WAVEfmt ", { of: 62, order: "LE" }), false],
  ["a.wav", "RIFF=/*\0WAVE*/", false],
  ["a.mp3", "ID3\x03\0\0", true],
  ["a.mp3", "ID3=1", false],
  ["a.ogg", "OggS\0\x02", true],
  ["a.ogg", "OggS=1", false],
  ["a.mp4", "\0\0\0\x20ftypisom", true],
  ["a.mp4", "a=1;ftyp=", false],
  ["a.woff2", sized("wOF2\0\x01\0\0", "\0", { of: 70, order: "BE" }), true],
  ["a.woff2", "wOF2=1/*\0*/", false],
  ["a.ico", "\0\0\x01\0\x02\0\x10", true],
  ["a.pdf", "%PDF-1.7\0", false],
  ["png", "\x89PNG\r\n\x1a\n\0", false],
  ["a.constructor", "", false],
])("%s that begins with %j is an asset: %s", ([path, head, asset]) => {
  const start = Buffer.alloc(Math.max(70, head.length));
  start.write(head, "latin1");
  expect(isAsset(path, { start, size: path === "a.ttf" || path === "a.otf" ? 1_000 : 70 })).toBe(asset);
});

describe("a change as one hunk", () => {
  const at = (oldStart: number, oldLines: number, newStart: number, newLines: number, lines: string[]) => {
    return { oldStart, oldLines, newStart, newLines, lines };
  };
  test.for([
    { what: "of nothing", before: "a\n", after: "a\n", hunk: null },
    { what: "to a new text", before: "", after: "a\nb\n", hunk: at(0, 0, 1, 2, ["+a", "+b"]) },
    { what: "to no text", before: "a\n", after: "", hunk: at(1, 1, 0, 0, ["-a"]) },
    {
      what: "of a line among others",
      before: "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      after: "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
      hunk: at(2, 7, 2, 7, [" 2", " 3", " 4", "-5", "+x", " 6", " 7", " 8"]),
    },
    {
      what: "of a last newline",
      before: "a\nb",
      after: "a\nb\n",
      hunk: at(1, 2, 1, 2, [" a", "-b", "\\ No newline at end of file", "+b"]),
    },
    { what: "of one of two equal lines", before: "a\na\n", after: "a\n", hunk: at(1, 2, 1, 1, [" a", "-a"]) },
  ])("$what", ({ before, after, hunk }) => {
    expect(oneHunk(before, after)).toEqual(hunk);
  });
});
