import { expect, test } from "vitest";
import { entry } from "./testing/entries.ts";
import { openFor, tempProject } from "./testing/project.ts";

test.for([
  [0, { tokens: 6_111, costUsd: 3.75 }],
  [100, { tokens: 6_111, costUsd: 3.75 }],
  [101, { tokens: 6_011, costUsd: 3.25 }],
  [200, { tokens: 6_011, costUsd: 3.25 }],
  [201, { tokens: 6_000, costUsd: 2 }],
  [301, { tokens: 0, costUsd: 0 }],
] as const)("since %i all loops together have used %o", ([since, used]) => {
  const store = openFor(tempProject());
  store.append("a", [entry(100)], { usage: { tokens: 100, costUsd: 0.5 } });
  store.append("b", [entry(200)], { usage: { tokens: 10, costUsd: 1 } });
  store.append("a", [entry(200)], { usage: { tokens: 1, costUsd: 0.25 } });
  store.append("b", [entry(250), entry(300)], { usage: { tokens: 6_000, costUsd: 2 } });
  store.append("b", [entry(400)], { usage: { tokens: 0, costUsd: 0 } });
  store.append("b", [entry(500)]);
  expect(store.usedSince(since)).toEqual(used);
});

test("usage is kept with its event or not at all, and outlives a restart", () => {
  const root = tempProject();
  const store = openFor(root);
  const usage = { tokens: 7, costUsd: 0.5 };
  expect(() => store.append("a", [entry(1)], { usage, taking: "nobody" })).toThrow("no waiting message");
  expect(store.usedSince(0)).toEqual({ tokens: 0, costUsd: 0 });
  store.append("a", [entry(1)], { usage });
  store.close();
  expect(openFor(root, { readOnly: true }).usedSince(0)).toEqual(usage);
});
