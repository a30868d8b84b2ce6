import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropDraft, isLike, keepDraft, keptDraft } from "./kept-drafts.ts";

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("a draft is kept by its name until it is dropped", () => {
  keepDraft("p/f1~1/resume", "Use four.");
  keepDraft("p/f1~1/refine", "Say two.");
  dropDraft("p/f1~1/refine");
  expect([keptDraft("p/f1~1/resume"), keptDraft("p/f1~1/refine")]).toEqual(["Use four.", null]);
});

test("what cannot be read is no draft, and a browser that keeps nothing breaks nothing", () => {
  kept.set("anneal-draft x", "{half");
  expect(keptDraft("x")).toBeNull();
  vi.stubGlobal("localStorage", undefined);
  keepDraft("x", "text");
  dropDraft("x");
  expect(keptDraft("x")).toBeNull();
});

test.for([
  { model: "", found: "text", like: true },
  { model: "", found: { title: "a" }, like: false },
  { model: { title: "", on: false }, found: { title: "a", on: true, more: 1 }, like: true },
  { model: { title: "", on: false }, found: { title: "a" }, like: false },
  { model: { fields: { title: "" } }, found: { fields: null }, like: false },
])("a draft $found fits $model: $like", ({ model, found, like }) => {
  expect(isLike<unknown>(model, found)).toBe(like);
});
