import type { ApiItem } from "@anneal/types";
import { expect, test } from "vitest";
import { allItems, changedItems, isBeginning } from "./items.ts";

const card = (id: string, title = id) => ({ id, title }) as ApiItem;

function server(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const get = async <T>(path: string) => {
    asked.push(path);
    return answers[path] as T;
  };
  return { asked, get };
}

const PAGES = {
  "items?limit=1000": { items: [card("a"), card("c")], next: "c", version: "r-1" },
  "items?limit=1000&after=c": { items: [card("d"), card("story:1")], next: null, version: "r-2" },
};
const NOTHING = { known: true, items: [], gone: [] };

test("the whole list is read once, page after page, and shown as it comes", async () => {
  const { get, asked } = server(PAGES);
  const shown: string[][] = [];
  const all = await allItems(get, (soFar) => {
    expect(isBeginning(soFar)).toBe(true);
    shown.push(soFar.map(({ id }) => id));
  });
  expect(all.map(({ id }) => id)).toEqual(["a", "c", "d", "story:1"]);
  expect(isBeginning(all)).toBe(false);
  expect(shown).toEqual([["a", "c"]]);
  expect(asked).toEqual(Object.keys(PAGES));
});

test("afterwards only what has changed is read; the other cards stay the same, in the order of the server", async () => {
  const changes = { known: true, items: [card("b"), card("c", "New"), card("story:0")], gone: ["d"], version: "r-5" };
  const { get, asked } = server({ ...PAGES, "item-changes?since=r-1": changes, "item-changes?since=r-5": NOTHING });
  const all = await allItems(get, () => {});
  const next = (await changedItems(get, all)) ?? [];
  expect(next.map(({ id, title }) => [id, title])).toEqual([
    ["a", "a"],
    ["b", "b"],
    ["c", "New"],
    ["story:0", "story:0"],
    ["story:1", "story:1"],
  ]);
  expect(next[0]).toBe(all[0]);
  await changedItems(get, next);
  expect(asked.slice(2)).toEqual(["item-changes?since=r-1", "item-changes?since=r-5"]);
});

test.for([
  { what: "that the server does not know any more", made: (list: ApiItem[]) => list },
  { what: "that did not come from the server", made: (list: ApiItem[]) => [...list] },
])("a list $what has to be read whole again", async ({ made }) => {
  const { get } = server({ ...PAGES, "item-changes?since=r-1": { ...NOTHING, known: false, version: "s-1" } });
  expect(await changedItems(get, made(await allItems(get, () => {})))).toBeNull();
});
