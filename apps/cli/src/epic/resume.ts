import { systemClock } from "@anneal/engine";
import type { EpicPlan } from "@anneal/engine/epics";
import { currentLoop, openReader, openToTalk, say } from "@anneal/engine/project";
import type { SignalName } from "@anneal/types";
import { tellBeside } from "../project/output.ts";
import { person } from "../project/person.ts";
import { harmlessLine } from "../style.ts";
import { runOrResume } from "./run.ts";

/** `anneal epic resume`: what waits for a person is sent on, what failed is started anew, and everything else goes on. */
export async function resumeEpic(args: string[]): Promise<number> {
  return await runOrResume(args, { failed: "anew", before: sendOn });
}

/** What sends a loop on, in this order: where it stopped for good it may only be tried again. */
const ONWARD: readonly SignalName[] = ["resume", "retry"];

async function sendOn({ key, tickets, mergesAgain }: EpicPlan, root: string): Promise<void> {
  for (const item of [...tickets.map((ticket) => ticket.key), key]) {
    // A loop whose earlier merges are lost would go on without them: it ends, and the next one makes them all, in order.
    const signal = await waitsFor(root, item, item === key && mergesAgain ? ["stop"] : ONWARD);
    if (signal === null) continue;
    using talk = await openToTalk(root, item, systemClock);
    const { row } = talk;
    if (row === null) continue;
    const answer = await say({ ...talk, row, by: person(), clock: systemClock, tell: tellBeside }, { signal });
    const why = answer.result === "refused" ? `: ${harmlessLine(answer.reason)}` : "";
    process.stderr.write(`anneal epic: ${item}: ${signal} ${answer.result}${why}\n`);
  }
}

async function waitsFor(root: string, item: string, ways: readonly SignalName[]): Promise<SignalName | null> {
  using project = await openReader(root, systemClock);
  const row = project.store === null ? null : currentLoop(project.store, item);
  if (row?.stage !== "waiting-for-human") return null;
  return ways.find((signal) => row.summary.legal.includes(signal)) ?? null;
}
