import type { CompleteReport, Finding, TrackedFinding } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { finding, report } from "../testing/build.ts";
import { type Observation, openFindings, track, unchangedFindings } from "./lineage.ts";

function see(ledger: readonly TrackedFinding[], round: number, findings: Finding[], over: Partial<Observation> = {}) {
  const answer: CompleteReport = report({ findings });
  const seen = { round, head: `c${round}`, report: answer, standing: [], regions: [], renames: {}, lastFix: undefined };
  return track(ledger, { ...seen, ...over });
}
const names = (ledger: readonly TrackedFinding[]) => ledger.map((entry) => entry.fingerprint);
const lives = (ledger: readonly TrackedFinding[]) => ledger.map((entry) => entry.lifecycle);

describe("a fingerprint", () => {
  const one = finding();
  test.for([
    { what: "reworded", other: finding({ title: "Empty carts crash", description: "other words" }), same: true },
    { what: "shifted by 200 lines", other: finding({ line: 210 }), same: true },
    { what: "reindented", other: finding({ snippet: "\t  return   items.reduce((a, b) => a + b);" }), same: true },
    { what: "of another severity", other: finding({ severity: "low" }), same: true },
    { what: "in another file", other: finding({ file: "src/order.ts" }), same: false },
    { what: "about other code", other: finding({ snippet: "return 0;" }), same: false },
    { what: "of another category", other: finding({ category: "security" }), same: false },
    { what: "of a named rule", other: finding({ rule: "no-reduce" }), same: false },
  ])("of the finding $what is the same: $same", ({ other, same }) => {
    expect(names(see([], 1, [other]))[0] === names(see([], 1, [one]))[0]).toBe(same);
  });

  test("two equal snippets in one file stay two findings, named in the order of their lines", () => {
    const [upper, lower] = [finding({ line: 3 }), finding({ line: 90 })];
    const [a, b] = names(see([], 1, [upper, lower]));
    expect(a).not.toBe(b);
    expect(see([], 1, [lower, upper])).toMatchObject([
      { fingerprint: a, finding: { line: 3 } },
      { fingerprint: b, finding: { line: 90 } },
    ]);
  });

  test("does not depend on line or prose (property)", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.integer({ min: 1, max: 9e6 }), (title, description, line) => {
        expect(names(see([], 1, [finding({ title, description, line })]))).toEqual(names(see([], 1, [one])));
      }),
    );
  });
});

describe("over rounds a finding", () => {
  test("is new, then persisting, then resolved by the commit, then regressed", () => {
    let ledger = see([], 1, [finding()]);
    expect(lives(ledger)).toEqual(["new"]);
    ledger = see(ledger, 2, [finding({ line: 55, title: "reworded" })]);
    expect(ledger).toMatchObject([{ lifecycle: "persisting", firstRound: 1, lastRound: 2, finding: { line: 55 } }]);
    ledger = see(ledger, 3, []);
    expect(ledger).toMatchObject([
      { lifecycle: "resolved", disposition: { kind: "fixed", commit: "c3" }, lastRound: 2 },
    ]);
    ledger = see(ledger, 4, [finding()]);
    expect(ledger).toMatchObject([
      { lifecycle: "regressed", disposition: { kind: "open" }, firstRound: 1, lastRound: 4 },
    ]);
  });

  test("keeps its identity when its file is renamed, and is moved", () => {
    const before = see([], 1, [finding()]);
    const after = see(before, 2, [finding({ file: "src/basket.ts" })], { renames: { "src/cart.ts": "src/basket.ts" } });
    expect(after).toMatchObject([
      { lifecycle: "moved", fingerprint: before[0]?.fingerprint, finding: { file: "src/basket.ts" } },
    ]);
  });

  test("keeps its identity when an unrelated file is renamed", () => {
    const before = see([], 1, [finding()]);
    const after = see(before, 2, [finding()], { renames: { "docs/a.md": "docs/b.md" } });
    expect(after).toMatchObject([{ lifecycle: "persisting", fingerprint: before[0]?.fingerprint }]);
  });

  test("is moved when the same code turns up in one other file only; two candidates are new", () => {
    const before = see([], 1, [finding()]);
    expect(lives(see(before, 2, [finding({ file: "src/x.ts" })]))).toEqual(["moved"]);
    const two = see(before, 2, [finding({ file: "src/x.ts" }), finding({ file: "src/y.ts" })]);
    expect(lives(two)).toEqual(["resolved", "new", "new"]);
  });

  test("stays open without a ruling while its code stands", () => {
    const before = see([], 1, [finding()]);
    const after = see(before, 2, [], { standing: names(before) });
    expect(after).toMatchObject([{ lifecycle: "persisting", disposition: { kind: "open" }, lastRound: 1 }]);
  });

  test.for([
    { ruling: "fixed", kind: "fixed", lifecycle: "resolved" },
    { ruling: "refuted", kind: "refuted", lifecycle: "resolved" },
    { ruling: "open", kind: "open", lifecycle: "persisting" },
  ] as const)("ruled $ruling is $kind and $lifecycle", ({ ruling, kind, lifecycle }) => {
    const before = see([], 1, [finding()]);
    const answer = report({ rulings: [{ fingerprint: names(before)[0]!, ruling, evidence: "see test" }] });
    expect(see(before, 2, [], { report: answer, standing: names(before) })).toMatchObject([
      { lifecycle, disposition: { kind } },
    ]);
  });

  test("reported again is open again, whatever the same answer rules", () => {
    const before = see([], 1, [finding()]);
    const answer = report({ findings: [finding()], rulings: [{ fingerprint: names(before)[0]!, ruling: "fixed" }] });
    expect(see(before, 2, [], { report: answer })).toMatchObject([
      { lifecycle: "persisting", disposition: { kind: "open" } },
    ]);
  });
});

