import type { ChangedFile } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { finding, Play, report } from "../testing/build.ts";
import { fixBrief, fixLines, leftLines } from "../write/fix-lines.ts";
import { fixAccount, touchedBefore } from "./fix-account.ts";

const A = finding({ title: "A", file: "src/a.ts", line: 10, snippet: "a()" });
const B = finding({ title: "B", file: "src/a.ts", line: 100, snippet: "b()" });
const FILE = finding({ title: "File", file: "src/b.ts", line: undefined, snippet: undefined });
const NOWHERE = finding({ title: "Nowhere", file: undefined, line: undefined, snippet: undefined });
const open = new Play(POLICIES.gate).build().review(report({ claim: "fail", findings: [A, B, FILE, NOWHERE] })).state;
const nameOf = (title: string) => open.findings.find((entry) => entry.finding.title === title)?.fingerprint ?? "";

const at = (file: string, ...lines: [number, number][]) => ({ file, lines });

describe("what a fix settles", () => {
  test.for([
    { what: "its word, borne out by the lines", said: ["A"], touched: [at("src/a.ts", [12, 13])], fixed: ["A"] },
    { what: "its word about other lines", said: ["A"], touched: [at("src/a.ts", [100, 100])], fixed: [] },
    { what: "its word about another file", said: ["A"], touched: [at("src/b.ts", [10, 10])], fixed: [] },
    {
      what: "its word about a file that is gone",
      said: ["A"],
      touched: [{ file: "src/a.ts", lines: null }],
      fixed: ["A"],
    },
    { what: "its word on a file without a line", said: ["File"], touched: [at("src/b.ts", [1, 1])], fixed: ["File"] },
    { what: "its word alone, where there is no file", said: ["Nowhere"], touched: [], fixed: ["Nowhere"] },
    {
      what: "lines that it did not speak of",
      said: ["B"],
      touched: [at("src/a.ts", [10, 10], [100, 100])],
      fixed: ["B"],
    },
    { what: "no word, but the very line", said: null, touched: [at("src/a.ts", [10, 10])], fixed: ["A"] },
    { what: "no word, and a line near by", said: null, touched: [at("src/a.ts", [12, 12])], fixed: [] },
    {
      what: "no word, and the file of a finding without a line",
      said: null,
      touched: [at("src/b.ts", [1, 1])],
      fixed: ["File"],
    },
    { what: "no word, and no file", said: null, touched: [at("src/a.ts", [10, 10])], fixed: ["A"] },
  ])("$what", ({ said, touched, fixed }) => {
    const claims = said === null ? undefined : { addressed: said.map(nameOf), isSilent: false };
    const account = fixAccount({ findings: open.findings, claims }, touched as never);
    expect(account.fixed.map(({ title }) => title)).toEqual(fixed);
    expect(account.fixed.length + account.open.length).toBe(4);
  });

  test("what it calls wrong, and a secret in a commit, it does not settle", () => {
    const [first, ...rest] = open.findings;
    const [second] = rest;
    const findings = [
      { ...first!, refutation: "It is right." },
      { ...second!, heldIn: "c0" },
    ];
    const claims = { addressed: findings.map(({ fingerprint }) => fingerprint), isSilent: false };
    const { fixed, open: left } = fixAccount({ findings, claims }, [at("src/a.ts", [1, 200])]);
    expect(fixed).toEqual([]);
    expect(left.map(({ isRefuted }) => isRefuted)).toEqual([true, false]);
  });

  test("counts for the whole commit: a repair without a word makes the change speak", () => {
    const play = new Play(POLICIES.gate).build().review(report({ claim: "fail", findings: [A, B] }));
    const said = { type: "fixed", at: 9, usage: {}, changed: true, tree: "t", output: null } as const;
    const by = { agent: "scripted", model: null, provider: null };
    play.feed({ ...said, refutations: [], by, addressed: [nameOf("A")] });
    expect(play.state.claims).toEqual({ addressed: [nameOf("A")], isSilent: false });
    play.validate("failed").feed({ ...said, refutations: [], by });
    expect(play.state.claims).toEqual({ addressed: [nameOf("A")], isSilent: true });
    expect(play.validate().commit().state.claims).toBeUndefined();
  });
});

describe("where a change touched a file, before it", () => {
  const file = (over: Partial<ChangedFile>): ChangedFile => ({
    ...{ path: "new.ts", status: "modified", oldBlob: "1", newBlob: "2", mode: "100644", hunks: [] },
    ...over,
  });
  const hunk = (oldStart: number, lines: string[]) => {
    const oldLines = lines.filter((line) => !line.startsWith("+")).length;
    return { oldStart, oldLines, newStart: 1, newLines: 1, lines };
  };
  test.for([
    { what: "a removed line", of: { hunks: [hunk(4, [" a", "-b", " c"])] }, lines: [[5, 5]] },
    { what: "a line that came between two", of: { hunks: [hunk(4, [" a", "+b", " c"])] }, lines: [[4, 5]] },
    { what: "a deleted file", of: { status: "deleted", hunks: [hunk(1, ["-a"])] }, lines: null },
    { what: "a file of which git shows no lines", of: { skipped: "binary" }, lines: null },
  ] as const)("$what", ({ of, lines }) => {
    expect(touchedBefore(file(of as never))).toEqual({ file: "new.ts", lines });
  });

  test("a renamed file has its old name", () => {
    expect(touchedBefore(file({ oldPath: "old.ts", status: "renamed" })).file).toBe("old.ts");
  });
});

describe("its words", () => {
  const one = (title: string) => ({ title, category: "logic", file: "a.ts", line: 3, isRefuted: false }) as const;
  const [a, b, c] = [one("A"), one("B"), { ...one("C"), isRefuted: true }];
  test.for([
    { fixed: [a], open: [], brief: "A", lines: "" },
    { fixed: [a, b], open: [], brief: "A and 1 more", lines: "\n\nFixed: A (a.ts:3); B (a.ts:3)" },
    {
      fixed: [a],
      open: [b, c],
      brief: "A",
      lines: "\n\nFixed: A (a.ts:3)\nStill open: B (a.ts:3); C (a.ts:3), refuted",
    },
    { fixed: [], open: [b], brief: "its findings are still open", lines: "\n\nStill open: B (a.ts:3)" },
    { fixed: [], open: [], brief: "review findings", lines: "" },
  ])("$brief", ({ fixed, open, brief, lines }) => {
    expect(fixBrief({ fixed, open })).toBe(brief);
    expect(fixLines({ fixed, open })).toBe(lines);
  });

  test("are bounded", () => {
    const open = Array.from({ length: 30 }, () => one("x".repeat(500)));
    expect(leftLines({ fixed: [], open })).toMatch(/^\n\nStill open: (x{72}… \(a\.ts:3\); ){10}and 20 more$/u);
    expect(leftLines({ fixed: [a], open: [] })).toBe("");
  });
});
