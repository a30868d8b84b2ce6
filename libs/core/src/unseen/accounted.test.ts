import type { ChangedFile, Coverage } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { accounted, outlineOf } from "./accounted.ts";
import { fitsPattern } from "./path-pattern.ts";
import { unseenIn } from "./unseen.ts";

const AT_HEAD = [
  "package.json",
  "package-lock.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "app/Cargo.toml",
  "app/Cargo.lock",
  "docs/a.md",
  "src/a.js",
];

function file(path: string, more: Partial<ChangedFile> & { lines?: string[] } = {}): ChangedFile {
  const { lines = ["+a"], ...over } = more;
  const hunks = [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines }];
  return { path, status: "modified", oldBlob: "1", newBlob: "2", mode: "100644", hunks, ...over };
}

/** The texts of one file on both sides, and of what changes beside it. */
interface Texts {
  before?: string;
  after?: string;
  beside?: Record<string, string>;
}

/** What becomes of one file that the reviewer did not read, or said that it did. */
async function become(one: ChangedFile, given: Texts & { says?: string; waived?: string[] } = {}) {
  const { says = "skipped", waived = [], before, after, beside = {} } = given;
  const skipped = says === "skipped" ? [{ file: one.path, reason: "binary" }] : [];
  const coverage: Coverage = { reviewed: says === "skipped" ? [] : [one.path], skipped };
  const files = [one, ...Object.keys(beside).map((path) => file(path, { newBlob: path }))].map(outlineOf);
  const blobs: Record<string, string | undefined> = { ...beside, 1: before, 2: after };
  const content = async (blob: string) => blobs[blob] ?? null;
  const told = await accounted(coverage, { files, atHead: async () => AT_HEAD, content, waived: async () => waived });
  return told.skipped[0] ?? "reviewed";
}

describe("a file that was not read holds the change, unless it is", () => {
  test.for<{ what: string; one: ChangedFile; excused?: string; waived?: string[] }>([
    { what: "nothing of that kind", one: file("a.bin") },
    { what: "an asset", one: file("logo.png", { asset: true }), excused: "asset" },
    { what: "an asset by its name alone", one: file("logo.png") },
    { what: "gone", one: file("a.bin", { status: "deleted", newBlob: "0" }), excused: "deleted" },
    { what: "waived", one: file("data/a/b.bin"), waived: ["docs/**", "data/**"], excused: "waived" },
    { what: "waived, but elsewhere", one: file("src/data/b.bin"), waived: ["data/**"] },
    { what: "a lock file without a manifest", one: file("src/package-lock.json") },
    { what: "a lock file that is no text", one: file("package-lock.json", { skipped: "binary", hunks: [] }) },
  ])("$what", async ({ one, excused, ...rest }) => {
    const became = await become(one, { after: "{}", ...rest });
    expect(became === "reviewed" ? became : became.excused).toBe(excused);
  });
});

const npm = (...resolved: string[]) =>
  JSON.stringify({
    packages: Object.fromEntries(resolved.map((one, at) => [`node_modules/${at}`, { resolved: one }])),
  });
const USUAL = "https://registry.npmjs.org/a/-/a-1.tgz";
const OWN = "https://own.example/a.tgz";
const EVIL = "https://evil.example/a.tgz";

