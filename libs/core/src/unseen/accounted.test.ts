import type { ChangedFile, Coverage } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { accounted, outlineOf } from "./accounted.ts";
import { fitsPattern } from "./path-pattern.ts";
import { unseenIn } from "./unseen.ts";

const AT_HEAD = ["package.json", "package-lock.json", "app/Cargo.toml", "app/Cargo.lock", "docs/a.md", "src/a.js"];

function file(path: string, more: Partial<ChangedFile> & { lines?: string[] } = {}): ChangedFile {
  const { lines = ["+a"], ...over } = more;
  const hunks = [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines }];
  return { path, status: "modified", oldBlob: "1", newBlob: "2", mode: "100644", hunks, ...over };
}

/** What becomes of one file that the reviewer did not read, or said that it did. */
async function become(one: ChangedFile, { says = "skipped", beside = [] as string[], waived = [] as string[] } = {}) {
  const skipped = says === "skipped" ? [{ file: one.path, reason: "binary" }] : [];
  const coverage: Coverage = { reviewed: says === "skipped" ? [] : [one.path], skipped };
  const files = [one, ...beside.map((path) => file(path))].map(outlineOf);
  const told = await accounted(coverage, { files, atHead: async () => AT_HEAD, waived: async () => waived });
  return told.skipped[0] ?? "reviewed";
}

describe("a file that was not read holds the change, unless it is", () => {
  const npm = (host: string) => [`+      "resolved": "https://${host}/a/-/a-1.tgz",`];
  test.for<{ what: string; one: ChangedFile; excused?: string; beside?: string[]; waived?: string[] }>([
    { what: "nothing of that kind", one: file("a.bin") },
    { what: "an asset", one: file("logo.png", { asset: true }), excused: "asset" },
    { what: "an asset by its name alone", one: file("logo.png") },
    { what: "gone", one: file("a.bin", { status: "deleted", newBlob: "0" }), excused: "deleted" },
    { what: "waived", one: file("data/a/b.bin"), waived: ["docs/**", "data/**"], excused: "waived" },
    { what: "waived, but elsewhere", one: file("src/data/b.bin"), waived: ["data/**"] },
    {
      what: "a lock file of the usual host",
      one: file("package-lock.json", { lines: npm("registry.npmjs.org") }),
      excused: "lock file",
    },
    { what: "a lock file of another host", one: file("package-lock.json", { lines: npm("evil.example") }) },
    {
      what: "a lock file of a host that looks usual",
      one: file("package-lock.json", { lines: npm("registry.npmjs.org@evil.example") }),
    },
    { what: "a lock file of a folder", one: file("package-lock.json", { lines: ['+ "resolved": "../evil"'] }) },
    {
      what: "a lock file of a host that it named before",
      one: file("package-lock.json", {
        lines: [...npm("own.example").map((line) => line.replace("+", "-")), ...npm("own.example")],
      }),
      excused: "lock file",
    },
    {
      what: "one whose manifest changes too",
      one: file("package-lock.json", { lines: npm("own.example") }),
      beside: ["package.json"],
      excused: "lock file",
    },
    {
      what: "one whose namesake elsewhere changes",
      one: file("package-lock.json", { lines: npm("own.example") }),
      beside: ["src/package.json"],
    },
    { what: "a lock file without a manifest", one: file("src/package-lock.json", { lines: [] }) },
    { what: "a lock file that is no text", one: file("package-lock.json", { skipped: "binary", hunks: [] }) },
    {
      what: "Cargo's own",
      one: file("app/Cargo.lock", { lines: ['+source = "registry+https://github.com/rust-lang/crates.io-index"'] }),
      excused: "lock file",
    },
    {
      what: "Cargo's from elsewhere",
      one: file("app/Cargo.lock", { lines: ['+source = "git+https://evil.example/x#1"'] }),
    },
  ])("$what", async ({ one, excused, ...rest }) => {
    const became = await become(one, rest);
    expect(became === "reviewed" ? became : became.excused).toBe(excused);
  });
});

