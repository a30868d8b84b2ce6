import type { ApiLoopState, SignalName } from "@anneal/types";
import { expect, test } from "vitest";
import { creationOf } from "./create-pull-request.ts";

const opens = ["implementing", "reviewing", "opening-pr"];

test.for([
  { what: "under review, skipping allowed", stage: "reviewing", may: ["skip", "pause"], leads: "Create a draft: skip" },
  {
    what: "under review, skipping refused",
    stage: "reviewing",
    may: ["pause", "stop"],
    leads: "The pull request opens automatically",
  },
  { what: "being built", stage: "implementing", may: ["pause"], leads: "The pull request opens automatically" },
  { what: "waiting for an approval", stage: "waiting-for-human", may: ["approve", "refine"], leads: "approve" },
  {
    what: "held back before it was opened",
    stage: "waiting-for-human",
    backTo: "opening-pr",
    may: ["retry", "take-over"],
    leads: "Create the pull request: retry",
  },
  {
    what: "whose review broke",
    stage: "waiting-for-human",
    backTo: "reviewing",
    may: ["retry", "skip"],
    leads: "Create a draft: skip",
  },
  { what: "opening it", stage: "opening-pr", may: ["pause"], leads: "being opened" },
  { what: "that has ended", stage: "ended", may: [], leads: "ended without a pull request" },
  {
    what: "whose policy has none",
    stage: "waiting-for-human",
    rail: ["reviewing", "ended"],
    may: ["approve"],
    leads: "opens no pull request",
  },
])("a loop $what: $leads", ({ stage, backTo = null, rail = opens, may, leads }) => {
  const signals = may.map((signal) => ({ signal: signal as SignalName, consequence: "" }));
  const loop = { stage, backTo, rail: rail.map((one) => ({ stage: one })), signals } as unknown as ApiLoopState;
  const creation = creationOf(loop);
  expect("whyNot" in creation ? creation.whyNot : `${creation.name}: ${creation.word.signal}`).toContain(leads);
});
