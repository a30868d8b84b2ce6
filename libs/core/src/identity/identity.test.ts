import type { FileMoves, Finding, TrackedFinding } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openFindings, track } from "../lineage/lineage.ts";
import { mergeFindings } from "../review/merge-findings.ts";
import { finding, report } from "../testing/build.ts";
import { assign } from "./assign.ts";
import { carriedOn } from "./carried-finding.ts";
import { stemsOf } from "./words.ts";

type Since = { moves?: FileMoves[]; renames?: Record<string, string> };

function see(ledger: readonly TrackedFinding[], round: number, findings: Finding[], since: Since = {}) {
  const seen = { round, head: `c${round}`, report: report({ findings }), standing: [], regions: [] };
  return track(ledger, { ...seen, renames: {}, lastFix: undefined, ...since });
}
const lives = (ledger: readonly TrackedFinding[]) => ledger.map(({ lifecycle }) => lifecycle);

const LEAK: Finding = {
  category: "logic",
  severity: "high",
  title: "The lock is never released",
  description: "When parse() throws, the lock that acquire() took stays held and every later request hangs.",
  file: "src/queue.ts",
  line: 20,
  snippet: "const lock = await acquire(name);",
};

describe("the same finding in a later round", () => {
  test.for<{ what: string; now: Partial<Finding>; since?: Since }>([
    { what: "another category and severity", now: { category: "performance", severity: "low" } },
    { what: "one line off, with the neighbour's code", now: { line: 21, snippet: "const job = parse(text);" } },
    { what: "far away, with other code", now: { line: 300, snippet: "release(other);" } },
    { what: "no line any more", now: { line: undefined, snippet: undefined } as never },
    { what: "its code indented anew", now: { snippet: "    const lock =\n      await acquire(name);" } },
    {
      what: "other words for it where it stands now",
      now: { title: "Lock leaks on errors", description: "parse() may throw, then nobody releases it.", line: 27 },
      since: { moves: [{ file: "src/queue.ts", edits: [[3, 0, 3, 7]] }] },
    },
    {
      what: "words of which hardly one is the same",
      now: {
        title: "Workers wait for ever",
        description: "After an unsuccessful attempt nobody frees the mutex.",
        severity: "critical",
      },
    },
    {
      what: "its file renamed",
      now: { file: "src/jobs.ts", title: "Lock is never released when parse() throws" },
      since: { renames: { "src/queue.ts": "src/jobs.ts" }, moves: [] },
    },
  ])("$what", ({ now, since }) => {
    const before = see([], 1, [LEAK]);
    const after = see(before, 2, [{ ...LEAK, ...now }], since);
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ fingerprint: before[0]?.fingerprint, firstRound: 1, lastRound: 2 });
  });

  test.for<{ what: string; now: Partial<Finding> }>([
    { what: "another defect on the same line", now: { title: "Name is misleading", description: "Call it mutex." } },
    { what: "the same words about another file", now: { file: "src/other.ts", snippet: "take(it);" } },
    { what: "a named check that found other code", now: { rule: "lock", snippet: "lockAll(rooms, users, 3);" } },
  ])("is not $what", ({ now }) => {
    const first = now.rule === undefined ? LEAK : { ...LEAK, rule: now.rule };
    expect(lives(see(see([], 1, [first]), 2, [{ ...LEAK, ...now }]))).toEqual(["resolved", "new"]);
  });

  test("the same sentence about another function is another finding, also when the first is gone", () => {
    const get = { ...LEAK, title: "path traversal in Get", description: "Join cleans the name, but does not confine." };
    const remove = { ...get, title: "path traversal in Delete" };
    expect(lives(see(see([], 1, [get]), 2, [{ ...remove, line: 42, snippet: "os.Remove(path);" }]))).toEqual([
      "resolved",
      "new",
    ]);
  });

  test("one defect in three rounds, of which each says it in another way, is one finding with one fingerprint", () => {
    const moved: Since = { moves: [{ file: "src/queue.ts", edits: [[2, 1, 2, 6]] }] };
    const renamed: Since = {
      moves: [{ file: "src/jobs.ts", edits: [[1, 4, 1, 0]] }],
      renames: { "src/queue.ts": "src/jobs.ts" },
    };
    let ledger = see([], 1, [LEAK]);
    const [name] = ledger.map(({ fingerprint }) => fingerprint);
    const second = {
      title: "Lock stays held after an error",
      description: "If parse() throws, the lock from acquire() is never released, so requests hang.",
    };
    ledger = see(
      ledger,
      2,
      [{ ...LEAK, ...second, category: "performance", line: 26, snippet: "const job = parse(text);" }],
      moved,
    );
    const third = {
      title: "Requests hang once parse() has thrown",
      description: "Nothing releases the lock in that case.",
    };
    ledger = see(ledger, 3, [{ ...LEAK, ...third, severity: "critical", file: "src/jobs.ts", line: 21 }], renamed);
    expect(ledger).toHaveLength(1);
    expect(ledger[0]).toMatchObject({ fingerprint: name, firstRound: 1, lastRound: 3, lifecycle: "moved" });
    expect(ledger[0]?.sightings).toMatchObject([
      { round: 1, codeChanged: null },
      { round: 2, codeChanged: false, match: { matcher: 2 } },
      { round: 3, codeChanged: false, match: { matcher: 2 } },
    ]);
  });

  test("equal findings keep the order of their lines, however far all of them moved", () => {
    const at = (line: number) => ({ ...LEAK, line });
    const before = see([], 1, [at(10), at(20), at(30)]);
    const after = see(before, 2, [at(70), at(60), at(50)]);
    expect(after.map(({ finding: { line } }) => line)).toEqual([50, 60, 70]);
  });

  test("what was decided when the review came in counts, whatever would be decided now", () => {
    const before = see([], 1, [LEAK]);
    const seen = { round: 2, head: "c2", report: report({ findings: [LEAK] }), standing: [], regions: [], renames: {} };
    const after = track(before, { ...seen, lastFix: undefined, matches: { matcher: 9, pairs: [] } });
    expect(lives(after)).toEqual(["resolved", "new"]);
  });
});

