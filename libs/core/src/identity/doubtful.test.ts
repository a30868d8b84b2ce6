import type { Disposition, Finding, TrackedFinding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { track } from "../lineage/lineage.ts";
import { readSame } from "../review/index.ts";
import { finding, report } from "../testing/build.ts";
import { type DoubtfulPair, doubtfulPairs, matchRound, settled } from "./index.ts";

const NO_MOVES = { renames: {}, moves: [] };
const WAS: Finding = {
  category: "logic",
  severity: "high",
  title: "Out of order responses",
  description: "A slow request for an old query may answer after a fast one for the new query.",
  file: "src/search.ts",
  line: 12,
  snippet: "const hits = await fetchHits(query);",
};
const NOW: Finding = {
  ...WAS,
  title: "Stale results can win the race",
  description: "Typing quickly shows hits that belong to what was typed before.",
  line: 13,
  snippet: "setHits(hits);",
};
const OTHER: Finding = { ...WAS, title: "No error state", description: "A failure is shown as no hits.", line: 30 };

function see(ledger: readonly TrackedFinding[], round: number, findings: Finding[], matches?: object) {
  const seen = { round, head: `c${round}`, report: report({ findings }), standing: [], regions: [] };
  return track(ledger, { ...seen, ...NO_MOVES, lastFix: undefined, ...matches });
}

function doubts(ledger: readonly TrackedFinding[], findings: Finding[]): DoubtfulPair[] {
  return doubtfulPairs(ledger, findings, NO_MOVES, matchRound(ledger, findings, NO_MOVES));
}

describe("a pair is asked about", () => {
  const mine = { by: "ada", reason: "r" };
  test.for<{
    what: string;
    was?: Partial<Finding>;
    now?: Partial<Finding>;
    is?: Disposition;
    beside?: Finding[];
    asks: number;
  }>([
    { what: "in other words", asks: 1 },
    { what: "in the very same words, of which nobody need be asked", now: WAS, asks: 0 },
    {
      what: "in another file, whose lines nobody changed",
      now: { ...WAS, title: "Race", file: "src/other.ts", snippet: "x(y, 1, z);" },
      asks: 0,
    },
    { what: "of two named checks", was: { rule: "race" }, now: { rule: "state" }, asks: 0 },
    {
      what: "whose titles name other code",
      was: { title: "Race in `fetchHits`" },
      now: { title: "Race in `render`" },
      asks: 0,
    },
    { what: "that a person dismissed", is: { kind: "dismissed", ...mine }, asks: 0 },
    { what: "whose risk a person took", is: { kind: "accepted-risk", ...mine }, asks: 0 },
    { what: "that is fixed", is: { kind: "fixed", commit: "c1" }, asks: 0 },
    { what: "where the same words are there as well", beside: [WAS], asks: 0 },
  ])("$what: $asks", ({ was, now, is, beside = [], asks }) => {
    const ledger = see([], 1, [{ ...WAS, ...was }]).map((entry) => ({
      ...entry,
      disposition: is ?? entry.disposition,
    }));
    expect(doubts(ledger, [{ ...NOW, ...now }, ...beside])).toHaveLength(asks);
  });

  test("that is only sure because there is no other", () => {
    const near = { ...NOW, title: "Responses out of order", description: "An old query answers late and wins." };
    const ledger = see([], 1, [WAS]);
    const [pair] = matchRound(ledger, [near], NO_MOVES).pairs;
    expect(pair).toBeDefined();
    expect(doubts(ledger, [near])).toMatchObject([{ finding: 0, score: pair?.score }]);
  });

  test("no more than twenty, the surest first", () => {
    const ledger = see(
      [],
      1,
      [...Array(25).keys()].map((at) => finding({ ...WAS, line: 10 * at })),
    );
    const found = doubts(
      ledger,
      [...Array(25).keys()].map((at) => ({ ...NOW, line: 10 * at + 1 })),
    );
    expect(found).toHaveLength(20);
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

describe("the answer", () => {
  const pair = (earlier: number, now: number, score: number): DoubtfulPair => ({
    fingerprint: `f${earlier}`,
    earlier: WAS,
    finding: now,
    now: NOW,
    score,
  });
  // E1 and N1, E1 and N2, E2 and N1.
  const asked = [pair(1, 4, 0.6), pair(1, 5, 0.4), pair(2, 4, 0.2)];
  const all = (...same: boolean[]) =>
    ["E1 N1", "E1 N2", "E2 N1"].flatMap((name, index) => {
      const [earlier = "", now = ""] = name.split(" ");
      const it = same[index];
      return it === undefined ? [] : [{ earlier, now, same: it }];
    });
  const joins = (text: string, finished = true) => {
    const read = readSame({ text, finished }, asked);
    return "unreadable" in read
      ? "unreadable"
      : settled({ matcher: 1, pairs: [] }, asked, { by: "x", same: read }).pairs.map(
          (one) => `${one.fingerprint} ${one.finding}`,
        );
  };

  test.for<{ what: string; pairs: unknown; joined: string[] | "unreadable" }>([
    { what: "joins what it calls the same", pairs: all(true, false, false), joined: ["f1 4"] },
    { what: "joins nothing that it calls another", pairs: all(false, false, false), joined: [] },
    { what: "joins nothing that it leaves out", pairs: [], joined: [] },
    { what: "joins two that cross", pairs: all(false, true, true), joined: ["f1 5", "f2 4"] },
    { what: "joins one earlier finding once, to the surer", pairs: all(true, true, false), joined: ["f1 4"] },
    { what: "takes one for two earlier ones", pairs: all(true, false, true), joined: "unreadable" },
    { what: "names a pair twice", pairs: [...all(true), ...all(true)], joined: "unreadable" },
    {
      what: "names a finding that there is not",
      pairs: [{ earlier: "E9", now: "N1", same: true }],
      joined: "unreadable",
    },
    {
      what: "names a pair that was not asked about",
      pairs: [{ earlier: "E2", now: "N2", same: true }],
      joined: "unreadable",
    },
    { what: "is not plain", pairs: [{ earlier: "E1", now: "N1", same: "yes" }], joined: "unreadable" },
    { what: "says nothing", pairs: undefined, joined: "unreadable" },
  ])("that $what: $joined", ({ pairs, joined }) => {
    expect(joins(JSON.stringify({ pairs }))).toEqual(joined);
  });

  test.for([
    ["in prose", "They are all the same.", true],
    ["given twice", '{"pairs":[]} {"pairs":[{"earlier":"E1","now":"N1","same":true}]}', true],
    ["without an end", '{"pairs":[{"earlier":"E1","now":"N1","same":true}]}', false],
  ] as const)("%s joins nothing", ([, text, finished]) => {
    expect(joins(text, finished)).toBe("unreadable");
  });

  test("leaves what words decided, and parts what only they had joined", () => {
    const pairs = [
      { finding: 1, fingerprint: "f9", score: 0.9 },
      { finding: 4, fingerprint: "f1", score: 0.6 },
    ];
    const after = settled({ matcher: 1, pairs }, asked, { by: "x", unreadable: "why" });
    expect(after).toEqual({ matcher: 1, pairs: [pairs[0]], asked: { by: "x", pairs: 3, unreadable: "why" } });
  });
});

describe("the ledger", () => {
  const ledger = see([], 1, [WAS, OTHER]);
  const findings = [NOW];
  const words = matchRound(ledger, findings, NO_MOVES);
  const pairs = doubts(ledger, findings).filter(({ earlier }) => earlier.title === WAS.title);
  const matches = settled(words, pairs, { by: "claude", same: pairs });

  test("goes on with a finding that was said to be the same, and says by whom", () => {
    expect(see(ledger, 2, findings, { matches: words })).toHaveLength(3);
    const after = see(ledger, 2, findings, { matches });
    expect(after).toHaveLength(2);
    expect(after[0]).toMatchObject({
      fingerprint: ledger[0]?.fingerprint,
      lifecycle: "persisting",
      sightings: [{ round: 1 }, { round: 2, match: { by: "claude", matcher: words.matcher } }],
    });
    expect(see(ledger, 2, findings, { matches: JSON.parse(JSON.stringify(matches)) })).toEqual(after);
  });

  test("keeps no decision of a person by such a word, not even of the same words and code", () => {
    const dismissed = ledger.map((entry) => ({
      ...entry,
      disposition: { kind: "dismissed", by: "ada", reason: "r" } as const,
    }));
    const first = dismissed[0]?.fingerprint ?? "";
    const pair = { finding: 0, fingerprint: first, score: 0.5 };
    const kinds = (by?: string) => {
      const said = { matcher: 2, pairs: [{ ...pair, ...(by === undefined ? {} : { by }) }] };
      return see(dismissed, 2, [WAS], { matches: said })[0]?.disposition.kind;
    };
    expect([kinds(), kinds("claude")]).toEqual(["dismissed", "open"]);
  });
});
