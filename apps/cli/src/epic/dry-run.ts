import type { EpicPlan, PlannedTicket } from "@anneal/engine/epics";
import type { Refused } from "@anneal/engine/project";
import { counted, json, refusedLines } from "../project/output.ts";
import { harmlessLine, painter } from "../style.ts";
import { mergeLines } from "./stands.ts";

export interface EpicDryRun {
  cast: { implementer: string; reviewer: string; fixer: string };
  /** Keys of what would run, or be refused. */
  runs: readonly string[];
  refused: readonly Refused[];
  json: boolean;
}

/** What `anneal epic run` would do. */
export function dryRun(plan: EpicPlan, { cast, runs: wanted, refused, json: asJson }: EpicDryRun): string {
  const runs = wanted.filter((key) => !refused.some((one) => one.key === key));
  if (asJson) return json({ ...plan, cast, runs, refused });
  const paint = painter(process.stdout);
  const { id, branch, baseline, tickets, notes } = plan;
  const begun = willRun(tickets, runs);
  const waves = Math.max(0, ...tickets.map(({ wave }) => wave));
  const lines = [
    `[DRY-RUN] Epic ${harmlessLine(id)}: ${counted(tickets.length, "ticket")} in ${counted(waves, "wave")}, from ${baseline.slice(0, 12)}, into ${branch}`,
    `Implemented by ${harmlessLine(cast.implementer)}, reviewed by ${harmlessLine(cast.reviewer)}, revised by ${harmlessLine(cast.fixer)}`,
    ...tickets.flatMap((ticket, at) => [
      ...(tickets[at - 1]?.wave === ticket.wave ? [] : [paint("bold", `Wave ${ticket.wave}`)]),
      `  ${harmlessLine(ticket.id)}  ${harmlessLine(ticket.title)}${about(ticket, begun)}`,
      paint("dim", `      ${ticket.branch} from ${startOf(ticket, baseline)}`),
    ]),
    `${paint("bold", "Then")} ${merges(plan, begun)}`,
    ...mergeLines(plan),
    ...refusedLines(refused),
    ...notes.map((note) => paint("yellow", `! ${harmlessLine(note)}`)),
  ];
  return `${lines.join("\n")}\n`;
}

/** Those of the tickets that a run can come to: nothing that they depend on stays lost. */
function willRun(tickets: readonly PlannedTicket[], runs: readonly string[]): ReadonlySet<string> {
  const there = new Set(tickets.filter(({ status }) => status === "completed").map(({ id }) => id));
  const begun = new Set<string>();
  for (const { id, key, dependsOn } of tickets) {
    if (!runs.includes(key) || !dependsOn.every((on) => there.has(on))) continue;
    begun.add(id);
    there.add(id);
  }
  return begun;
}

function merges({ branch, tickets, unmerged, rollsBack }: EpicPlan, begun: ReadonlySet<string>): string {
  const isLost = (one: PlannedTicket) => one.critical && one.status !== "completed" && !begun.has(one.id);
  if (rollsBack && tickets.some(isLost))
    return `nothing is merged into ${branch}: the epic has failed and is rolled back`;
  const taken = tickets.filter(({ id }) => begun.has(id) || unmerged.includes(id)).map(({ id }) => harmlessLine(id));
  return taken.length === 0 ? `nothing is left to merge into ${branch}` : `merged into ${branch}: ${taken.join(", ")}`;
}

function about({ id, status, reason, critical, unreviewed }: PlannedTicket, begun: ReadonlySet<string>): string {
  const weight = critical ? "" : " (not critical)";
  if (status === "completed") return `${weight}: completed already${unreviewed ? ", NOT REVIEWED" : ""}`;
  if (begun.has(id)) return weight;
  return `${weight}: ${status}${reason === null ? "" : `, ${harmlessLine(reason)}`}`;
}

function startOf({ buildsOn }: PlannedTicket, baseline: string): string {
  if (buildsOn.length === 0) return baseline.slice(0, 12);
  return buildsOn.map((id) => `ticket/${id}`).join(" and ");
}