describe("a finding that a round passes over", () => {
  test("is carried along with its code, so that a later round finds it there", () => {
    const shifted: Since = {
      moves: [{ file: "src/jobs.ts", edits: [[1, 0, 1, 40]] }],
      renames: { "src/queue.ts": "src/jobs.ts" },
    };
    const passed = see(see([], 1, [LEAK]), 2, [], shifted);
    expect(passed).toMatchObject([{ finding: { file: "src/jobs.ts", line: 60 }, lastRound: 1 }]);
    const again = {
      ...LEAK,
      title: "Lock leaks",
      description: "Not released when parse() throws.",
      file: "src/jobs.ts",
      line: 60,
    };
    expect(lives(see(passed, 3, [again], { moves: [] }))).toEqual(["regressed"]);
  });

  test.for([
    { what: "before an edit", line: 2, now: 2, codeChanged: false },
    { what: "behind inserted lines", line: 5, now: 8, codeChanged: false },
    { what: "in replaced lines", line: 11, now: 14, codeChanged: true },
    { what: "in removed lines", line: 21, now: 23, codeChanged: true },
    { what: "behind all", line: 30, now: 31, codeChanged: false },
  ])("stands where its line is now: $what", ({ line, now, codeChanged }) => {
    const edits: FileMoves["edits"] = [
      [3, 0, 3, 3],
      [10, 2, 13, 2],
      [20, 2, 23, 0],
    ];
    const moved = carriedOn({ ...LEAK, line }, { moves: [{ file: "src/queue.ts", edits }], renames: {} });
    expect(moved).toMatchObject({ finding: { line: now }, codeChanged });
  });
});

describe("a person's decision", () => {
  const dismissed = { kind: "dismissed", by: "ada", reason: "intended" } as const;
  const ruled = () => see([], 1, [LEAK]).map((entry) => ({ ...entry, disposition: dismissed }));
  const beside = { ...LEAK, line: 21, snippet: "const job = parse(text);" };
  test.for([
    { what: "the line beside it, which nobody touched", now: [beside], since: { moves: [] }, open: 0 },
    { what: "the line beside it, of which nothing is known", now: [beside], since: {}, open: 1 },
    {
      what: "two that could be meant",
      now: [beside, { ...LEAK, line: 19, snippet: "x();" }],
      since: { moves: [] },
      open: 2,
    },
    {
      what: "code that was edited",
      now: [beside],
      since: { moves: [{ file: "src/queue.ts", edits: [[21, 1, 21, 1]] }] },
      open: 1,
    },
    { what: "another category", now: [{ ...LEAK, category: "performance" as const }], since: {}, open: 0 },
    { what: "something worse", now: [{ ...LEAK, severity: "critical" as const }], since: {}, open: 1 },
  ])("about $what leaves $open open", ({ now, since, open }) => {
    expect(openFindings(see(ruled(), 2, now as Finding[], since as Since))).toHaveLength(open);
  });
});

