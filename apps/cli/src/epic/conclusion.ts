import { systemClock } from "@anneal/engine";
import { type EpicPlan, planEpic } from "@anneal/engine/epics";
import {
  type CallerLocation,
  currentLoop,
  historyOf,
  openReader,
  type ProjectReader,
  type Refused,
  refusedOf,
} from "@anneal/engine/project";
import { harmlessLine } from "../style.ts";
import { onTrust } from "./on-trust.ts";
import { mergeLines, standsAt } from "./stands.ts";

/** How an epic stands after a run, and whether all is well with it. */
export async function conclusion(
  root: string,
  name: string,
  caller: CallerLocation,
): Promise<{ text: string; completed: boolean }> {
  using project = await openReader(root, systemClock);
  const found = await planEpic(project, name, { caller });
  if (!found.ok) return { text: "", completed: false };
  const { key, status, unmerged, branch } = found.plan;
  const rest = unmerged.length === 0 ? "" : `; not in ${branch} yet: ${unmerged.join(", ")}`;
  const red = redMerges(project, key);
  const left = await refusedOf(project, failedIn(found.plan));
  const lines = [
    `${standsAt(found.plan)}${rest}`,
    ...mergeLines(found.plan),
    ...leftLines(name, found.plan),
    ...anewLines(name, found.plan, left),
    ...red.map((why) => `✘ ${key}: ${harmlessLine(why)}`),
  ];
  return { text: `${lines.join("\n")}\n${onTrust(found.plan)}`, completed: status === "completed" && red.length === 0 };
}

/** A ticket that was started anew may come to its end after the merges. */
function leftLines(name: string, plan: EpicPlan): string[] {
  const isLeft = plan.status === "in-progress" && plan.unmerged.length > 0 && mergeLines(plan).length === 0;
  if (!isLeft || plan.tickets.some(({ status }) => status !== "completed")) return [];
  return [`anneal epic run ${harmlessLine(name)} merges the remaining tickets`];
}

function failedIn({ tickets }: EpicPlan): string[] {
  return tickets.filter(({ status }) => status === "failed").map(({ key }) => key);
}

/** The command that starts tickets anew, after what a person has to see to before. */
export function anewLines(name: string, plan: EpicPlan, left: readonly Refused[]): string[] {
  if (failedIn(plan).length === 0) return [];
  const anew = `anneal epic resume ${harmlessLine(name)} restarts the failed tickets from scratch`;
  return [[...left.map(({ why }) => harmlessLine(why)), anew].join("; then ")];
}

/** Merges of the last loop whose tree fails its checks: they stand, and somebody has to look. */
function redMerges({ store }: ProjectReader, key: string): string[] {
  const row = store === null ? null : currentLoop(store, key);
  if (store === null || row === null) return [];
  return historyOf(store, row).events.flatMap(({ event }) => {
    if (event.type !== "merged" || event.checks?.result !== "failed") return [];
    return [
      `the checks fail after merge ${event.commit.slice(0, 12)} (${event.checks.findings[0]?.title || "no reason given"})`,
    ];
  });
}