describe("what nobody can have read does not count as reviewed", () => {
  const link = (target: string) => file("src/x.js", { mode: "120000", lines: [`+${target}`] });
  const pointer = "version https://git-lfs.github.com/spec/v1";
  test.for<[string, ChangedFile, string]>([
    ["text", file("src/a.js"), "reviewed"],
    ["a link to a file", link("a.js"), "reviewed"],
    ["a link to a folder above", link("../docs"), "reviewed"],
    ["a link to the top", link(".."), "reviewed"],
    ["a link that goes", { ...link("/etc/passwd"), status: "deleted" }, "reviewed"],
    ["a link to nothing", link("b.js"), "a link to a path that the repository does not have"],
    ["a link above the top", link("../../a.js"), "a link that leads out of the repository"],
    ["a link to a place of the machine", link("/src/a.js"), "a link that leads out of the repository"],
    [
      "a pointer of LFS",
      file("a.js", { lines: [`+${pointer}`, "+oid sha256:1"] }),
      "its content is not in git but in git LFS",
    ],
    [
      "one that changes",
      file("a.js", { lines: [` ${pointer}`, "-oid sha256:1", "+oid sha256:2"] }),
      "its content is not in git but in git LFS",
    ],
    [
      "a text that becomes one",
      file("a.js", { lines: [...Array.from({ length: 9 }, () => "-a();"), `+${pointer}`] }),
      "its content is not in git but in git LFS",
    ],
    ["one that becomes text", file("a.js", { lines: [`-${pointer}`, "+a();"] }), "reviewed"],
    ["a rename of bytes", file("b.bin", { oldBlob: "2", skipped: "renamed only", hunks: [] }), "reviewed"],
  ])("%s: %s", async ([, one, says]) => {
    const became = await become(one, { says: "reviewed" });
    expect(became === "reviewed" ? became : became.reason).toBe(says);
  });
});

test("the settings are asked only where something would hold", async () => {
  const files = [file("logo.png", { asset: true })];
  const coverage = { reviewed: ["src/a.js"], skipped: [{ file: "logo.png", reason: "binary" }] };
  const never = () => Promise.reject(new Error("asked"));
  const told = await accounted(coverage, { files, atHead: never, waived: never });
  expect(told.skipped).toEqual([{ file: "logo.png", reason: "binary; an image, a font or media", excused: "asset" }]);
});

test("what holds is told first, then what was waived", async () => {
  const files = [file("a.png", { asset: true }), file("b.bin"), file("c.bin")];
  const skipped = files.map(({ path }) => ({ file: path, reason: "binary" }));
  const parts = { files, atHead: async () => [], waived: async () => ["b.*"] };
  const told = await accounted({ reviewed: [], skipped }, parts);
  expect(told.skipped.map((one) => one.file)).toEqual(["c.bin", "b.bin", "a.png"]);
});

describe("a pass of what was seen", () => {
  const binary = (name: string) => ({ file: name, reason: "binary" });
  test.for<[string, Coverage, RegExp | undefined]>([
    ["of all of it", { reviewed: ["a"], skipped: [] }, undefined],
    ["of nothing", { reviewed: [], skipped: [] }, /^no file/],
    ["of all but one", { reviewed: ["a"], skipped: [binary("b")] }, /: b \(binary\)\. /],
    ["of all but many", { reviewed: ["a"], skipped: ["b", "c", "d", "e", "f"].map(binary) }, /d \(binary\), 2 more\. /],
    ["beside an asset", { reviewed: ["a"], skipped: [{ ...binary("b"), excused: "asset" }] }, undefined],
    ["of an asset alone", { reviewed: [], skipped: [{ ...binary("b"), excused: "asset" }] }, /^no file/],
    ["of a lock file alone", { reviewed: [], skipped: [{ ...binary("b"), excused: "lock file" }] }, undefined],
  ])("%s", ([, coverage, says]) => {
    const unseen = unseenIn(coverage);
    if (says === undefined) expect(unseen).toBeUndefined();
    else expect(unseen).toMatch(says);
  });
});

test.for([
  ["vendor/**", "vendor/a/b.go", true],
  ["vendor/**", "src/vendor/a.go", false],
  ["vendor/", "vendor/a/b.go", true],
  ["**/vendor/**", "vendor/a.go", true],
  ["**/vendor/**", "src/vendor/a.go", true],
  ["**/*.min.js", "a.min.js", true],
  ["**/*.min.js", "dist/x/a.min.js", true],
  ["*.min.js", "dist/a.min.js", false],
  ["**/*.min.js", "a.minxjs", false],
  ["lib", "lib", true],
  ["lib", "lib/a.js", false],
  ["a?.bin", "ab.bin", true],
  ["a?.bin", "a/.bin", false],
  ["(a|b).bin", "a.bin", false],
] as const)("the pattern %s and %s: %s", ([pattern, path, fits]) => {
  expect(fitsPattern(path, pattern)).toBe(fits);
});
