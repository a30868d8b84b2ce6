import { DamagedFile, InvalidChange } from "@anneal/system/files/errors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { setFields } from "./set-fields.ts";
import { splitFrontMatter } from "./split.ts";
import { readYamlMap } from "./yaml-map.ts";

const set = (text: string, status: string | number | null = "done") => setFields("s.md", text, { status });
const front = (yaml: string) => `---\n${yaml}---\n\n# Story 1.1: T\n`;

describe("setting a key of the front matter", () => {
  test.for([
    {
      name: "a plain value",
      before: "id: 1.1\nstatus: review\nrisk: low\n",
      after: "id: 1.1\nstatus: done\nrisk: low\n",
    },
    { name: "a comment behind it", before: "status: review  # a | b\n", after: "status: done  # a | b\n" },
    { name: "double quotes", before: 'status: "in-progress" # x\n', after: 'status: "done" # x\n' },
    { name: "single quotes", before: "status: 'review'\n", after: "status: 'done'\n" },
    { name: "no value", before: "status:\nid: x\n", after: "status: done\nid: x\n" },
    { name: "no value but blanks", before: "status:   \nid: x\n", after: "status:   done\nid: x\n" },
    { name: "no value but a comment", before: "status: # later\nid: x\n", after: "status: done # later\nid: x\n" },
    { name: "null", before: "status: null\n", after: "status: done\n" },
    { name: "a literal block", before: "status: |\n  review\nid: x\n", after: "status: done\nid: x\n" },
    { name: "a folded block at the end", before: "id: x\nstatus: >-\n  re\n  view\n", after: "id: x\nstatus: done\n" },
    { name: "two lines", before: "status: re\n  view\nid: x\n", after: "status: done\nid: x\n" },
    { name: "a quoted key", before: '"status": review\n', after: '"status": done\n' },
    { name: "an explicit key", before: "? status\n: review\n", after: "? status\n: done\n" },
    { name: "indented keys", before: "  id: x\n  status: a\n", after: "  id: x\n  status: done\n" },
    { name: "braces", before: "{ id: x, status: a, b: [1] }\n", after: "{ id: x, status: done, b: [1] }\n" },
    { name: "a missing key", before: "id: x\n", after: "id: x\nstatus: done\n" },
    {
      name: "a missing key after comments",
      before: "id: x\n# status: pending\n\n",
      after: "id: x\n# status: pending\n\nstatus: done\n",
    },
    { name: "a missing key after a list", before: "a:\n  - 1\n", after: "a:\n  - 1\nstatus: done\n" },
    { name: "a missing key after a block", before: "a: |+\n  x\n\n", after: "a: |+\n  x\n\nstatus: done\n" },
    { name: "a missing key among indented ones", before: "  a: 1\n", after: "  a: 1\n  status: done\n" },
    { name: "a missing key in braces", before: "{a: 1}\n", after: "{status: done, a: 1}\n" },
    { name: "a missing key in empty braces", before: "{}\n", after: "{status: done}\n" },
    { name: "only comments", before: "# none yet\n", after: "# none yet\nstatus: done\n" },
    { name: "nothing at all", before: "", after: "status: done\n" },
    { name: "a nested key of the same name", before: "a:\n  status: x\n", after: "a:\n  status: x\nstatus: done\n" },
    { name: "a tag", before: "status: !!str review\n", after: "status: !!str done\n" },
  ])("keeps everything else: $name", ({ before, after }) => {
    expect(set(front(before))).toBe(front(after));
    const windows = (text: string) => text.replaceAll("\n", "\r\n");
    expect(set(windows(front(before)))).toBe(windows(front(after)));
  });

  test("a text without front matter gets one, and the rest stays as it is", () => {
    expect(set("# Story 1.1: T\n")).toBe("---\nstatus: done\n---\n\n# Story 1.1: T\n");
    expect(set("\uFEFF# T\r\n")).toBe("\uFEFF---\r\nstatus: done\r\n---\r\n\r\n# T\r\n");
    expect(set("")).toBe("---\nstatus: done\n---\n");
  });

  test.for([
    ["in_progress", "in_progress"],
    ["2026-01-09T14:22:00Z", '"2026-01-09T14:22:00Z"'],
    ["ralph/app-shell-a1", "ralph/app-shell-a1"],
    ["yes", '"yes"'],
    ["12", '"12"'],
    ["a: b # c", '"a: b # c"'],
    ['say "hi"\n', '"say \\"hi\\"\\n"'],
    ["", '""'],
    [42, "42"],
    [null, "null"],
  ] as const)("the value %j is written as %s", ([value, written]) => {
    expect(set(front("status: x\n"), value)).toBe(front(`status: ${written}\n`));
  });

  test("a value that is there already changes no byte, however it is written", () => {
    const text = front("status:   'done'   # so\n");
    expect(set(text)).toBe(text);
  });

  test("several keys are set at once", () => {
    const text = setFields("p.md", front("unit: a\norch_status: pending\n"), {
      orch_status: "merging",
      orch_branch: "b",
    });
    expect(text).toBe(front("unit: a\norch_status: merging\norch_branch: b\n"));
  });

  test.for([
    {
      name: "front matter that is not YAML",
      text: "---\nid: x\na: b: c\n---\n",
      error: /^s\.md:3:1: front matter: it is not valid YAML/,
    },
    { name: "a key that stands twice", text: front("status: a\nstatus: b\n"), error: /^s\.md:3:1: .*unique/ },
    { name: "a list instead of keys", text: front("- a\n"), error: /^s\.md:2:1: .*key: value/ },
    { name: "front matter that never ends", text: "---\nid: x\n", error: /^s\.md:1:1: .*never closed/ },
  ])("$name is damage, and nothing is changed", ({ text, error }) => {
    expect(() => set(text)).toThrow(DamagedFile);
    expect(() => set(text)).toThrow(error);
  });

  test.for([
    { name: "a value that others refer to", yaml: "status: &s review\nother: *s\n" },
    { name: "a value with a tag of its own", yaml: "status: !!int 3\n" },
    { name: "a list", yaml: "status:\n  - a\n" },
  ])("$name cannot be set without changing something else, and is refused", ({ yaml }) => {
    expect(() => set(front(yaml))).toThrow(InvalidChange);
  });
});

