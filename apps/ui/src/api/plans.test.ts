import type { ApiItem } from "@anneal/types";
import { expect, test } from "vitest";
import { startAddress, withPlans } from "./plans.ts";

const item = (id: string, kind: ApiItem["kind"], loop: unknown = null) => ({ id, kind, loop }) as ApiItem;

test("plans stand on the board until something of them is under way", () => {
  const items = [item("f1", "feature"), item("story:1.1", "story", {}), item("ticket:limits/a", "ticket", {})];
  const plans = [
    item("story:1.1", "story"),
    item("story:1.2", "story"),
    item("epic:limits", "epic"),
    item("epic:b", "epic"),
  ];
  expect(withPlans(items, plans).map(({ id }) => id)).toEqual([
    "f1",
    "story:1.1",
    "ticket:limits/a",
    "story:1.2",
    "epic:b",
  ]);
});

test.for([
  { of: item("f1", "feature"), path: "/api/projects/p/items/f1/start" },
  { of: item("story:2.1", "story"), path: "/api/projects/p/stories/2.1/start" },
  { of: item("epic:limits", "epic"), path: "/api/projects/p/epics/limits/start" },
  { of: item("unit:config", "unit"), path: "/api/projects/p/units/config/start" },
  { of: item("story:2.1", "story", {}), path: "/api/projects/p/items/story%3A2.1/start" },
])("$of.id is started at $path", ({ of, path }) => {
  expect(startAddress("p", of)).toBe(path);
});
