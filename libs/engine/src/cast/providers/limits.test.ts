import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backoff, limitsFor, providersOf } from "./limits.ts";

describe("limits of a provider", () => {
  test("are four runs at once and five retries, from five seconds up to five minutes, unless told", () => {
    const defaults = { maxConcurrency: 4, retries: 5, backoffMs: 5_000, maxBackoffMs: 300_000 };
    expect(limitsFor("openai", {})).toEqual(defaults);
    expect(limitsFor("constructor", {})).toEqual(defaults);
    expect(limitsFor("openai", { openai: { maxConcurrency: 9 }, google: { retries: 0 } })).toEqual({
      ...defaults,
      maxConcurrency: 9,
    });
  });

  test("come from the project over the global settings, key by key", () => {
    const global = { providers: { openai: { maxConcurrency: 2, retries: 1 }, google: { retries: 2 } } };
    const project = { providers: { openai: { retries: 7 }, own: { backoffMs: 5 } } };
    expect(providersOf({ global, project })).toEqual({
      openai: { maxConcurrency: 2, retries: 7 },
      google: { retries: 2 },
      own: { backoffMs: 5 },
    });
    expect(providersOf({ global: {}, project: {} })).toEqual({});
  });
});

describe("the pause after a provider turned runs away", () => {
  const limits = { backoffMs: 1_000, maxBackoffMs: 6_000 };
  test.for([
    { strikes: 1, retryAfterMs: null, random: 0, ms: 500 },
    { strikes: 1, retryAfterMs: null, random: 0.5, ms: 750 },
    { strikes: 2, retryAfterMs: null, random: 0, ms: 1_000 },
    { strikes: 3, retryAfterMs: null, random: 0, ms: 2_000 },
    { strikes: 4, retryAfterMs: null, random: 0, ms: 3_000 },
    { strikes: 5, retryAfterMs: null, random: 0, ms: 3_000 },
    { strikes: 2_000, retryAfterMs: null, random: 0, ms: 3_000 },
    { strikes: 1, retryAfterMs: 7_000, random: 0, ms: 7_000 },
    { strikes: 1, retryAfterMs: 7_000, random: 0.5, ms: 7_250 },
    { strikes: 3, retryAfterMs: 10, random: 0, ms: 2_000 },
    { strikes: 1, retryAfterMs: 1e15, random: 0, ms: 86_400_000 },
    { strikes: 1, retryAfterMs: Number.NaN, random: 0, ms: 500 },
    { strikes: 1, retryAfterMs: -5, random: 0, ms: 500 },
  ])("is $ms ms at strike $strikes when it asked for $retryAfterMs", ({ strikes, retryAfterMs, random, ms }) => {
    expect(backoff(strikes, retryAfterMs, limits, () => random)).toBe(ms);
  });

  test("is never shorter than it asked for, and never longer than that and the cap", () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(1e6), chance, (strikes, asked, random) => {
        const ms = backoff(strikes, asked, limits, () => random);
        expect(ms).toBeGreaterThanOrEqual(asked);
        expect(ms).toBeLessThanOrEqual(Math.max(asked, 3_000) + 3_000);
      }),
    );
  });
});
