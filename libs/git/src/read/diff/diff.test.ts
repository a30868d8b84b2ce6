import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChangedFile } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DiffOptions, openRepo } from "../../index.ts";
import { applyHunks } from "../../testing/apply-hunks.ts";
import { type Files, makeRepo, type TestRepo } from "../../testing/make-repo.ts";

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

async function diff(repo: TestRepo, base: string, head: string, options?: DiffOptions): Promise<ChangedFile[]> {
  const opened = await openRepo(repo.dir);
  return collect(opened.changedFiles({ base, head, headKind: "commit" }, options));
}

async function change(before: Files, after: Files, options?: DiffOptions): Promise<ChangedFile[]> {
  using repo = makeRepo(before);
  return await diff(repo, repo.git("rev-parse", "HEAD"), repo.commit(after), options);
}

async function only(before: Files, after: Files, options?: DiffOptions): Promise<ChangedFile> {
  const files = await change(before, after, options);
  expect(files).toHaveLength(1);
  return files[0]!;
}

const lines = (count: number, word = "line") => Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join("");

describe("a changed file", () => {
  test("has its status, ids, mode and hunks with line numbers", async () => {
    const file = await only({ "a.txt": "one\ntwo\n" }, { "a.txt": "one\n2\nthree\n" });
    expect(file).toEqual({
      path: "a.txt",
      status: "modified",
      oldBlob: "814f4a422927b82f5f8a43f8fab6d3839e3983f2",
      newBlob: "f04eb265ebd74fba2cddf0a6adf2a6a7f81c87aa",
      mode: "100644",
      hunks: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: [" one", "-two", "+2", "+three"] }],
    });
  });

  test("that is new or gone has zeros for the missing side", async () => {
    const [gone, added] = await change({ "a.txt": "a\n" }, { "a.txt": null, "z.txt": "other\nwords\n" });
    expect(gone).toMatchObject({ path: "a.txt", status: "deleted", newBlob: "0".repeat(40), mode: "100644" });
    expect(added).toMatchObject({ path: "z.txt", status: "added", oldBlob: "0".repeat(40) });
    expect(added?.hunks[0]).toMatchObject({ oldStart: 0, oldLines: 0, newStart: 1, newLines: 2 });
  });

  test("that was renamed and edited keeps its old path and only the edited lines", async () => {
    const text = lines(40);
    const file = await only({ "old name.txt": text }, { "old name.txt": null, "new\tname.txt": `${text}more\n` });
    expect(file).toMatchObject({ path: "new\tname.txt", oldPath: "old name.txt", status: "renamed" });
    expect(file.hunks.flatMap((hunk) => hunk.lines).filter((line) => !line.startsWith(" "))).toEqual(["+more"]);
  });

  test("that became a symlink has one hunk from the old content to the target", async () => {
    const file = await only({ a: "one\ntwo\n" }, { a: { link: "b" } });
    expect(file).toMatchObject({ status: "type-changed", mode: "120000" });
    expect(file.hunks).toEqual([
      {
        oldStart: 1,
        oldLines: 2,
        newStart: 1,
        newLines: 1,
        lines: ["-one", "-two", "+b", "\\ No newline at end of file"],
      },
    ]);
  });

  test("after a change of type is paired with its own patch", async () => {
    const files = await change({ a: { link: "b" }, z: "1\n" }, { a: "text\n", z: "2\n" });
    expect(files.map((file) => [file.path, file.hunks.flatMap((hunk) => hunk.lines).at(-1)])).toEqual([
      ["a", "+text"],
      ["z", "+2"],
    ]);
  });

  test("keeps carriage returns as part of its lines", async () => {
    const file = await only({ a: "one\r\ntwo\r\n" }, { a: "one\r\n2\r\n" });
    expect(file.hunks[0]?.lines).toEqual([" one\r", "-two\r", "+2\r"]);
  });

  test("says where the newline at its end is missing, on either side", async () => {
    const file = await only({ a: "one" }, { a: "two" });
    const marker = "\\ No newline at end of file";
    expect(file.hunks[0]?.lines).toEqual(["-one", marker, "+two", marker]);
  });

  test("that is not UTF-8 has its hunks, in Latin-1", async () => {
    const file = await only({ a: "one\n" }, { a: Buffer.from([0x6f, 0xe9, 0xe2, 0x0a, 0x62, 0x0a]) });
    expect(file.hunks[0]?.lines).toEqual(["-one", "+oéâ", "+b"]);
  });
});

