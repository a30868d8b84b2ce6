import { expect, test } from "vitest";
import { average, percent, worktime } from "./format.ts";

test.for([
  { minutes: 0, said: "0 min" },
  { minutes: 45.4, said: "45 min" },
  { minutes: 60, said: "1 h" },
  { minutes: 200, said: "3 h 20 min" },
  { minutes: 960, said: "2 days" },
  { minutes: 1_500, said: "3 days 1 h" },
])("$minutes minutes are $said of work", ({ minutes, said }) => {
  expect(worktime(minutes)).toBe(said);
});

test("what cannot be divided is a dash, never a zero", () => {
  expect([percent(null), percent(0), percent(0.625), average(null), average(1.66)]).toEqual([
    "–",
    "0%",
    "63%",
    "–",
    "1.7",
  ]);
});
