import { POLICIES } from "@anneal/core";
import type { LoopNotification } from "@anneal/engine/project";
import { afterEach, expect, test, vi } from "vitest";
import { jsonLines } from "./json-lines.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("what a seed calls an event names the item beside the seed's own payload", () => {
  const lines: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  const policy = POLICIES.advisory;
  const event = { type: "intended", at: 1, stage: "reviewing", attempt: 1 } as const;
  const seed: LoopNotification["seed"] = [{ type: "codereview.started", payload: null }];
  const state = { stage: "reviewing" } as LoopNotification["state"];
  const told = {
    seq: 7,
    loop: "unit:a~1",
    item: "unit:a",
    title: "A",
    policy,
    event,
    before: null,
    state,
    seed,
    lines: [],
  };
  jsonLines("unit").event(told);
  const [, second] = lines.join("").trim().split("\n");
  expect(JSON.parse(second ?? "")).toEqual({ seq: 7, type: "codereview.started", item: "unit:a", payload: null });
});
