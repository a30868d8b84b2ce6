import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { makeRepo } from "../../testing/make-repo.ts";
import type { ParsedFile } from "./changed-file.ts";
import { DiffParser } from "./diff-parser.ts";

function sample(): Buffer {
  using repo = makeRepo({ "a\n@@ -1 +1 @@": "1\n2\n3", "b é": "x\n", c: Buffer.from([0]), d: "é\r\n" });
  repo.commit({
    "a\n@@ -1 +1 @@": "1\n@@ -1 +1 @@\n3\n",
    "b é": { link: "a" },
    c: Buffer.from([0, 1]),
    d: "日本\r\n",
    e: "last\n",
  });
  const args = ["diff-tree", "-r", "--raw", "-z", "-p", "-M", "--no-abbrev", "HEAD~1", "HEAD"];
  return spawnSync("git", args, { cwd: repo.dir }).stdout;
}

function parse(chunks: Buffer[]): ParsedFile[] {
  const parser = new DiffParser();
  const files = chunks.flatMap((chunk) => parser.push(chunk));
  return [...files, ...parser.end()];
}

describe("the streaming parser", () => {
  test("gives the same files wherever the chunks are cut", () => {
    const output = sample();
    const whole = parse([output]);
    expect(whole.map(({ file, content }) => [file.path, file.status, content])).toEqual([
      ["a\n@@ -1 +1 @@", "modified", "text"],
      ["b é", "type-changed", "text"],
      ["c", "modified", "textless"],
      ["d", "modified", "text"],
      ["e", "added", "text"],
    ]);
    for (let cut = 1; cut < output.length; cut++) {
      expect(parse([output.subarray(0, cut), output.subarray(cut)])).toEqual(whole);
    }
    expect(parse(Array.from(output, (_, i) => output.subarray(i, i + 1)))).toEqual(whole);
  });

  test("throws at output that stops inside the names, the headers or a hunk", () => {
    const output = sample();
    const lastLine = output.subarray(0, -1).lastIndexOf("\n");
    for (let cut = 1; cut < lastLine; cut++) {
      expect(() => parse([output.subarray(0, cut)]), `cut at ${cut}`).toThrow("is damaged");
    }
  });

  test.for([
    { side: "before", index: /(?<=\nindex )[0-9a-f]+/ },
    { side: "after", index: /(?<=\nindex [0-9a-f]+\.\.)[0-9a-f]+/ },
  ])("throws at a patch that belongs to another file: $side", ({ index }) => {
    const output = sample().toString("latin1");
    const swapped = output.replace(index, (id) => "1".repeat(id.length));
    expect(() => parse([Buffer.from(swapped, "latin1")])).toThrow("belongs to another file");
  });

  test("gives nothing for no output", () => {
    expect(parse([])).toEqual([]);
  });
});