describe("findings that show no code", () => {
  const vague = (over: Partial<Finding> = {}): Finding => {
    const {
      snippet: _,
      line: __,
      ...rest
    } = finding({ title: "Missing tests for failed logins", description: "no test covers a locked account", ...over });
    return rest;
  };
  test("are matched by similar words within category and path", () => {
    const before = see([], 1, [vague()]);
    const after = see(before, 2, [
      vague({ title: "There are no tests for failed logins or a locked account", description: "still missing" }),
    ]);
    expect(after).toMatchObject([{ lifecycle: "persisting", fingerprint: before[0]?.fingerprint }]);
  });
  test("in another file are new, in another category the same", () => {
    const before = see([], 1, [vague()]);
    expect(lives(see(before, 2, [vague({ file: "src/login.ts" })]))).toEqual(["persisting", "new"]);
    expect(lives(see(before, 2, [vague({ category: "testing" })]))).toEqual(["persisting"]);
  });
  test("that are equal go on in their order", () => {
    const before = see([], 1, [vague(), vague()]);
    expect(new Set(names(before)).size).toBe(2);
    expect(lives(see(before, 2, [vague()]))).toEqual(["persisting", "persisting"]);
  });
});

describe("origin", () => {
  const regions = [{ file: "src/cart.ts", ranges: [[5, 20]] as [number, number][] }];
  const lastFix = { round: 1, regions: [{ file: "src/cart.ts", ranges: [[30, 40]] as [number, number][] }] };
  test.for([
    { where: "a changed line in round 1", round: 1, line: 10, origin: { kind: "change" } },
    { where: "a line outside of the change", round: 1, line: 99, origin: { kind: "pre-existing" } },
    { where: "a line that the last fix touched", round: 2, line: 35, origin: { kind: "fix", round: 1 } },
    { where: "an original line found late", round: 2, line: 10, origin: { kind: "change" } },
  ])("$where → $origin.kind", ({ round, line, origin }) => {
    const [entry] = see([], round, [finding({ line })], { regions, ...(round > 1 ? { lastFix } : {}) });
    expect(entry?.origin).toEqual(origin);
  });
});

describe("dispositions", () => {
  const dismissed = { kind: "dismissed", by: "ada", reason: "intended" } as const;

  test.for([
    { what: "the same words", now: {}, keeps: true },
    {
      what: "a word that names another hole",
      now: { description: "No permission is checked for delete." },
      keeps: false,
    },
    { what: "the contrary", now: { description: "No permission is not checked for read." }, keeps: false },
  ])("about a critical finding is kept for $what: $keeps", ({ now, keeps }) => {
    const hole = finding({ severity: "critical", title: "Open", description: "No permission is checked for read." });
    const ledger = see([], 1, [hole]).map((entry) => ({ ...entry, disposition: dismissed }));
    const open = openFindings(see(ledger, 2, [{ ...hole, ...now }]));
    expect(open).toHaveLength(keeps ? 0 : 1);
  });

  test("a dismissal is remembered while the code is the same", () => {
    const ledger = see([], 1, [finding()]).map((entry) => ({ ...entry, disposition: dismissed }));
    expect(openFindings(see(ledger, 2, [finding({ title: "Total is wrong once more" })]))).toEqual([]);
    expect(openFindings(see(ledger, 2, [finding({ snippet: "changed()" })]))).toHaveLength(1);
  });
  test("a dismissal of one of two equal snippets does not slip to the other when one goes away", () => {
    const [first, second] = see([], 1, [finding({ line: 1 }), finding({ line: 50 })]);
    const ledger = [{ ...first!, disposition: dismissed }, second!];
    expect(openFindings(see(ledger, 2, [finding({ line: 50 })]))).toHaveLength(1);
    expect(openFindings(see(ledger, 2, [finding({ line: 1 }), finding({ line: 50 })]))).toHaveLength(1);
  });
});