/** Entries that people and tools write into front matter, each a valid piece of YAML by itself. */
const entry = fc.constantFrom(
  "title: A title",
  'title: "A \\"quoted\\" title: with colon"',
  "title: 'it''s'",
  "list:\n  - a\n  - b: c",
  "list: [a, 'b', {c: d}]",
  "text: |\n  ---\n  # no heading\n  status: fake\n",
  "text: >+\n  folded\n  text\n\n",
  "number: 3.10",
  "map:\n  status: nested\n  # a comment inside",
  "plain: over\n  two lines",
  "tilde: ~",
  "empty:",
  "unicode: „Grüße” 🙂",
  "tabs: a\tb",
  "url: https://example.com/a#b",
);
const filler = fc.constantFrom("", "# a comment", "# status: commented", "   # indented comment");
const statusLine = fc.constantFrom(
  { old: "status: OLD", now: "status: NEW" },
  { old: 'status: "OLD"', now: 'status: "NEW"' },
  { old: "status: 'OLD'   # why", now: "status: 'NEW'   # why" },
  { old: "status:    OLD   ", now: "status:    NEW   " },
  { old: "status:", now: "status: NEW" },
  { old: '"status" : OLD', now: '"status" : NEW' },
);
const file = fc.record({
  entries: fc.uniqueArray(fc.tuple(entry, filler), { selector: ([text]) => text.split(":")[0], maxLength: 6 }),
  status: fc.option(statusLine, { nil: null }),
  at: fc.nat(6),
  eol: fc.constantFrom("\n", "\r\n"),
  mark: fc.constantFrom("", "\uFEFF"),
  body: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "\n# Story 1.1: T\n", "---\nstatus: x\n---\n")),
});

describe("whatever valid file it is", () => {
  test("only the bytes of the changed key differ", () => {
    fc.assert(
      fc.property(file, fc.constantFrom("done", "in-progress", "blocked"), (parts, value) => {
        const others = parts.entries.flat().flatMap((text) => text.split("\n"));
        const cut = cutBetween(parts.entries, parts.at);
        const made = (line: string | null, last: string | null) => {
          const lines = [...others.slice(0, cut), ...(line === null ? [] : [line]), ...others.slice(cut)];
          const yaml = [...lines, ...(last === null ? [] : [last])].map((text) => text + parts.eol).join("");
          return `${parts.mark}---${parts.eol}${yaml}---${parts.eol}${parts.body}`;
        };
        const before = made(parts.status?.old ?? null, null);
        const after =
          parts.status === null ? made(null, `status: ${value}`) : made(parts.status.now.replace("NEW", value), null);
        const written = set(before, value);
        expect(written).toBe(after);
        expect(valuesOf(written)).toEqual({ ...valuesOf(before), status: value });
      }),
      { numRuns: 400 },
    );
  });

  test("any text is either set and read back, or refused and left alone", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (yaml, value) => {
        const text = `---\n${yaml}\n---\nbody`;
        try {
          const written = set(text, value);
          expect(valuesOf(written)).toMatchObject({ status: value });
        } catch (error) {
          expect(error instanceof DamagedFile || error instanceof InvalidChange).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });
});

/** The number of lines before the n-th entry. */
function cutBetween(entries: readonly (readonly [string, string])[], at: number): number {
  return entries
    .slice(0, at)
    .reduce((lines, [text, more]) => lines + text.split("\n").length + more.split("\n").length, 0);
}

function valuesOf(text: string): Record<string, unknown> {
  const split = splitFrontMatter(text);
  if (split.kind !== "found") return {};
  const read = readYamlMap(split.yaml, { firstLine: 2, scalars: "typed" });
  if (!read.ok) throw new Error(`${read.line}: ${read.message}`);
  return read.value;
}
