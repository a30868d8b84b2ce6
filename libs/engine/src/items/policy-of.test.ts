import { POLICIES } from "@anneal/core";
import { describe, expect, test } from "vitest";
import { FEATURE_DEFAULT, policyOf } from "./policy-of.ts";

const own = { ...POLICIES.gate, name: "own", caps: { tokens: 50, costUsd: 5 } };
const named = (name: string) => ({ name, because: "the feature names it" });
const none = { policies: [], budgets: {} };

describe("the policy of an item", () => {
  test("is the gate where it names none, and the log will say why", async () => {
    expect(await policyOf(FEATURE_DEFAULT, none, "/p")).toMatchObject({
      policy: { name: "gate" },
      because: "the default for features",
    });
  });

  test("can be one of the user's own, which wins over the five", async () => {
    const shadow = { ...own, name: "gate", title: "Mine" };
    const { policy } = await policyOf(named("gate"), { policies: [shadow], budgets: {} }, "/p");
    expect(policy.title).toBe("Mine");
  });

  test("is never looser than the budget of the settings", async () => {
    const { policy } = await policyOf(
      named("own"),
      { policies: [own], budgets: { tokens: 10, costUsd: 9, wallMs: 7 } },
      "/p",
    );
    expect(policy.caps).toEqual({ tokens: 10, costUsd: 5, wallMs: 7 });
  });

  test("that is unknown names the five and the user's own", async () => {
    await expect(policyOf(named("nope"), { policies: [own], budgets: {} }, "/p")).rejects.toThrow(
      /unknown policy "nope"; known: gate, .*; in the settings: own/,
    );
  });
});
