import { POLICIES } from "@anneal/core";
import { describe, expect, test } from "vitest";
import { bad, finding, Play, report } from "../../../core/src/testing/build.ts";
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

describe("under gate the fixer is handed", () => {
  const by = { agent: "scripted", model: null, provider: null };
  const worked = (output: string, prompt: string) =>
    ({ type: "implemented", at: 1, usage: {}, changed: true, tree: "t", by, output, prompt }) as const;
  const built = (options = {}) =>
    new Play(POLICIES.gate, options).feed(worked("blob-1", "prompt-1")).validate().commit();

  test("the implementer's prompt, as it is on record", () => {
    const prompt = promptAfter(built().review(bad("high", 1)).mend().review(bad("high", 2)), "gate");
    expect(prompt).toMatch(/what the agent before you was asked to do\ntext of prompt-1\n/);
  });

  test("not the prompt of a pipeline step's agent, but its answer", () => {
    const stepped = built({ steps: ["lint"] })
      .review(report())
      .feed(worked("blob-2", "prompt-2"))
      .validate()
      .commit();
    const prompt = promptAfter(stepped.review(bad("high", 1)), "gate");
    expect(prompt).toContain("text of prompt-1");
    expect(prompt).not.toContain("text of prompt-2");
    expect(prompt).toMatch(/report of the agent before you\ntext of blob-2\n/);
  });

  test("all that agents said for the round, as its file holds it", () => {
    const repaired = new Play(POLICIES.gate)
      .feed(worked("blob-1", "prompt-1"))
      .validate("failed")
      .feed({
        ...{ type: "fixed", at: 2, usage: {}, changed: true, tree: "t2", output: "blob-2", by, refutations: [] },
      });
    const prompt = promptAfter(repaired.validate().commit().review(bad("high", 1)), "gate");
    expect(prompt).toContain("report of the agent before you\ntext of blob-1\n\n---\n\ntext of blob-2\n");
  });

  test("a reason for the rejection that tells what to do, also where the reviewer gave none", () => {
    const prompt = promptAfter(built().review(bad("high")), "gate");
    expect(prompt).toMatch(
      /: rejection reason\nCode Quality issue: Total is wrong for an empty cart \(src\/cart.ts:1\)/,
    );
  });
});

test.for(["pull-request", "scored", "adversarial", "advisory"] as const)(
  "under %s the fixer is not handed the implementer's prompt",
  (name) => {
    const by = { agent: "scripted", model: null, provider: null };
    const implemented = { changed: true, tree: "t", output: null, by, prompt: "prompt-1" };
    const play = new Play(POLICIES[name])
      .feed({ type: "implemented", at: 1, usage: {}, ...implemented })
      .validate()
      .commit();
    expect(promptAfter(play.review(bad("critical")), name)).not.toContain("prompt-1");
  },
);

test("the implementer's prompt holds the item, and a step's prompt its instructions too", () => {
  expect(implementerPrompt(source("gate"), [])).toContain("Users log in.");
  const step = stepPrompt(source("gate"), { name: "Docs", instructions: "Write the docs." });
  expect(step).toContain("Write the docs.");
  expect(step).toContain("Users log in.");
});
