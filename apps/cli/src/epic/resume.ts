import { systemClock } from "@anneal/engine";
import { type EpicPlan, resumeWaiting } from "@anneal/engine/epics";
import { openProject } from "@anneal/engine/project";
import { speaker } from "../project/person.ts";
import { harmlessLine } from "../style.ts";
import { runOrResume } from "./run.ts";

/** `anneal epic resume`: what waits for a person is sent on, what failed is started anew, and everything else goes on. */
export async function resumeEpic(args: string[]): Promise<number> {
  return await runOrResume(args, { failed: "anew", before: sendAllOn });
}

async function sendAllOn(plan: EpicPlan, root: string): Promise<void> {
  using project = await openProject(root, systemClock);
  const { store } = project;
  for (const item of [...plan.tickets.map((ticket) => ticket.key), plan.key]) {
    const sent = await resumeWaiting({ root, store, ...(await speaker(null)), clock: systemClock }, plan, item);
    if (sent === null) continue;
    const { signal, answer } = sent;
    const why = answer.result === "refused" ? `: ${harmlessLine(answer.reason)}` : "";
    process.stderr.write(`anneal epic: ${item}: ${signal} ${answer.result}${why}\n`);
  }
}
