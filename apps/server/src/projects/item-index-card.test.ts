import { expect, test } from "vitest";
import { cardOrDamage, type LoopRow } from "./item-index-card.ts";

test("what makes no card is shown as damaged, with what is wrong", () => {
  const summary = {
    title: "Topic",
    status: "in_progress",
    costUsd: "much",
    lastAt: 1,
  } as unknown as LoopRow["summary"];
  const row = {
    loop: "b~1",
    kind: "branch",
    item: "topic",
    stage: "reviewing",
    summary,
    firstSeq: 1,
    lastSeq: 2,
  } as const;
  expect(cardOrDamage("branch:topic", { file: null, row, trouble: undefined }, () => false)).toMatchObject({
    id: "branch:topic",
    kind: "branch",
    needsYou: true,
    damaged: expect.stringContaining("loop.costUsd: "),
    loop: null,
  });
});