describe("names", () => {
  test.for([
    'with "quotes"',
    "tab\there",
    "line\nbreak",
    "x\n@@ -1 +1 @@",
    "ünïcode/日本語.txt",
    "back\\slash",
    " b/x",
    "a b/ b/a",
  ])("come out as they are: %j", async (path) => {
    const file = await only({ [path]: "1\n" }, { [path]: "2\n" });
    expect(file).toMatchObject({ path, hunks: [{ lines: ["-1", "+2"] }] });
  });

  test("that are not UTF-8 are readable with replacement characters", async () => {
    using repo = makeRepo({ a: "a\n" });
    writeFileSync(Buffer.concat([Buffer.from(`${repo.dir}/x`), Buffer.from([0xff])]), "1\n");
    const [file] = await diff(repo, "HEAD~1", repo.commit({}));
    expect(file).toMatchObject({ path: "x\ufffd", status: "added", hunks: [{ lines: ["+1"] }] });
  });
});

test("content that looks like diff headers never passes for one", async () => {
  const hostile = [
    "diff --git a/x b/x",
    "index 0..1 100644",
    "--- a/x",
    "+++ b/x",
    "@@ -1 +1 @@",
    "-a",
    "+b",
    "\\ No",
    "Binary files a and b differ",
  ];
  const files = await change({ a: "", b: "1\n" }, { a: `${hostile.join("\n")}\n`, b: "2\n" });
  expect(files.map((file) => file.hunks)).toEqual([
    [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 9, lines: hostile.map((line) => `+${line}`) }],
    [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-1", "+2"] }],
  ]);
});

describe("a file without text says why", () => {
  const big = lines(200, "a line of some length");
  test.for<{ why: string; before: Files; after: Files; options?: DiffOptions }>([
    { why: "binary", before: { a: "x" }, after: { a: Buffer.from([1, 0, 2]) } },
    { why: "larger than 1 KB", before: { a: "x\n" }, after: { a: big }, options: { maxFileBytes: 1024 } },
    { why: "larger than 1 KB", before: { a: big }, after: { a: "x\n" }, options: { maxFileBytes: 1024 } },
    { why: "larger than 5 MB", before: { a: "x\n" }, after: { a: "0123456789abcde\n".repeat(330_000) } },
    { why: "empty file", before: { b: "b" }, after: { a: "" } },
    { why: "renamed only", before: { b: big }, after: { b: null, a: big } },
  ])("$why", async ({ why, before, after, options }) => {
    const file = await only(before, after, options);
    expect(file).toMatchObject({ path: "a", hunks: [], skipped: why });
  });

  test("mode change only", async () => {
    using repo = makeRepo({ a: "a\n" });
    repo.git("update-index", "--chmod=+x", "a");
    repo.git("commit", "-qm", "mode");
    expect(await diff(repo, "HEAD~1", "HEAD")).toMatchObject([
      { mode: "100755", hunks: [], skipped: "mode change only" },
    ]);
  });

  test("submodule, also where .gitmodules and the settings ask to ignore it", async () => {
    using inner = makeRepo({ a: "a" });
    using repo = makeRepo({ a: "a" });
    repo.git("submodule", "add", "--quiet", inner.dir, "sub");
    repo.git("config", "-f", ".gitmodules", "submodule.sub.ignore", "all");
    repo.git("config", "submodule.sub.ignore", "all");
    repo.git("config", "diff.ignoreSubmodules", "all");
    const head = repo.commit({});
    const files = await diff(repo, "HEAD~1", head);
    expect(files.map((file) => file.path)).toEqual([".gitmodules", "sub"]);
    expect(files[1]).toMatchObject({ mode: "160000", hunks: [], skipped: "submodule" });
  });

  test("hidden by .git/info/attributes", async () => {
    using repo = makeRepo({ a: "a\n" });
    const head = repo.commit({ a: "b\n" });
    writeFileSync(join(repo.dir, ".git/info/attributes"), "* -diff\n");
    expect(await diff(repo, "HEAD~1", head)).toMatchObject([{ hunks: [], skipped: "hidden by .git/info/attributes" }]);
  });

  test("line longer than 1 MB, with the line cut and its neighbours whole", async () => {
    const file = await only({ a: "" }, { a: `first\n${"x".repeat(3_000_000)}\nlast\n` });
    expect(file.skipped).toBe("line longer than 1 MB");
    expect(file.hunks[0]?.lines.map((line) => line.length)).toEqual([6, 1024 * 1024, 5]);
  });
});