describe("a lock file that was not read", () => {
  test.for<{ what: string; path?: string } & Texts>([
    { what: "names the usual host", after: npm(USUAL) },
    { what: "names a host that it named before", before: npm(OWN), after: npm(OWN, USUAL) },
    { what: "names a folder of the repository", after: npm("docs") },
    { what: "tells of money", after: `{"packages":{"a":{"resolved":"${USUAL}","funding":{"url":"${OWN}"}}}}` },
    {
      what: "names what its manifest asks for",
      after: npm(OWN),
      beside: { "package.json": `{"dependencies":{"a":"${OWN}"}}` },
    },
    {
      what: "names a registry of its settings",
      after: npm(OWN),
      beside: { ".npmrc": "registry=https://own.example/\n" },
    },
    {
      what: "is Cargo's own",
      path: "app/Cargo.lock",
      after: 'source = "registry+https://github.com/rust-lang/crates.io-index"\n',
    },
    {
      what: "is of pnpm, with a notice",
      path: "pnpm-lock.yaml",
      after: "a@1:\n  deprecated: see https://own.example/a\n",
    },
    { what: "is of yarn", path: "yarn.lock", after: 'a@1:\n  resolved "https://registry.yarnpkg.com/a.tgz#1"\n' },
  ])("passes where it $what", async ({ path = "package-lock.json", ...texts }) => {
    expect(await become(file(path), texts)).toMatchObject({ excused: "lock file" });
  });

  test.for<{ what: string; path?: string } & Texts>([
    { what: "names another host", after: npm(EVIL) },
    { what: "names two sources on one line", after: npm(USUAL, EVIL) },
    { what: "escapes its key", after: npm(EVIL).replace("resolved", "res\\u006flved") },
    { what: "escapes its host", after: npm(EVIL).replace("evil", "\\u0065vil") },
    { what: "has its source on the next line", after: `{"a":{"resolved":\n\n"${EVIL}"}}` },
    { what: "names a host as a version", after: `{"dependencies":{"a":{"version":"${EVIL}"}}}` },
    { what: "hides a package in one that is called funding", after: `{"funding":{"resolved":"${EVIL}"}}` },
    { what: "looks usual", after: npm("https://registry.npmjs.org@evil.example/a.tgz") },
    { what: "names a folder outside", after: npm("../evil") },
    { what: "names a folder that is not there", after: npm("evil") },
    { what: "is no JSON", after: `${npm(USUAL)},` },
    { what: "cannot be read" },
    { what: "changes with its manifest", after: npm(EVIL), beside: { "package.json": '{"version":"1.0.1"}' } },
    {
      what: "changes with a page of its manifest",
      after: npm(EVIL),
      beside: { "package.json": '{"homepage":"https://evil.example"}' },
    },
    {
      what: "changes with its namesake",
      after: npm(OWN),
      beside: { "src/package.json": `{"dependencies":{"a":"${OWN}"}}` },
    },
    { what: "is Cargo's from elsewhere", path: "app/Cargo.lock", after: 'source = "git+https://evil.example/x#1"\n' },
    { what: "is of yarn", path: "yarn.lock", after: `a@1:\n  resolved\\\n  "${EVIL}"\n` },
    { what: "is of pnpm", path: "pnpm-lock.yaml", after: `a@1: {resolution: {tarball: ${EVIL}}}\n` },
    { what: "asks by ssh", path: "yarn.lock", after: "resolution: a@git@evil.example:a/a.git\n" },
    { what: "names a file outside", path: "yarn.lock", after: 'a@1:\n  resolved "file:../evil.tgz"\n' },
    { what: "is of bun", path: "bun.lock", after: `{"a": ["a@${EVIL}",],}` },
  ])("holds the change where it $what", async ({ path = "package-lock.json", ...texts }) => {
    expect(await become(file(path), texts)).not.toHaveProperty("excused");
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
    ["a rename", file("b.bin", { oldBlob: "2", skipped: "renamed only", hunks: [] }), "reviewed"],
    [
      "a rename of bytes",
      file("b.bin", { oldBlob: "2", skipped: "renamed only", hunks: [], opaque: true }),
      "renamed only, and nobody has read its bytes",
    ],
  ])("%s: %s", async ([, one, says]) => {
    const became = await become(one, { says: "reviewed" });
    expect(became === "reviewed" ? became : became.reason).toBe(says);
  });
});

test("the settings are asked only where something would hold", async () => {
  const files = [file("logo.png", { asset: true })];
  const coverage = { reviewed: ["src/a.js"], skipped: [{ file: "logo.png", reason: "binary" }] };
  const never = () => Promise.reject(new Error("asked"));
  const told = await accounted(coverage, { files, atHead: never, content: never, waived: never });
  expect(told.skipped).toEqual([{ file: "logo.png", reason: "binary; an image, a font or media", excused: "asset" }]);
});

test("what holds is told first, then what was waived", async () => {
  const files = [file("a.png", { asset: true }), file("b.bin"), file("c.bin")];
  const skipped = files.map(({ path }) => ({ file: path, reason: "binary" }));
  const parts = { files, atHead: async () => [], content: async () => null, waived: async () => ["b.*"] };
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