describe("several reviewers", () => {
  const words = ["lock", "token", "cart", "retry", "cache", "index", "clock", "queue", "mail", "price"];
  const some = fc
    .array(
      fc.record({
        line: fc.integer({ min: 1, max: 60 }),
        say: fc.subarray(words, { minLength: 3 }),
        file: fc.constantFrom("a.ts", "b.ts"),
      }),
      { maxLength: 4 },
    )
    .map((all) =>
      all.map(({ line, say, file }) =>
        finding({ title: say.join(" "), description: "", line, file, snippet: `${say[0]}();` }),
      ),
    );
  const reported = (lists: Finding[][]) => {
    const named = lists.map((findings, list) => findings.map((one, n) => ({ ...one, seenBy: [`${list}.${n}`] })));
    return (order: readonly number[]) =>
      new Set(
        mergeFindings(order.map((at) => ({ findings: named[at] ?? [] }))).map(({ seenBy = [] }) =>
          [...seenBy].sort().join("+"),
        ),
      );
  };

  test("are merged in the same way in whatever order they come (property)", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(some, { minLength: 3, maxLength: 3, selector: (one) => JSON.stringify(one) }),
        (lists) => {
          const distinct = lists.map((all) => [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]);
          const merge = reported(distinct);
          for (const order of [
            [0, 2, 1],
            [1, 0, 2],
            [2, 1, 0],
          ])
            expect(merge(order)).toEqual(merge([0, 1, 2]));
        },
      ),
    );
  });

  test("of one name agree with nobody but themselves", () => {
    const merged = mergeFindings([
      { by: "a", findings: [LEAK] },
      { by: "a", findings: [LEAK] },
    ]);
    expect(merged).toMatchObject([{ seenBy: ["a"] }]);
  });

  test("are one where a third of their words is the same, in one file and whatever the category", () => {
    const other = {
      ...LEAK,
      category: "performance" as const,
      line: 31,
      snippet: "}",
      title: "Lock never released",
      description: "parse() may throw while the lock from acquire() is held.",
    };
    expect(
      mergeFindings([
        { by: "a", findings: [LEAK] },
        { by: "b", findings: [other] },
      ]),
    ).toHaveLength(1);
    const elsewhere = { ...other, file: "src/other.ts" };
    expect(
      mergeFindings([
        { by: "a", findings: [LEAK] },
        { by: "b", findings: [elsewhere] },
      ]),
    ).toHaveLength(2);
  });
});

describe("words", () => {
  test.for([
    { one: "maxRetries is ignored", other: "max_retries: ignoring it", same: ["max", "retr"] },
    { one: "Проверка токена пропущена", other: "проверки токенов", same: ["провер", "токена", "токено"] },
    { one: "认证令牌未验证", other: "令牌没有验证", same: ["令牌", "验证"] },
    { one: "検証されていないトークン", other: "トークンの検証", same: ["検証", "トー"] },
    { one: "see cart.ts:12 and lines 3-4", other: "see cart.ts:99 and line 7", same: ["cart"] },
  ])("of $one are found in $other", ({ one, other, same }) => {
    const [a, b] = [stemsOf(one), stemsOf(other)];
    for (const word of same)
      expect(
        [...a, ...b].some((stem) => stem.startsWith(word.slice(0, 5))),
        word,
      ).toBe(true);
    expect([...a].some((stem) => b.has(stem))).toBe(true);
  });
});

describe("an assignment", () => {
  test("is worth most as a whole, where the best first would not be", () => {
    const edges = [
      { left: 0, right: 0, value: 10 },
      { left: 0, right: 1, value: 9 },
      { left: 1, right: 0, value: 8 },
    ];
    expect(
      assign(edges)
        .map(({ left, right }) => `${left}-${right}`)
        .sort(),
    ).toEqual(["0-1", "1-0"]);
  });

  test("equals trying all of them (property)", () => {
    const table = fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 4, maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    });
    const best = (rows: number[][], used: ReadonlySet<number>): number => {
      const [row, ...rest] = rows;
      if (row === undefined) return 0;
      const taken = row.map((value, at) => (used.has(at) ? 0 : value + best(rest, new Set([...used, at]))));
      return Math.max(best(rest, used), ...taken);
    };
    fc.assert(
      fc.property(table, (rows) => {
        const edges = rows.flatMap((row, left) =>
          row.flatMap((value, right) => (value === 0 ? [] : [{ left, right, value }])),
        );
        expect(assign(edges).reduce((sum, { value }) => sum + value, 0)).toBe(best(rows, new Set()));
      }),
    );
  });

  test("of many thousand equal findings takes no time worth speaking of", () => {
    const many = Array.from({ length: 3_000 }, (_, n) => ({ ...LEAK, line: n + 1 }));
    const before = see([], 1, many);
    expect(lives(see(before, 2, many)).filter((life) => life === "persisting").length).toBe(3_000);
  });
});
