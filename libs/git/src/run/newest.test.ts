import { expect, test } from "vitest";
import { Newest } from "./newest.ts";

test("the newest are remembered, and the oldest is forgotten", () => {
  const newest = new Newest<number>(2);
  for (const [at, name] of ["a", "b", "c"].entries()) newest.set(name, at);
  expect(["a", "b", "c"].map((name) => newest.get(name))).toEqual([undefined, 1, 2]);
});
