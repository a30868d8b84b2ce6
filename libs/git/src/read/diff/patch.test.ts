import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { type Files, makeRepo, type TestRepo } from "../../testing/make-repo.ts";

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");
const indented = (count: number) => lines(count).replaceAll("line", "  line");

async function patchOf(repo: TestRepo, maxFileBytes?: number): Promise<string> {
  const opened = await openRepo(repo.dir);
  const bounds = { base: await opened.resolve("HEAD~1"), head: await opened.resolve("HEAD") };
  return await opened.patch(bounds, maxFileBytes === undefined ? {} : { maxFileBytes });
}

describe("the patch of a change is what git diff prints", () => {
  test.for<{ what: string; before: Files; after: Files; shows: string }>([
    { what: "ids and modes", before: { a: "1\n" }, after: { a: "2\n" }, shows: "\nindex d00491f..0cfbf08 100644\n" },
    { what: "a new file", before: { a: "1\n" }, after: { b: "x\n" }, shows: "\nnew file mode 100644\n" },
    { what: "a file that is gone", before: { a: "1\n", b: "x\n" }, after: { b: null }, shows: "\ndeleted file mode" },
    {
      what: "a rename",
      before: { "old name": lines(40) },
      after: { "old name": null, "new name": `${lines(40)}more\n` },
      shows: "\nrename from old name\nrename to new name\n",
    },
    { what: "a missing newline", before: { a: "1\n" }, after: { a: "1" }, shows: "\n\\ No newline at end of file\n" },
    {
      what: "bytes that are no text",
      before: { a: "1\n" },
      after: { "a.png": new Uint8Array([0, 1, 2, 0]) },
      shows: "\nBinary files /dev/null and b/a.png differ\n",
    },
    { what: "another type", before: { a: "1\n" }, after: { a: { link: "b" } }, shows: "\nnew file mode 120000\n" },
    {
      what: "the function around a hunk",
      before: { "a.js": `function sum() {\n${indented(8)}}\n` },
      after: { "a.js": `function sum() {\n${indented(7)}  last\n}\n` },
      shows: " @@ function sum() {\n",
    },
    { what: "nothing at all", before: { a: "1\n" }, after: {}, shows: "" },
  ])("with $what", async ({ before, after, shows }) => {
    using repo = makeRepo(before);
    repo.commit(after);
    const printed = repo.git("diff", "HEAD~1", "HEAD");
    const patch = await patchOf(repo);
    expect(patch.replace(/\n$/, "")).toBe(printed);
    expect(patch).toContain(shows);
  });

  test("with a changed mode", async () => {
    using repo = makeRepo({ "run.sh": "true\n" });
    chmodSync(join(repo.dir, "run.sh"), 0o755);
    repo.commit({});
    expect(await patchOf(repo)).toBe("diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n");
  });
});

describe("no setting and no file of the change decides what a patch shows", () => {
  const plain = (repo: TestRepo) => repo.git("diff", "--no-ext-diff", "HEAD~1", "HEAD");

  test.for([
    { key: "diff.external", value: "echo hidden" },
    { key: "diff.upper.textconv", value: "tr a-z A-Z" },
    { key: "color.ui", value: "always" },
    { key: "diff.noprefix", value: "true" },
    { key: "diff.context", value: "0" },
    { key: "diff.renames", value: "false" },
    { key: "diff.algorithm", value: "patience" },
  ])("$key", async ({ key, value }) => {
    const text = lines(40);
    using repo = makeRepo({ "a.txt": text, "old.md": text });
    repo.commit({ "a.txt": text.replace("line 20", "other"), "old.md": null, "new.md": text });
    const before = plain(repo);
    repo.git("config", key, value);
    repo.write({ ".git/info/attributes": "*.txt diff=upper\n" });
    expect((await patchOf(repo)).trimEnd()).toBe(before);
  });

  test("attributes of its own", async () => {
    using repo = makeRepo({ "a.txt": "1\n" });
    repo.commit({ "a.txt": "2\n", ".gitattributes": "* -diff\n" });
    expect(await patchOf(repo)).toContain("\n-1\n+2\n");
  });
});

test("a file over the limit is named in the patch, and its lines are not there", async () => {
  using repo = makeRepo({ "big.txt": lines(10) });
  repo.commit({ "big.txt": lines(500), "small.txt": "s\n" });
  const patch = await patchOf(repo, 1024);
  expect(patch).toContain("Binary files a/big.txt and b/big.txt differ\n");
  expect(patch).not.toContain("line 400");
  expect(patch).toContain("\n+s\n");
});

describe("the text of a file that git only names is in the patch all the same", () => {
  const wide = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
  test.for<{ what: string; before: Files; after: Files; shows: string }>([
    {
      what: "a new one in UTF-16",
      before: { a: "1\n" },
      after: { "b c.txt": wide("x\n"), d: "1\n2\n" },
      shows: "\n--- /dev/null\n+++ b/b c.txt\t\n@@ -0,0 +1,1 @@\n+x\ndiff --git ",
    },
    {
      what: "one in UTF-16 that changes",
      before: { "a.txt": wide("1\n2\n") },
      after: { "a.txt": wide("1\n3\n") },
      shows: "\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n",
    },
    {
      what: "one with an odd name that goes",
      before: { 'a"\n.txt': wide("1\n"), b: "b" },
      after: { 'a"\n.txt': null },
      shows: '\n--- "a/a\\"\\012.txt"\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-1\n',
    },
    {
      what: "one beside real bytes and a link that was a file",
      before: { a: "1\n", l: "x\n" },
      after: { "a.bin": Buffer.from([1, 0, 2]), "b.txt": wide("x\n"), l: { link: "a" } },
      shows: "\nBinary files /dev/null and b/a.bin differ\ndiff --git a/b.txt b/b.txt",
    },
  ])("$what", async ({ before, after, shows }) => {
    using repo = makeRepo(before);
    repo.commit(after);
    expect(await patchOf(repo)).toContain(shows);
  });

  test("and Latin-1 is in it letter by letter", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.commit({ a: Buffer.from("\xe9t\xe9 and more\n", "latin1"), b: "é\n" });
    expect(await patchOf(repo)).toMatch(/\n\+été and more\n[\s\S]*\n\+é\n/);
  });
});
