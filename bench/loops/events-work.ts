import { POLICIES } from "@anneal/core";
import type { Course } from "../long-loop.ts";
import { median } from "../median.ts";
import { QUIET_EVENTS } from "../quiet-life.ts";
import { openFeature } from "./update-work.ts";

/** CPU that one event costs on average, in µs. Time would mostly tell how busy the disk is. */
export interface PerEvent {
  all: number;
  decide: number;
  remember: number;
  project: number;
}

type Feature = ReturnType<typeof openFeature>;

/** Loops of a kind, as they are when young and when old. */
const LOOPS: Record<string, { young: Course; old: Course; span: number }> = {
  work: {
    young: { policy: POLICIES.gate, reviews: 1 },
    old: { policy: POLICIES.gate, reviews: 5 },
    span: 6 * QUIET_EVENTS,
  },
  feedback: {
    young: { policy: POLICIES["pull-request"], reviews: 1, last: "pass" },
    old: { policy: POLICIES["pull-request"], reviews: 3, last: "pass" },
    span: 6 * QUIET_EVENTS,
  },
  // Three times from one decision of a person to the next, so that every span holds the same kinds of events.
  reviews: { young: { policy: POLICIES.gate }, old: { policy: POLICIES.gate }, span: 93 },
};
const SPANS = 5;
const AT_ONCE = 500;

/** What an event costs early and late in the life of a loop: deciding, the log with its summary and those who are told, the files. */
export async function perEvent([root = "", kind = "", early = "0", late = "0"]: string[]): Promise<PerEvent[]> {
  const course = LOOPS[kind];
  if (course === undefined) throw new Error(`there are no loops of the kind ${kind}`);
  const { span } = course;
  // The first one only warms up what the others use.
  const young = Array.from({ length: SPANS + 1 }, (_, n) => openFeature(root, `young-${n}`, course.young));
  const old = openFeature(root, "old", course.old);
  for (const loop of young) skipTo(loop, Number(early), course.young);
  skipTo(old, Number(late), course.old);
  const spans: Record<"early" | "late", PerEvent[]> = { early: [], late: [] };
  for (const loop of young) {
    spans.early.push(await measured(loop, span));
    spans.late.push(await measured(old, span));
  }
  for (const loop of [...young, old]) loop.close();
  return [middle(spans.early.slice(1)), middle(spans.late.slice(1))];
}

/** Past a number of events, and to where the last of few reviews is over: spans are to hold the same kinds of events. */
function skipTo(loop: Feature, start: number, { reviews = 0 }: Course): void {
  let { after } = loop.upTo("loop-started");
  for (let n = loop.appended(); n < start; n = loop.appended()) {
    const steps = Array.from({ length: Math.min(AT_ONCE, start - n) }, () => loop.steps.next().value);
    loop.appendAll(steps);
    after = steps.at(-1)?.after ?? after;
  }
  while (after.rounds.length < reviews || after.stage === "opening-pr") {
    const step = loop.steps.next().value;
    loop.append(step);
    after = step.after;
  }
}

async function measured(loop: Feature, events: number): Promise<PerEvent> {
  const spent: PerEvent = { all: 0, decide: 0, remember: 0, project: 0 };
  for (let n = 0; n < events; n += 1) {
    const began = cpu();
    const step = loop.steps.next().value;
    const decided = cpu();
    loop.append(step);
    loop.tell(step);
    const remembered = cpu();
    await loop.project(step, step.before);
    const projected = cpu();
    spent.decide += (decided - began) / events;
    spent.remember += (remembered - decided) / events;
    spent.project += (projected - remembered) / events;
    spent.all += (projected - began) / events;
  }
  return spent;
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function middle(spans: readonly PerEvent[]): PerEvent {
  const of = (part: keyof PerEvent) => median(spans.map((one) => one[part]));
  return { all: of("all"), decide: of("decide"), remember: of("remember"), project: of("project") };
}