describe("a dismissal does not leak", () => {
  const dismiss = (ledger: readonly TrackedFinding[]) =>
    ledger.map((entry) => ({ ...entry, disposition: { kind: "dismissed", by: "ada", reason: "fixture" } as const }));
  test("to the same code in another file", () => {
    const ledger = dismiss(see([], 1, [finding({ file: "test/fixture.ts" })]));
    expect(openFindings(see(ledger, 2, [finding({ file: "src/prod.ts" })]))).toHaveLength(1);
  });
  test("to something worse about the same line", () => {
    const ledger = dismiss(see([], 1, [finding({ severity: "medium" })]));
    expect(openFindings(see(ledger, 2, [finding({ severity: "critical", title: "SQL injection" })]))).toHaveLength(1);
    expect(openFindings(see(ledger, 2, [finding({ severity: "low" })]))).toHaveLength(0);
  });
  test("to another defect on the same line", () => {
    const ledger = dismiss(see([], 1, [finding({ title: "Name is unclear", description: "call it total" })]));
    const other = finding({ title: "SQL injection deletes every user", description: "the id is concatenated" });
    expect(openFindings(see(ledger, 2, [other]))).toHaveLength(1);
  });
  test("between equal snippets when one goes and another comes", () => {
    const [first, second] = see([], 1, [finding({ line: 10 }), finding({ line: 50 })]);
    const ledger = [...dismiss([first!]), second!];
    expect(openFindings(see(ledger, 2, [finding({ line: 50 }), finding({ line: 90 })]))).toHaveLength(2);
  });
  test("but stays with its file through a rename", () => {
    const ledger = dismiss(see([], 1, [finding()]));
    const renames = { "src/cart.ts": "src/basket.ts" };
    expect(openFindings(see(ledger, 2, [finding({ file: "src/basket.ts" })], { renames }))).toEqual([]);
  });
});

test("a report given twice keeps every identity, though one finding's words are part of another's", () => {
  const vague = (title: string): Finding => ({
    category: "testing",
    severity: "high",
    title,
    description: "",
    file: "a.ts",
  });
  const twice = [vague("no tests"), vague("no tests for the login")];
  const before = see([], 1, twice);
  expect(lives(see(before, 2, twice))).toEqual(["persisting", "persisting"]);
});

describe("standing", () => {
  const ledger = see([], 1, [finding()]);
  const vague = see([], 1, [(({ snippet: _, ...rest }) => rest)(finding())]);
  test("is the code of an open finding that the file still has, however it is indented", () => {
    expect(unchangedFindings(ledger, () => "x\n  return items.reduce((a, b) =>\n a + b);\n", new Set())).toEqual(
      names(ledger),
    );
    expect(unchangedFindings(ledger, () => "return items\n  .reduce((a, b) => a + b);", new Set())).toEqual(
      names(ledger),
    );
    expect(unchangedFindings(ledger, () => "return 0;", new Set())).toEqual([]);
    expect(unchangedFindings(ledger, () => null, new Set())).toEqual([]);
  });
  test("without code to look for, a file that the fix did not touch still stands", () => {
    expect(unchangedFindings(vague, () => "", new Set())).toEqual(names(vague));
    expect(unchangedFindings(vague, () => "", new Set(["src/cart.ts"]))).toEqual([]);
  });
});

test("names are unique in a ledger, and nothing is ever lost from it (property)", () => {
  const some = fc.array(
    fc.record({
      snippet: fc.constantFrom("a", "b", ""),
      file: fc.constantFrom("x", "y"),
      line: fc.integer({ min: 1, max: 9 }),
      title: fc.constantFrom("one two three", "four five six"),
    }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(fc.array(some, { maxLength: 5 }), (rounds) => {
      let ledger: TrackedFinding[] = [];
      for (const [n, findings] of rounds.entries()) {
        const next = see(
          ledger,
          n + 1,
          findings.map((f) => finding(f)),
        );
        expect(names(next).slice(0, ledger.length)).toEqual(names(ledger));
        expect(next.filter((entry) => entry.lastRound === n + 1)).toHaveLength(findings.length);
        expect(new Set(names(next)).size).toBe(next.length);
        ledger = next;
      }
    }),
  );
});
