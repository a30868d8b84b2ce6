import { median } from "./median.ts";
import { openFeature } from "./update-work.ts";

/** CPU that one event costs on average, in µs. Time would mostly tell how busy the disk is. */
export interface PerEvent {
  all: number;
  decide: number;
  remember: number;
  project: number;
}

type Feature = ReturnType<typeof openFeature>;

/** Three times from one decision of a person to the next, so that every span holds the same kinds of events. */
const SPAN = 93;
const SPANS = 3;
const AT_ONCE = 500;

/** What an event costs early and late in the life of a loop: deciding, the log with its summary, the files. */
export async function perEvent([root = "", early = "0", late = "0"]: string[]): Promise<PerEvent[]> {
  const loops = Array.from({ length: SPANS + 1 }, (_, n) => openFeature(root, `feature-${n}`));
  const earlySpans: PerEvent[] = [];
  for (const loop of loops) {
    skipTo(loop, Number(early));
    earlySpans.push(await span(loop));
  }
  const [old] = loops;
  if (old === undefined) throw new Error("no loop to grow old");
  skipTo(old, Number(late));
  const lateSpans: PerEvent[] = [];
  for (let n = 0; n < SPANS; n += 1) lateSpans.push(await span(old));
  for (const loop of loops) loop.close();
  // The first loop only warms up what the others use.
  return [middle(earlySpans.slice(1)), middle(lateSpans)];
}

function skipTo(loop: Feature, start: number): void {
  if (loop.appended() === 0) loop.upTo("loop-started");
  for (let n = loop.appended(); n < start; n = loop.appended()) {
    loop.appendAll(Array.from({ length: Math.min(AT_ONCE, start - n) }, () => loop.steps.next().value));
  }
}

async function span(loop: Feature): Promise<PerEvent> {
  const spent: PerEvent = { all: 0, decide: 0, remember: 0, project: 0 };
  for (let n = 0; n < SPAN; n += 1) {
    const began = cpu();
    const step = loop.steps.next().value;
    const decided = cpu();
    loop.append(step);
    const remembered = cpu();
    await loop.project(step, step.before);
    const projected = cpu();
    spent.decide += (decided - began) / SPAN;
    spent.remember += (remembered - decided) / SPAN;
    spent.project += (projected - remembered) / SPAN;
    spent.all += (projected - began) / SPAN;
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
