import type { EpicPlan } from "@anneal/engine/epics";
import { expect, test } from "vitest";
import { anewLines } from "./conclusion.ts";
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

interface Case {
  what: string;
  tickets: object[];
  runs: string[];
  refused?: string[];
  over?: Partial<EpicPlan>;
  says: string[];
}

test.for<Case>([
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
    says: ["Then nothing is merged into epic/limits: the epic has failed and is rolled back"],
  },
  {
    what: "resumed, what failed is built anew, and what waits for it",
    tickets: [KEPT, FAILED, BLOCKED],
    runs: ["lost", "after"],
    over: { unmerged: ["kept"], rollsBack: true },
    says: ["lost  Build lost\n", "after  Build after\n", "Then merged into epic/limits: kept, lost, after"],
  },
  {
    what: "what would be refused is told with its reason, and is not merged, nor what waits for it",
    tickets: [KEPT, FAILED, BLOCKED],
    runs: ["lost", "after"],
    refused: ["lost"],
    over: { unmerged: ["kept"] },
    says: [
      "lost  Build lost: failed, Review failed",
      "Then merged into epic/limits: kept\n",
      "✘ ticket:limits/lost would be refused: its worktree holds changes\n",
    ],
  },
  {
    what: "one that is completed has nothing left",
    tickets: [KEPT],
    runs: [],
    says: ["Then nothing is left to merge into epic/limits"],
  },
])("$what", ({ tickets, runs, refused = [], over, says }) => {
  const common = { id: "limits", key: "epic:limits", branch: "epic/limits", baseline: "b".repeat(40) };
  const rest = { unmerged: [], rollsBack: false, conflict: null, lost: null, notes: [], ...over };
  const plan = { ...common, ...rest, tickets } as unknown as EpicPlan;
  const cast = { implementer: "a", reviewer: "b", fixer: "c" };
  const keyed = (id: string) => `ticket:limits/${id}`;
  const whys = refused.map((id) => ({ key: keyed(id), why: "its worktree holds changes" }));
  const text = dryRun(plan, { cast, runs: runs.map(keyed), refused: whys, json: false });
  for (const line of says) expect(text).toContain(line);
});

test.for([
  { what: "nothing failed", tickets: [KEPT], left: [], says: [] },
  {
    what: "a ticket failed",
    tickets: [FAILED],
    left: [],
    says: ["anneal epic resume limits restarts the failed tickets from scratch"],
  },
  {
    what: "a ticket failed, and a person's work lies in its worktree",
    tickets: [FAILED],
    left: ["W holds changes: commit them"],
    says: ["W holds changes: commit them; then anneal epic resume limits restarts the failed tickets from scratch"],
  },
])("what is advised where $what", ({ tickets, left, says }) => {
  const plan = { tickets } as unknown as EpicPlan;
  expect(
    anewLines(
      "limits",
      plan,
      left.map((why) => ({ key: FAILED.key, why })),
    ),
  ).toEqual(says);
});
