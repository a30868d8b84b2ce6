import type { LoopEvent, Usage } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { believable, totalUsage, withUsage } from "./believable.ts";
import { priced } from "./prices.ts";

test.for<[string, Parameters<typeof believable>[0], Usage]>([
  [
    "what an attempt can use",
    { inputTokens: 5, cachedInputTokens: 2, outputTokens: 0, costUsd: 0.5 },
    { inputTokens: 5, cachedInputTokens: 2, outputTokens: 0, costUsd: 0.5 },
  ],
  ["the most that is believed", { inputTokens: 1e12, costUsd: 1e6 }, { inputTokens: 1e12, costUsd: 1e6 }],
  ["no number at all", { inputTokens: "5", outputTokens: null, costUsd: "0.5" }, {}],
  ["less than nothing", { inputTokens: -1, costUsd: -0.5 }, {}],
  ["half a token", { inputTokens: 0.5 }, {}],
  ["more than a number can be", { inputTokens: Number.POSITIVE_INFINITY, costUsd: Number.POSITIVE_INFINITY }, {}],
  ["what is no number", { outputTokens: Number.NaN, costUsd: Number.NaN }, {}],
  ["more than anything costs", { inputTokens: 1e12 + 1, costUsd: 1e308 }, {}],
  ["an estimate", { costUsd: 1, costEstimated: true }, { costUsd: 1, costEstimated: true }],
  ["an estimate of nothing", { costEstimated: true }, {}],
])("%s", ([_, claims, usage]) => {
  expect(believable(claims)).toEqual(usage);
});

const number = fc.oneof(
  fc.double(),
  fc.constantFrom(1e6, 1e12, 1e308, Number.POSITIVE_INFINITY, -1, Number.NaN),
  fc.nat(),
);
const claim: fc.Arbitrary<Usage> = fc.record(
  { inputTokens: number, cachedInputTokens: number, outputTokens: number, costUsd: number },
  { requiredKeys: [] },
);

test("whatever runs claim, their total is believable itself", () => {
  fc.assert(
    fc.property(fc.array(claim), (claims) => {
      const total = totalUsage(claims);
      expect(believable(total)).toEqual(total);
      expect(JSON.parse(JSON.stringify(total))).toEqual(total);
    }),
  );
});

describe("prices", () => {
  test("whatever is claimed and whatever it costs, the amount is one that is believed", () => {
    fc.assert(
      fc.property(claim, fc.double({ min: 0, noDefaultInfinity: true, noNaN: true }), (claimed, price) => {
        const usage = priced(claimed, "m", { m: { input: price, output: 1 } });
        expect(believable(usage)).toEqual(usage);
      }),
    );
  });

  test("a price that is too high lifts no cap", () => {
    const honest = { inputTokens: 2e6, outputTokens: 1 };
    expect(priced(honest, "m", { m: { input: 1, output: 1 } }, { m: { input: 1e6, output: 1 } }).costUsd).toBe(1e6);
  });

  test("an amount that is not believed is estimated like one that was not reported", () => {
    const usage = priced({ inputTokens: 1e6, outputTokens: 0, costUsd: Number.POSITIVE_INFINITY }, "m", {
      m: { input: 2, output: 1 },
    });
    expect(usage).toEqual({ inputTokens: 1e6, outputTokens: 0, costUsd: 2, costEstimated: true });
  });
});

test("what events used adds up, and most use nothing", () => {
  const used: LoopEvent[] = [
    { type: "broke", at: 1, stage: "reviewing", reason: "x", usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.5 } },
    { type: "nothing-to-commit", at: 2 },
    { type: "broke", at: 3, stage: "reviewing", reason: "x", usage: { outputTokens: 4 } },
  ];
  expect(used.reduce(withUsage, { costUsd: 0, tokens: 0 })).toEqual({ costUsd: 0.5, tokens: 7 });
});

test("sums of what old logs hold stay numbers that JSON can hold", () => {
  const dear = { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 5, costUsd: 1e308 };
  const used: LoopEvent[] = [1, 2, 3].map((at) => ({
    type: "broke",
    at,
    stage: "reviewing",
    reason: "x",
    usage: dear,
  }));
  const most = { costUsd: Number.MAX_VALUE, tokens: Number.MAX_SAFE_INTEGER };
  expect(used.reduce(withUsage, { costUsd: 0, tokens: 0 })).toEqual(most);
});
