import type { LoopEvent, Policy, Stage } from "@anneal/types";
import { POLICIES } from "../../policies/index.ts";
import { Play } from "../../testing/build.ts";
import type { EpicItem, TicketItem } from "../items.ts";
import type { EpicProgress } from "../state.ts";
import { type TicketLoop, ticketLoop } from "../ticket-loop.ts";

export function ticket(id: string, over: Partial<TicketItem> = {}): TicketItem {
  return {
    id,
    title: `Build ${id}`,
    path: `.epics/limits/tickets/${id}.md`,
    description: `Build ${id}`,
    acceptanceCriteria: ["The 11th call is refused"],
    filesToModify: [],
    dependsOn: [],
    critical: true,
    text: `# Build ${id}`,
    source: { name: id },
    ...over,
  };
}

export function epic(tickets: TicketItem[], over: Partial<EpicItem> = {}): EpicItem {
  return {
    id: "limits",
    title: "limits",
    path: ".epics/limits/limits.epic.yaml",
    coordination: "",
    rollbackOnFailure: false,
    tickets,
    source: { name: "limits", tickets: tickets.map(({ source }) => source) },
    ...over,
  };
}

/** config ← bucket, headers ← route; headers is not critical. */
export const diamond = () =>
  epic([
    ticket("config"),
    ticket("bucket", { dependsOn: ["config"] }),
    ticket("headers", { dependsOn: ["config"], critical: false }),
    ticket("route", { dependsOn: ["bucket", "headers"] }),
  ]);

const STARTED_AT = Date.UTC(2026, 2, 2, 8, 0, 0);

export function progress(over: Partial<EpicProgress> = {}): EpicProgress {
  const { epic: item = diamond(), loops = new Map() } = over;
  return { epic: item, baselineCommit: "b45e11ne", startedAt: STARTED_AT, loops, merge: "pending", ...over };
}

/** Plays a ticket's loop; time moves one second per event, from eight in the morning. */
export class TicketPlay extends Play {
  constructor(policy: Policy = POLICIES.scored) {
    super(policy);
  }

  /** The work of the stage is begun: its attempt is in the log. */
  begin(): this {
    const { stage } = this.state;
    if (!isActive(stage)) return this;
    return this.feed({ type: "intended", at: this.log.length * 1_000, stage, attempt: 1 });
  }

  get events(): LoopEvent[] {
    return this.log.map((event) => ({ ...event, at: event.at + STARTED_AT }));
  }

  get loop(): TicketLoop {
    const loop = ticketLoop(this.events);
    if (loop === null) throw new Error("a play has a start");
    return loop;
  }
}

function isActive(stage: Stage): stage is Exclude<Stage, "ended" | "waiting-for-human"> {
  return stage !== "ended" && stage !== "waiting-for-human";
}

export function loopsOf(plays: Record<string, TicketPlay>): Map<string, TicketLoop> {
  return new Map(Object.entries(plays).map(([id, play]) => [id, play.loop]));
}

/** Every status that a ticket had, in order, without repeats. */
export function statusesOf(events: readonly LoopEvent[]): string[] {
  const all = events.map((_, index) => ticketLoop(events.slice(0, index + 1))?.status ?? "none");
  return all.filter((status, index) => status !== all[index - 1]);
}
