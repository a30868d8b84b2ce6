import type { EpicPlan, PlannedTicket } from "@anneal/engine/epics";
import { counted, json } from "../project/output.ts";
import { harmlessLine, painter } from "../style.ts";
import { mergeLines } from "./stands.ts";

export interface DryRun {
  cast: { implementer: string; reviewer: string; fixer: string };
  /** Keys of what would run. */
  runs: readonly string[];
  json: boolean;
}

/** What `anneal epic run` would do. */
export function dryRun(plan: EpicPlan, { cast, runs, json: asJson }: DryRun): string {
  if (asJson) return json({ ...plan, cast, runs });
  const paint = painter(process.stdout);
  const { id, branch, baseline, tickets, notes } = plan;
  const waves = Math.max(0, ...tickets.map(({ wave }) => wave));
  const lines = [
    `[DRY-RUN] Epic ${harmlessLine(id)}: ${counted(tickets.length, "ticket")} in ${counted(waves, "wave")}, from ${baseline.slice(0, 12)}, into ${branch}`,
    `Built by ${harmlessLine(cast.implementer)}, reviewed by ${harmlessLine(cast.reviewer)}, revised by ${harmlessLine(cast.fixer)}`,
    ...tickets.flatMap((ticket, at) => [
      ...(tickets[at - 1]?.wave === ticket.wave ? [] : [paint("bold", `Wave ${ticket.wave}`)]),
      `  ${harmlessLine(ticket.id)}  ${harmlessLine(ticket.title)}${about(ticket, runs)}`,
      paint("dim", `      ${ticket.branch} from ${startOf(ticket, baseline)}`),
    ]),
    `${paint("bold", "Then")} merged into ${branch}: ${tickets.map((ticket) => harmlessLine(ticket.id)).join(", ")}`,
    ...mergeLines(plan),
    ...notes.map((note) => paint("yellow", `! ${harmlessLine(note)}`)),
  ];
  return `${lines.join("\n")}\n`;
}

function about({ key, status, reason, critical, unreviewed }: PlannedTicket, runs: readonly string[]): string {
  const weight = critical ? "" : " (not critical)";
  if (status === "completed") return `${weight}: completed already${unreviewed ? ", NOT REVIEWED" : ""}`;
  if (runs.includes(key)) return weight;
  return `${weight}: ${status}${reason === null ? "" : `, ${harmlessLine(reason)}`}`;
}

function startOf({ buildsOn }: PlannedTicket, baseline: string): string {
  if (buildsOn.length === 0) return baseline.slice(0, 12);
  return buildsOn.map((id) => `ticket/${id}`).join(" and ");
}
