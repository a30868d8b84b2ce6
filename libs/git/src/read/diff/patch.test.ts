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
