import type { StatusLine } from "@anneal/engine/project";
import { expect, test } from "vitest";
import { type ListScreen, statusText } from "./lines.ts";
import { clippedTo } from "./output.ts";

const loop: NonNullable<StatusLine["loop"]> = {
  id: "x~1",
  policy: "gate",
  branch: "feature/x",
  stage: "reviewing",
  step: null,
  round: 2,
  maxRounds: 3,
  blockers: 1,
  rulable: 1,
  unseen: null,
  resolved: 2,
  costUsd: 1.25,
  tokens: 10,
  reason: null,
  outcome: null,
  detail: "",
  legal: [],
  pr: null,
  startedAt: 0,
  lastAt: 0,
};
const line = (id: string, more: Partial<StatusLine> = {}): StatusLine => ({
  id,
  kind: "feature",
  title: "Add a login page with passkeys",
  status: "in_progress",
  damaged: null,
  dependsOn: [],
  loop,
  ...more,
});
const screen = (more: Partial<ListScreen> = {}): ListScreen => ({
  paint: (_, text) => text,
  columns: 80,
  now: 5_000,
  running: true,
  ids: "short",
  ...more,
});

const LONG = [`begin-${"x".repeat(110)}-end`, `branch:topic/${"y".repeat(70)}-end`];

test.for(LONG)("on a terminal no row is wider than the screen: a long id is shortened in the middle (%s)", (id) => {
  const [, row = ""] = statusText([line(id), line("short")], screen()).split("\n");
  expect(row.length).toBeLessThanOrEqual(80);
  expect(row).toMatch(/^(begin|branch)\S*…\S*end +Add a/);
});

test.for([
  { detail: "the fix changed nothing", says: "refuted nothing → anneal resume x" },
  {
    detail: 'the fix changed nothing; stuck on "a"; "b"',
    says: 'refuted nothing (stuck on "a"; "b") → anneal resume x',
  },
])("a stall is told with what is stuck: $says", ({ detail, says }) => {
  const waits = {
    ...loop,
    stage: "waiting-for-human",
    reason: "stalled",
    detail,
    legal: ["resume"],
    rulable: 0,
  } as const;
  expect(statusText([line("x", { loop: { ...waits, legal: ["resume"] } })], screen({ columns: 200 }))).toContain(says);
});

test.for(LONG)("elsewhere ids are whole (%s)", (id) => {
  expect(statusText([line(id)], screen({ ids: "whole" }))).toContain(`${id}  Add a`);
});

test.for([
  {
    what: "a loop whose worktree is being made ready shows it",
    running: true,
    shows: /^a +Add a.* +backlog +preparing workspace$/,
  },
  { what: "one that was asked for and that nobody runs does not", running: false, shows: /^a +Add a.* +backlog$/ },
])("$what", ({ running, shows }) => {
  const text = statusText([line("a", { status: "backlog", loop: null, coming: true })], screen({ running }));
  expect(text.split("\n")[1]).toMatch(shows);
});

test.for([
  { what: "short text stays", text: "abc", shown: "abc" },
  { what: "text is cut at the width", text: "abcdefgh", shown: "abcd…" },
  { what: "colours take no room and end", text: "\u001b[36mabcdefgh\u001b[39m", shown: "\u001b[36mabcd…\u001b[39m" },
  { what: "wide characters take two places", text: "漢字漢字", shown: "漢字…" },
  { what: "every line by itself", text: "abcdefgh\nab\n", shown: "abcd…\nab\n" },
])("what is drawn again is clipped to the terminal: $what", ({ text, shown }) => {
  expect(clippedTo(text, 5)).toBe(shown);
});
