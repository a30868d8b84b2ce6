import type { CompleteReport, Finding, Ruling, TrackedFinding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { mergeFindings } from "./merge-findings.ts";
import { mergeParts } from "./merge-parts.ts";

const finding = (more: Partial<Finding> = {}): Finding => ({
  category: "logic",
  severity: "medium",
  title: "The lock is never released",
  description: "After an error the lock taken above is never released.",
  file: "src/a.ts",
  line: 3,
  ...more,
});
const report = (more: Partial<CompleteReport> = {}): CompleteReport => ({
  status: "complete",
  claim: "pass",
  findings: [],
  summary: "Fine.",
  rulings: [],
  notes: [],
  ...more,
});
const merged = (reports: CompleteReport[], earlier: TrackedFinding[] = []) =>
  mergeParts(
    reports.map((one, index) => ({ report: one, files: [`src/${"ab"[index]}.ts`] })),
    reports.length,
    earlier,
  ) as CompleteReport;

describe("reports of parts become one", () => {
  test.for([
    [["pass", "pass"], "pass"],
    [["pass", "fail"], "fail"],
    [["pass", null], null],
    [["fail", null], "fail"],
  ] as const)("claims %j make %s", ([claims, expected]) => {
    expect(merged(claims.map((claim) => report({ claim }))).claim).toBe(expected);
  });

  test("one that came to nothing makes the whole inconclusive, and is named", () => {
    const broken = { status: "inconclusive", reason: "no answer" } as const;
    const parts = [
      { report: report(), files: ["a"] },
      { report: broken, files: ["b", "c", "d"] },
    ];
    expect(mergeParts(parts, 3, [])).toEqual({
      status: "inconclusive",
      reason: "part 2 of 3 (b and 2 more): no answer",
    });
    expect(mergeParts(parts.slice(0, 1), 2, [])).toMatchObject({ status: "inconclusive" });
  });

  test("the lowest score of each dimension counts, and that is said; one that is missing anywhere is missing", () => {
    const both = merged([report({ scores: { a: 90, b: 70, c: 1 } }), report({ scores: { a: 80, b: 95 } })]);
    expect(both.scores).toEqual({ a: 80, b: 70 });
    expect(both.notes).toContain("Each score is the lowest that any part got.");
    expect(merged([report({ scores: { a: 90 } }), report()]).scores).toBeUndefined();
  });

  test("a requirement is met where a part says so and none says that it is not", () => {
    const parts = [
      { met: ["Logs in.", "Logs out"], unmet: [] },
      { met: [], unmet: ["logs out", "Locks"] },
    ];
    expect(merged(parts.map((compliance) => report({ compliance }))).compliance).toEqual({
      met: ["Logs in."],
      unmet: ["logs out", "Locks"],
    });
  });

  test("summaries, demands and notes are kept with the part that they are from", () => {
    const one = merged([report({ demand: "Mend it.", notes: ["odd"] }), report({ summary: "Good." })]);
    expect(one).toMatchObject({ summary: "Part 1: Fine.\n\nPart 2: Good.", demand: "Part 1: Mend it." });
    expect(one.notes).toEqual(["The change was reviewed in 2 parts.", "Part 1: odd"]);
  });
});

describe("rulings of parts on a finding in src/a.ts, which part 1 shows", () => {
  const entry = { fingerprint: "f", finding: finding() } as TrackedFinding;
  const ruling = (word: Ruling["ruling"] | null): Ruling[] =>
    word === null ? [] : [{ fingerprint: "f", ruling: word }];
  test.for([
    ["fixed", "open", "fixed"],
    ["open", "fixed", "open"],
    ["fixed", null, "fixed"],
    ["refuted", "fixed", "refuted"],
    [null, "open", "open"],
    [null, "fixed", undefined],
    [null, null, undefined],
  ] as const)("%s by part 1 and %s by part 2 is %s", ([first, second, expected]) => {
    const { rulings } = merged([report({ rulings: ruling(first) }), report({ rulings: ruling(second) })], [entry]);
    expect(rulings[0]?.ruling).toBe(expected);
  });

  test("where no part shows the file, open wins", () => {
    const elsewhere = { ...entry, finding: finding({ file: "src/z.ts" }) };
    const of = (first: Ruling["ruling"], second: Ruling["ruling"]) =>
      merged([report({ rulings: ruling(first) }), report({ rulings: ruling(second) })], [elsewhere]).rulings[0]?.ruling;
    expect(of("fixed", "open")).toBe("open");
    expect(of("fixed", "fixed")).toBe("fixed");
  });
});

describe("findings without doubles", () => {
  test.for([
    ["the same code", finding({ snippet: "lock()" }), finding({ snippet: " lock( )".replace("( ", "("), line: 90 }), 1],
    ["the same place in like words", finding(), finding({ line: 4, title: "Lock never released after an error" }), 1],
    [
      "the same place and category in other words",
      finding(),
      finding({ title: "Wrong total", description: "Adds 1." }),
      2,
    ],
    ["like words in another place", finding(), finding({ line: 90 }), 2],
    ["like words in another file", finding(), finding({ file: "src/b.ts" }), 2],
    [
      "no place and like words",
      finding({ file: undefined, line: undefined } as never),
      finding({ file: undefined, line: undefined } as never),
      1,
    ],
  ] as const)("%s", ([, a, b, count]) => {
    expect(
      mergeFindings([
        { by: "claude", findings: [a] },
        { by: "codex", findings: [b] },
      ]),
    ).toHaveLength(count);
  });

  test("two of one list stay two, and each finds its own", () => {
    const two = [finding({ snippet: "x" }), finding({ snippet: "x", title: "Wrong total", description: "Adds one." })];
    expect(
      mergeFindings([
        { by: "a", findings: two },
        { by: "b", findings: two.toReversed() },
      ]),
    ).toEqual(two.map((one) => ({ ...one, seenBy: ["a", "b"] })));
  });

  test("the worse counts, who saw it is named, and no words are lost", () => {
    const WORDS = "Adds one too many, so that the caller pays for shipping and taxes of a basket that is empty.";
    const a = finding({ snippet: "x", description: WORDS, title: "Sum" });
    const b = finding({
      snippet: "x",
      severity: "critical",
      title: "Sum",
      description: "Breaks for a gift: prices may be null, the total is NaN and the caller pays no shipping at all.",
    });
    expect(
      mergeFindings([
        { by: "a", findings: [a] },
        { by: "b", findings: [b] },
      ]),
    ).toEqual([{ ...b, description: `${b.description}\n\na: ${a.description}`, seenBy: ["a", "b"] }]);
  });

  test("a named check keeps its name and category", () => {
    const secret = finding({ rule: "secret", category: "security", severity: "high" });
    const [one] = mergeFindings([
      { by: "a", findings: [finding({ severity: "critical" })] },
      { by: "b", findings: [secret] },
    ]);
    expect(one).toMatchObject({ rule: "secret", category: "security", severity: "critical" });
  });
});
