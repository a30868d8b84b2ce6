import type { EpicPlan } from "@anneal/engine/epics";
import { expect, test } from "vitest";
import { dryRun } from "./dry-run.ts";

const ticket = (id: string, status: string, dependsOn: string[] = [], reason: string | null = null) => ({
  id,
  key: `ticket:limits/${id}`,
  title: `Build ${id}`,
  branch: `ticket/${id}`,
  buildsOn: dependsOn,
  dependsOn,
  wave: 1,
  critical: true,
  status,
  reason,
});
const KEPT = ticket("kept", "completed");
const FAILED = ticket("lost", "failed", [], "Review failed after 2 revisions");
const BLOCKED = ticket("after", "blocked", ["lost"], "it depends on lost, which is failed");
const FRESH = ticket("fresh", "queued");

test.for<{ what: string; tickets: object[]; runs: string[]; over?: Partial<EpicPlan>; says: string[] }>([
  {
    what: "an epic that failed, run again, leaves what is lost, and says so",
    tickets: [KEPT, FAILED, BLOCKED, FRESH],
    runs: ["after", "fresh"],
    over: { unmerged: ["kept"] },
    says: [
      "lost  Build lost: failed, Review failed after 2 revisions",
      "after  Build after: blocked, it depends on lost, which is failed",
      "Then merged into epic/limits: kept, fresh",
    ],
  },
  {
    what: "one that rolls back merges nothing",
    tickets: [KEPT, FAILED],
    runs: [],
    over: { rollsBack: true },
    says: ["Then nothing is merged into epic/limits: the epic has failed and rolls back"],
  },
  {
    what: "resumed, what failed is built anew, and what waits for it",
    tickets: [KEPT, FAILED, BLOCKED],
    runs: ["lost", "after"],
    over: { unmerged: ["kept"], rollsBack: true },
    says: ["lost  Build lost\n", "after  Build after\n", "Then merged into epic/limits: kept, lost, after"],
  },
  {
    what: "one that is completed has nothing left",
    tickets: [KEPT],
    runs: [],
    says: ["Then nothing is left to merge into epic/limits"],
  },
])("$what", ({ tickets, runs, over, says }) => {
  const common = { id: "limits", key: "epic:limits", branch: "epic/limits", baseline: "b".repeat(40) };
  const rest = { unmerged: [], rollsBack: false, conflict: null, lost: null, notes: [], ...over };
  const plan = { ...common, ...rest, tickets } as unknown as EpicPlan;
  const cast = { implementer: "a", reviewer: "b", fixer: "c" };
  const text = dryRun(plan, { cast, runs: runs.map((id) => `ticket:limits/${id}`), json: false });
  for (const line of says) expect(text).toContain(line);
});