test("a .gitattributes in the change cannot hide content from the reviewer", async () => {
  const files = await change({ "a.ts": "1\n" }, { "a.ts": "2\n", ".gitattributes": "*.ts -diff\n" });
  expect(files.map((file) => [file.path, file.skipped, file.hunks.length])).toEqual([
    [".gitattributes", undefined, 1],
    ["a.ts", undefined, 1],
  ]);
});

test("settings of the user or repository change nothing in the result and start no program", async () => {
  using repo = makeRepo({ a: lines(30), "b.txt": "1\n" });
  const head = repo.commit({
    a: lines(30).replace("line 15\n", "\nnew\n"),
    "b.txt": "2\n",
    ".gitattributes": "*.txt diff=prog\n",
  });
  const plain = await diff(repo, "HEAD~1", head);
  const settings = {
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "color.ui": "always",
    "color.diff": "always",
    "diff.external": "touch ran",
    "diff.prog.command": "touch ran",
    "diff.prog.textconv": "touch ran; cat",
    "core.fsmonitor": "touch ran",
    "diff.context": "0",
    "diff.suppressBlankEmpty": "true",
    "diff.algorithm": "patience",
    "diff.submodule": "log",
    "diff.renames": "false",
    "core.quotePath": "true",
    "core.pager": "touch ran",
  };
  for (const [name, value] of Object.entries(settings)) repo.git("config", name, value);
  expect(await diff(repo, "HEAD~1", head)).toEqual(plain);
  const opened = await openRepo(repo.dir);
  await opened.worktreeTree();
  await opened.status();
  expect(repo.git("-c", "core.fsmonitor=false", "ls-files", "--others")).toBe("");
});

test("the first change is read against the empty tree", async () => {
  using repo = makeRepo({ a: "a\n" });
  const opened = await openRepo(repo.dir);
  expect(await diff(repo, await opened.emptyTree(), "HEAD")).toMatchObject([{ path: "a", status: "added" }]);
});

test("equal ends give no files", async () => {
  using repo = makeRepo({ a: "a\n" });
  expect(await diff(repo, "HEAD", "HEAD")).toEqual([]);
});

test("a reader that stops early ends git as well", async () => {
  using repo = makeRepo({ a: "a\n" });
  const head = repo.commit(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, lines(200)])));
  const opened = await openRepo(repo.dir);
  for await (const file of opened.changedFiles({ base: "HEAD~1", head, headKind: "commit" })) {
    expect(file.status).toBe("added");
    break;
  }
});

test("an object that is missing is an error, never a shorter change", async () => {
  using repo = makeRepo({ a: "a\n" });
  await expect(diff(repo, "HEAD", "1".repeat(40))).rejects.toMatchObject({ name: "GitError", kind: "failed" });
});

const word = fc.constantFrom(
  "a",
  "b",
  "",
  " ",
  "é",
  "@@ -1 +1 @@",
  "diff --git a/f b/f",
  "--- a/f",
  "+++ b/f",
  "\\ No newline at end of file",
  "-",
  "+",
  "\r",
  "日本",
  "\u2028",
);
const content = fc
  .tuple(fc.array(word, { maxLength: 30 }), fc.constantFrom("\n", ""))
  .map(([words, end]) => (words.length === 0 ? "" : words.join("\n") + end));
const name = fc
  .array(fc.constantFrom("a", "b", " ", '"', "\n", "\t", "é", "\\", "@@ -1 +1 @@", "-"), { minLength: 1, maxLength: 3 })
  .map((parts) => `f${parts.join("")}`);
const tree = fc.dictionary(name, content, { maxKeys: 6 });

test("any two trees: the parsed hunks turn the old files into the new ones", async () => {
  using repo = makeRepo({});
  const opened = await openRepo(repo.dir);
  const store = (files: Files) => {
    repo.git("rm", "-rfq", "--ignore-unmatch", ".");
    repo.write(files);
    repo.git("add", "--all");
    return repo.git("write-tree");
  };
  await fc.assert(
    fc.asyncProperty(tree, tree, async (before, after) => {
      const bounds = { base: store(before), head: store(after), headKind: "tree" as const };
      const result = new Map(Object.entries(before));
      const changes = await collect(opened.changedFiles(bounds));
      for (const file of changes) result.delete(file.oldPath ?? file.path);
      for (const file of changes) {
        if (file.status !== "deleted")
          result.set(file.path, applyHunks(before[file.oldPath ?? file.path] ?? "", file.hunks));
      }
      expect(result).toEqual(new Map(Object.entries(after)));
    }),
    { numRuns: 60 },
  );
});
