import { POLICIES } from "@anneal/core";
import { describe, expect, test } from "vitest";
import { aFinding } from "../../../../prompts/src/testing/requests.ts";
import { agentReviewer, type ReviewBrief } from "./agent-reviewer.ts";
import { playedAgent } from "./testing/played-agent.ts";
import { withChange } from "./testing/reviewed.ts";
import { roomIn } from "./testing/without-copies.ts";

/** Everything that a reviewer can get, each part with a word of its own. */
const brief: ReviewBrief = {
  workItem: { id: "7.2", title: "Import", description: "THE-ITEM", spec: "THE-SPEC" },
  round: 2,
  earlierFindings: [aFinding("f00", { title: "AN-EARLIER-FINDING" })],
  roundPatch: "diff --git a/round b/round\n--- a/round\n+++ b/round\n@@ -0,0 +1 @@\n+THE-ROUND-DIFF\n",
  context: { claudeMd: "THE-CONTEXT", files: [] },
  epicCoordination: "THE-EPIC",
  validationResult: "THE-VALIDATION",
  previousFeedback: "THE-FEEDBACK",
};
const WORDS = ["ITEM", "SPEC", "ROUND-DIFF", "WHOLE-DIFF", "CONTEXT", "EPIC", "VALIDATION", "FEEDBACK"];
const MARKS = [...WORDS.map((word) => `THE-${word}`), "AN-EARLIER-FINDING"];

async function asked(name: keyof typeof POLICIES) {
  const agent = playedAgent(() => ({}));
  await withChange({ "a.txt": "1\n" }, { "a.txt": "THE-WHOLE-DIFF\n" }, async (change, repo) => {
    await agentReviewer(agent, POLICIES[name], roomIn(repo), brief).review(change, new AbortController().signal);
  });
  const [request, ...more] = agent.requests;
  if (request === undefined || more.length > 0) throw new Error("the agent is asked exactly once");
  return request;
}

describe("the agent that reviews", () => {
  test.for([
    {
      policy: "gate",
      sees: "THE-ITEM THE-SPEC THE-ROUND-DIFF THE-WHOLE-DIFF THE-CONTEXT AN-EARLIER-FINDING",
    },
    { policy: "pull-request", sees: "THE-ITEM THE-WHOLE-DIFF AN-EARLIER-FINDING" },
    { policy: "scored", sees: "THE-ITEM THE-WHOLE-DIFF THE-EPIC THE-VALIDATION THE-FEEDBACK" },
    { policy: "adversarial", sees: "THE-ITEM THE-WHOLE-DIFF" },
    { policy: "advisory", sees: "THE-WHOLE-DIFF" },
  ] as const)("under $policy is told $sees and no more", async ({ policy, sees }) => {
    const { prompt } = await asked(policy);
    expect(MARKS.filter((mark) => prompt.includes(mark)).join(" ")).toBe(sees);
  });

  test.for([
    { policy: "gate", minutes: 15 },
    { policy: "pull-request", minutes: 15 },
    { policy: "scored", minutes: 2 },
    { policy: "adversarial", minutes: 15 },
    { policy: "advisory", minutes: 5 },
  ] as const)("under $policy has $minutes minutes", async ({ policy, minutes }) => {
    expect((await asked(policy)).limits).toEqual({ timeoutMs: minutes * 60_000 });
  });

  test.for([
    { policy: "gate", model: undefined },
    { policy: "pull-request", model: undefined },
    { policy: "scored", model: "sonnet" },
    { policy: "adversarial", model: undefined },
    { policy: "advisory", model: undefined },
  ] as const)("under $policy, whose item names no model, is $model", async ({ policy, model }) => {
    expect((await asked(policy)).model).toBe(model);
  });
});
