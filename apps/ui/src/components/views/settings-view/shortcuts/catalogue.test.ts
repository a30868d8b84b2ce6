import { expect, test } from "vitest";
import { CATALOGUE, conflicts } from "./catalogue.ts";

const SOURCES = import.meta.glob<string>(["../../../../**/*.{ts,tsx}", "!**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const OFFER = /\bid: "([\w-]+)",\s*title: (?:(?!\bid: ")[^;])*?key: "([^"]+)"/g;

test("every action that a screen offers with a key is listed with that key", () => {
  const offered = Object.values(SOURCES)
    .filter((text) => text.includes("useOffer("))
    .flatMap((text) => [...text.matchAll(OFFER)].map(([, id, key]) => `${id} ${key}`));
  expect(offered.length).toBeGreaterThan(20);
  expect(CATALOGUE.map(({ id, key }) => `${id} ${key}`)).toEqual(expect.arrayContaining(offered));
});

test.for([
  {
    group: "Finding",
    ids: ["dismiss", "accept-risk", "defer", "reopen", "tell", "fix"].map((one) => `finding-${one}`),
  },
  {
    group: "Review",
    ids: ["diff", "transcript", "history", "pull-request", "certificate"].map((one) => `pane-${one}`),
  },
])("what a screen offers by a name that it puts together is listed too: $group", ({ group, ids }) => {
  const listed = CATALOGUE.filter((one) => one.group === group && one.key !== undefined).map(({ id }) => id);
  expect(listed).toEqual(expect.arrayContaining(ids));
});

test("the usual keys leave no action without its own on any screen", () => {
  const clashes = CATALOGUE.flatMap((action) =>
    action.key === undefined ? [] : conflicts(action, action.key, CATALOGUE, {}).map(({ id }) => `${action.id} ${id}`),
  );
  expect(clashes).toEqual([]);
});

const named = (id: string) => CATALOGUE.find((one) => one.id === id)!;

test.for([
  { id: "card-next", key: "k", own: {}, told: ["card-previous"] },
  { id: "card-next", key: "]", own: {}, told: [] },
  { id: "card-next", key: "mod+k", own: {}, told: ["palette"] },
  { id: "palette", key: "]", own: {}, told: ["round-next"] },
  { id: "card-next", key: "q", own: { "card-move": "q" }, told: ["card-move"] },
  { id: "card-next", key: "m", own: { "card-move": "q" }, told: [] },
  { id: "card-next", key: "j", own: {}, told: [] },
])("$key for $id meets $told on the same screen", ({ id, key, own, told }) => {
  expect(conflicts(named(id), key, CATALOGUE, own as Record<string, string>).map((one) => one.id)).toEqual(told);
});
