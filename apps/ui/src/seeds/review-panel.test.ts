import type { AnalyticsSummary, ApiFinding, ApiLoopState, ApiRoundLine, Severity } from "@anneal/types";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { roundsQuery } from "../api/queries.ts";
import { Tiles } from "../components/views/analytics-view/tiles.tsx";
import { FindingRow } from "../components/views/review-view/findings/finding-row.tsx";
import { HistoryPane } from "../components/views/review-view/rounds/history-pane.tsx";
import { StageRail } from "../components/views/review-view/rounds/stage-rail.tsx";

const text = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

test("the stages of a loop are shown in their order, each with its standing, and the one where it is marked", () => {
  const rail = [
    { stage: "implementing", name: "implementing", standing: "done", visits: 1 },
    { stage: "reviewing", name: "self_reviewing", standing: "now", visits: 2 },
    { stage: "opening-pr", name: "pr_created", standing: "ahead", visits: 0 },
  ];
  const html = renderToStaticMarkup(createElement(StageRail, { loop: { rail } as unknown as ApiLoopState }));
  expect(text(html)).toBe("✓ Implement done — ◐ Review ×2 under way — ○ Open PR to come");
  expect(html.match(/aria-current="step"/g)).toHaveLength(1);
  expect(/title="self reviewing" aria-current="step"/.test(html)).toBe(true);
});

test.for([
  { reason: "ready-for-human", mark: "◐" },
  { reason: "approval", mark: "◐" },
  { reason: "delivery-refused", mark: "!" },
  { reason: "feedback-exhausted", mark: "!" },
])("a stage that waits because of $reason is marked $mark", ({ reason, mark }) => {
  const rail = [{ stage: "opening-pr", name: "pr_created", standing: "waiting", visits: 2 }];
  const html = renderToStaticMarkup(createElement(StageRail, { loop: { rail, reason } as unknown as ApiLoopState }));
  expect(text(html)).toBe(`${mark} Open PR ×2 waits for you`);
});

describe("an issue of the list", () => {
  const one = (severity: Severity) =>
    ({
      ...{ fingerprint: "1", blocks: true, actions: [], rulings: [], refutation: null, fix: null },
      ...{ disposition: { kind: "open" }, origin: { kind: "change" } },
      finding: { severity, category: "logic", title: "It is open", description: "At night.", suggestion: "Shut it." },
      rounds: [
        { round: 1, lifecycle: "new", disposition: "open" },
        { round: 2, lifecycle: "resolved", disposition: "fixed" },
      ],
    }) as unknown as ApiFinding;
  const drawn = (severity: Severity, selected = false) => {
    const nothing = () => {};
    const props = { one: one(severity), selected, onSelect: nothing, onAct: nothing, onFix: nothing };
    return renderToStaticMarkup(createElement(FindingRow, props));
  };

  test.for([
    ["critical", "bg-bad-soft"],
    ["high", "bg-bad-soft"],
    ["medium", "bg-warn-soft"],
    ["low", "bg-calm-soft"],
    ["info", "bg-raised"],
  ] as const)("of severity %s says so in its colour, %s", ([severity, colour]) => {
    expect(new RegExp(`class="[^"]*\\b${colour} [^"]*"[^>]*>${severity}<`).test(drawn(severity))).toBe(true);
  });

  test("tells round by round what became of it, and unfolds its details", () => {
    expect(text(drawn("high"))).toMatch(/round 1: new .* round 2: resolved/);
    expect(drawn("high")).toContain('aria-expanded="false"');
    expect(text(drawn("high"))).not.toContain("At night.");
    expect(drawn("high", true)).toContain('aria-expanded="true"');
    expect(text(drawn("high", true))).toMatch(/At night\. Suggested: Shut it\./);
  });
});

test("past rounds are listed newest first, unfolded one by one, and each leads to what it changed", () => {
  const round = (number: number, verdict: "pass" | "fail") =>
    ({
      ...{ number, verdict, why: `Because of ${number}.`, findings: verdict === "fail" ? { high: 1 } : {} },
      ...{ by: { agent: "claude" }, reviewed: 2, skipped: 0, usage: {}, attempts: [] },
    }) as unknown as ApiRoundLine;
  const client = new QueryClient();
  client.setQueryData(roundsQuery("p", "f1~1").queryKey, {
    attempts: [],
    rounds: [round(1, "fail"), round(2, "pass")],
  });
  const pane = createElement(HistoryPane, { project: "p", loop: "f1~1", onDiff: () => {} });
  const html = renderToStaticMarkup(createElement(QueryClientProvider, { client }, pane));
  expect([...html.matchAll(/aria-expanded="(\w+)"[^>]*><span[^>]*>(Round \d)/g)].map(([, ...rest]) => rest)).toEqual([
    ["true", "Round 2"],
    ["false", "Round 1"],
  ]);
  expect(text(html)).toMatch(/Round 2 pass no findings .* This round’s change .* Round 1 fail 1 high/);
});

test("the analytics show the numbers of seed 001", () => {
  const timeSaved = { minutes: 90, formula: { minutesPerFinding: 10, minutesPerRound: 0 }, text: "9 × 10 min" };
  const summary: AnalyticsSummary = {
    ...{ loops: 8, reviews: 14, fixes: 6, averageIterationsBeforePr: 1.5, averageIterations: 1.75 },
    ...{ firstPassRate: 0.5, resolutionRate: 0.9, issuesFound: 10, issuesAutoFixed: 9 },
    ...{ commonCategories: [], timeSaved, tokens: 1_000, costUsd: 2 },
  };
  const client = new QueryClient();
  const tiles = createElement(Tiles, { project: "p", summary });
  const html = renderToStaticMarkup(createElement(QueryClientProvider, { client }, tiles));
  expect(text(html)).toMatch(/Average rounds .*1\.5 before a pull request/);
  expect(text(html)).toMatch(/Passed at the first review 50\s?% of 8 loops/);
  expect(text(html)).toMatch(/Fixed automatically 9 of 10 findings/);
  expect(text(html)).toMatch(/Time saved \(estimate\) .* 9 × 10 min/);
});
