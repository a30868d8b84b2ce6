import { parseArgs } from "node:util";
import { systemClock } from "@anneal/engine";
import { type EpicPlan, type PlannedTicket, planEpic, problemText, reviewReportText } from "@anneal/engine/epics";
import {
  callerLocation,
  isOwned,
  openReader,
  type ProjectReader,
  type StatusLine,
  statusOf,
} from "@anneal/engine/project";
import { statusText } from "../project/lines.ts";
import { json } from "../project/output.ts";
import { harmless, harmlessLine, painter } from "../style.ts";
import { onTrust } from "./on-trust.ts";
import { onlyEpic } from "./run.ts";
import { mergeLines, standsAt } from "./stands.ts";

/** `anneal epic status`. It only reads. */
export async function showEpic(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean", default: false }, reports: { type: "boolean", default: false } },
  });
  using project = await openReader(process.cwd(), systemClock);
  const found = await planEpic(project, onlyEpic(positionals), { caller: await callerLocation(process.cwd()) });
  if (!found.ok) {
    for (const problem of found.problems) process.stderr.write(`anneal epic: ${harmlessLine(problemText(problem))}\n`);
    return 2;
  }
  const { plan } = found;
  process.stdout.write(values.json ? json(plan) : await text(plan, project, values.reports));
  return 0;
}

async function text(plan: EpicPlan, project: ProjectReader, reports: boolean): Promise<string> {
  const { stdout } = process;
  const known = await statusOf(project);
  const loopOf = (key: string) => known.find(({ id }) => id === key)?.loop ?? null;
  const tickets = plan.tickets.map((ticket): StatusLine => {
    const { key, title, status, unreviewed } = ticket;
    const damaged = null;
    const marks = unreviewed ? { byHand: true as const } : {};
    const dependsOn = waitsFor(plan, ticket);
    return { id: key, kind: "ticket", title, status, damaged, dependsOn, loop: loopOf(key), ...marks };
  });
  const merging = loopOf(plan.key);
  const whole: StatusLine[] =
    merging === null
      ? []
      : [
          {
            id: plan.key,
            kind: "epic",
            title: plan.title,
            status: plan.status,
            damaged: null,
            dependsOn: [],
            loop: merging,
          },
        ];
  const head = `${standsAt(plan)}, from ${plan.baseline.slice(0, 12)} into ${plan.branch}\n`;
  const table = statusText([...tickets, ...whole], {
    paint: painter(stdout),
    columns: stdout.columns || 160,
    now: systemClock.now(),
    running: isOwned(project.repo),
    ids: "whole",
  });
  return `${head}${table}${lost(plan)}${mergeLines(plan)
    .map((line) => `${line}\n`)
    .join("")}${onTrust(plan)}${reports ? reportsText(plan) : ""}`;
}

function waitsFor({ id, tickets }: EpicPlan, { dependsOn }: PlannedTicket): string[] {
  const open = dependsOn.filter((on) => tickets.find((ticket) => ticket.id === on)?.status !== "completed");
  return open.map((on) => `ticket:${id}/${on}`);
}

/** Tickets that failed or are blocked, and why. */
function lost({ tickets }: EpicPlan): string {
  return tickets
    .filter(({ reason }) => reason !== null)
    .map(({ id, status, reason }) => `✘ ${harmlessLine(id)} ${status}: ${harmlessLine(reason ?? "")}\n`)
    .join("");
}

function reportsText({ tickets }: EpicPlan): string {
  const reports = tickets.flatMap(({ report }) => (report === null ? [] : [harmless(reviewReportText(report))]));
  return reports.map((one) => `\n${one}\n`).join("");
}
