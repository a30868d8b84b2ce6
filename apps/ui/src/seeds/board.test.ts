import { type ApiItem, ReviewLoopState } from "@anneal/types";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ShortcutAction } from "../shortcuts/actions.ts";

const seen = vi.hoisted(() => ({ actions: [] as ShortcutAction[], went: [] as unknown[] }));
vi.mock(import("../shortcuts/use-offer.ts"), () => ({ useOffer: (actions) => void seen.actions.push(...actions) }));
vi.mock("@tanstack/react-router", () => ({
  Link: ({ children }: { children: React.ReactNode }) => createElement("a", null, children),
  useNavigate: () => (to: unknown) => seen.went.push(to),
}));

import { Card } from "../components/views/board-view/card.tsx";
import { EMPTY_COLUMN, toneOf } from "../components/views/board-view/constants.ts";
import type { BoardActions } from "../components/views/board-view/hooks/use-board-actions.ts";
import { useBoardKeys } from "../components/views/board-view/hooks/use-board-keys.ts";
import type { Asking } from "../components/views/board-view/hooks/use-questions.ts";
import { KanbanBoard } from "../components/views/board-view/kanban-board.tsx";

const item = (over: Partial<ApiItem> = {}): ApiItem => ({
  ...{ id: "f1", kind: "feature", title: "Sign in", status: "code_review", column: "code_review", badge: null },
  ...{ needsYou: false, damaged: null, error: null, priority: null, category: null, model: null, policy: null },
  ...{ branch: null, dependsOn: [], blockedBy: [], byHand: false, updatedAt: 0, loop: null },
  ...over,
});

describe("a card shows where its reviews stand (seed 001)", () => {
  const badge = (state: string) => {
    const html = renderToStaticMarkup(
      createElement(Card, { project: "p", item: item({ badge: state }), focused: false, onFocus: () => {} }),
    );
    return /<span class="[^"]*\b(bg-[\w-]+) [^"]*"[^>]*>([^<]*)<\/span><\/span><\/a>$/.exec(html)?.slice(1);
  };

  test.for([
    { doing: "reviewing", states: ["pending_self_review", "self_reviewing"], colour: "bg-calm-soft" },
    { doing: "fixing", states: ["self_review_failed", "refining", "addressing_feedback"], colour: "bg-warn-soft" },
    {
      doing: "ready",
      states: ["self_review_passed", "ready_for_human_review", "approved", "merged"],
      colour: "bg-good-soft",
    },
    { doing: "declined", states: ["closed"], colour: "bg-bad-soft" },
    { doing: "waiting", states: ["pr_created", "awaiting_pr_feedback"], colour: "bg-raised" },
  ])("$doing has its colour: $colour", ({ states, colour }) => {
    for (const state of states) expect(badge(state)).toEqual([colour, state.replaceAll("_", " ")]);
  });

  test("every state of the seed is one of them", () => {
    const tones = ReviewLoopState.options.map(toneOf);
    expect(new Set(tones)).toEqual(new Set(["calm", "good", "warn", "bad", "neutral"]));
  });
});

test("the board has the column of code_review between work and approval, and knows it when it is empty (seed 000)", () => {
  const ids = ["backlog", "in_progress", "code_review", "waiting_approval", "verified", "completed"];
  expect(Object.keys(EMPTY_COLUMN)).toEqual(ids);
  const shown = ids.map((id) => ({ column: { id, name: `<${id}>`, kind: "status", cards: 0 }, items: [] }));
  const html = renderToStaticMarkup(
    createElement(KanbanBoard, { project: "p", shown: shown as never, actions: {} as BoardActions }),
  );
  const drawn = [...html.matchAll(/aria-label="&lt;(\w+)&gt;, 0 cards".*?<p[^>]*>([^<]*)<\/p>/g)].map(
    ([, ...one]) => one,
  );
  expect(drawn).toEqual(ids.map((id) => [id, EMPTY_COLUMN[id]]));
});

function Keys(keys: Parameters<typeof useBoardKeys>[0]) {
  useBoardKeys(keys);
  return null;
}

describe("keys of the card that has the focus (seed 001)", () => {
  const said: string[] = [];
  const asking = {
    signal: async (to: ApiItem, signal: string) => void said.push(`${signal} to ${to.id}`),
  } as Asking;
  const column = { id: "code_review", name: "Code Review" };

  /** What the board offers for this key while this card has the focus. */
  function offered(key: string, card: ApiItem, focused: string | null = card.id): ShortcutAction | undefined {
    const shown = [{ column, items: [card] }] as never;
    const keys = { project: "p", shown, focused, asking, setFocused: () => {}, onMove: () => {} };
    renderToStaticMarkup(createElement(Keys, keys));
    return seen.actions.find((action) => action.key === key);
  }
  const inReview = item({ loop: { legal: ["skip", "stop"] } as unknown as ApiItem["loop"] });

  beforeEach(() => {
    seen.actions.length = 0;
    seen.went.length = 0;
    said.length = 0;
  });

  test("s skips its review, where that is possible", () => {
    const skip = offered("s", inReview);
    expect(skip?.blocked).toBeUndefined();
    skip?.run();
    expect(said).toEqual(["skip to f1"]);
  });

  test.for([
    { what: "its loop does not take that now", card: item(), focused: "f1" },
    { what: "no card has the focus", card: inReview, focused: null },
  ])("s says why it does nothing: $what", ({ card, focused }) => {
    expect(offered("s", card, focused)?.blocked).toMatch(/./);
  });

  test("v opens its review", () => {
    offered("v", inReview)?.run();
    expect(seen.went).toEqual([{ to: "/p/$project/review/$item", params: { project: "p", item: "f1" } }]);
  });
});
