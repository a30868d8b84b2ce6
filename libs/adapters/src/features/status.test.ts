import type { FeatureStatus } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { legalMoves, type Mover, whyIllegal } from "./status.ts";

const STEPS = [{ id: "step_lint" }, { id: "step_docs" }];

describe("where a feature may go", () => {
  test.for<{ from: FeatureStatus | undefined; steps?: typeof STEPS; loop: string; person: string }>([
    { from: undefined, loop: "in_progress", person: "in_progress" },
    { from: "backlog", loop: "in_progress", person: "in_progress" },
    { from: "in_progress", loop: "code_review waiting_approval completed", person: "backlog" },
    { from: "code_review", loop: "in_progress waiting_approval verified", person: "backlog" },
    { from: "code_review", steps: STEPS, loop: "in_progress pipeline_step_lint waiting_approval", person: "backlog" },
    { from: "pipeline_step_lint", steps: STEPS, loop: "pipeline_step_docs in_progress", person: "in_progress backlog" },
    {
      from: "pipeline_step_docs",
      steps: STEPS,
      loop: "waiting_approval verified in_progress",
      person: "in_progress backlog",
    },
    {
      from: "pipeline_step_removed",
      steps: STEPS,
      loop: "pipeline_step_lint in_progress",
      person: "in_progress backlog",
    },
    { from: "pipeline_step_removed", loop: "waiting_approval verified in_progress", person: "in_progress backlog" },
    {
      from: "waiting_approval",
      loop: "verified completed in_progress",
      person: "verified completed in_progress backlog",
    },
    { from: "verified", loop: "completed waiting_approval in_progress", person: "completed in_progress backlog" },
    { from: "completed", loop: "", person: "verified" },
  ])("from $from: the loop to [$loop], a person to [$person]", ({ from, steps = [], loop, person }) => {
    const to = (by: Mover) =>
      legalMoves(from, steps)
        .filter((move) => move.by.includes(by))
        .map((move) => move.to)
        .join(" ");
    expect({ loop: to("loop"), person: to("person") }).toEqual({ loop, person });
  });

  test("no person moves a feature past its review, over any number of moves", () => {
    const reached = new Set<FeatureStatus>(["backlog"]);
    for (const from of reached) {
      for (const { to, by } of legalMoves(from, STEPS)) if (by.includes("person")) reached.add(to);
    }
    expect([...reached]).toEqual(["backlog", "in_progress"]);
  });
});

describe("why a move is illegal", () => {
  test.for<{ from: FeatureStatus; to: string; by: Mover; why: string | null }>([
    { from: "backlog", to: "in_progress", by: "person", why: null },
    { from: "code_review", to: "pipeline_step_lint", by: "loop", why: null },
    {
      from: "backlog",
      to: "verified",
      by: "person",
      why: 'a person cannot move a feature from backlog to "verified"; possible: in_progress',
    },
    {
      from: "waiting_approval",
      to: "nonsense",
      by: "person",
      why: 'a person cannot move a feature from waiting_approval to "nonsense"; possible: verified, completed, in_progress, backlog',
    },
    {
      from: "completed",
      to: "in_progress",
      by: "loop",
      why: 'the loop cannot move a feature from completed to "in_progress"; possible: nothing',
    },
    {
      from: "code_review",
      to: "verified",
      by: "loop",
      why: 'the loop cannot move a feature from code_review to "verified"; possible: in_progress, pipeline_step_lint, waiting_approval',
    },
  ])("$from → $to by $by", ({ from, to, by, why }) => {
    expect(whyIllegal(from, to, { by, steps: STEPS })).toBe(why);
  });
});
