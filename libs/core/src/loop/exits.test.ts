import { LoopState } from "@anneal/types";
import { expect, test } from "vitest";
import { shared } from "./exits.ts";

test("what every stage has is carried to the next one, and nothing else", () => {
  const [first, ...more] = LoopState.options.map(({ shape }) => Object.keys(shape));
  const everywhere = (first ?? []).filter((key) => key !== "stage" && more.every((keys) => keys.includes(key)));
  const anywhere = new Set([first ?? [], ...more].flat());
  expect(everywhere.length).toBeGreaterThan(25);
  const state = Object.fromEntries([...anywhere].map((key) => [key, key]));
  const next = shared(state as unknown as LoopState);
  expect(next).toEqual({ ...Object.fromEntries(everywhere.map((key) => [key, key])), notBefore: null });
});
