import { POLICIES } from "@anneal/core";
import { describe, expect, test } from "vitest";
import { bad, finding, Play, report } from "../../core/src/testing/build.ts";
import { fixerPrompt, implementerPrompt, type PromptSource, stepPrompt } from "./loop-prompts.ts";

const source = (name: keyof typeof POLICIES): PromptSource => ({
  policy: POLICIES[name],
  workItem: { id: "2.1-D4", title: "Add login", description: "Users log in.", spec: "eight characters" },
  branch: "topic",
  text: (blob) => `text of ${blob}`,
});
const rejected = (name: keyof typeof POLICIES) =>
  new Play(POLICIES[name])
    .build()
    .review(report({ claim: "fail", findings: [finding({ severity: "critical" })], demand: "Handle the empty cart." }));

function promptAfter(play: Play, name: keyof typeof POLICIES): string {
  if (play.state.stage !== "fixing") throw new Error(`the loop is ${play.where}`);
  return fixerPrompt(source(name), play.state);
}

describe("the fixer's prompt", () => {
  test.for([
    { policy: "gate", shows: "### ❌ Errors" },
    { policy: "pull-request", shows: "1. [critical] logic" },
    { policy: "scored", shows: "BLOCKING ISSUES" },
    { policy: "adversarial", shows: "## Critical Issues (Must Fix)" },
    { policy: "advisory", shows: "## Issue 1: error" },
  ] as const)("under $policy speaks its seed's form: $shows", ({ policy, shows }) => {
    const prompt = promptAfter(rejected(policy), policy);
    expect(prompt).toContain(shows);
    expect(prompt).toContain("Total is wrong for an empty cart");
  });

  test("holds what failing checks said, which no review holds", () => {
    const play = new Play(POLICIES.adversarial).implement().validate("failed");
    expect(promptAfter(play, "adversarial")).toContain("2 tests fail");
  });

  test("carries a person's note and the agent's earlier words", () => {
    const play = new Play(POLICIES.gate).feed({
      type: "implemented",
      at: 1,
      usage: {},
      changed: true,
      tree: "t",
      output: "blob-1",
      by: { agent: "scripted", model: null, provider: null },
    });
    play.validate().commit().review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(bad("high", 3));
    const prompt = promptAfter(play.signal("resume", "use the validator"), "gate");
    expect(prompt).toContain("> use the validator");
    expect(prompt).toContain("text of blob-1");
  });
});

test("the implementer's prompt holds the item, and a step's prompt its instructions too", () => {
  expect(implementerPrompt(source("gate"), [])).toContain("Users log in.");
  const step = stepPrompt(source("gate"), { name: "Docs", instructions: "Write the docs." });
  expect(step).toContain("Write the docs.");
  expect(step).toContain("Users log in.");
});
