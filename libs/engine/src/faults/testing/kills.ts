import type { Load } from "./load.ts";
import { type Ended, killGroup, type StartOptions, startRun } from "./process.ts";

/** Where a process dies: at the n-th passing of a failpoint, or when the n-th event is seen in its log from outside. */
export interface Kill {
  at: { failpoint: string } | { events: number };
  /** The process alone, so that its children live on, or everything in its group. */
  who: "process" | "group";
}

/** A life comes this far at most before it is killed, as a part of the whole work. */
const REACH = 0.12;

/** Draws kills from the failpoints that a calm run passed and the number of events that it wrote. */
export function drawKills(random: () => number, count: number, calm: { passed: string[]; events: number }): Kill[] {
  const counts = new Map<string, number>();
  for (const name of calm.passed) counts.set(name, (counts.get(name) ?? 0) + 1);
  const all = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Rare points get more than their share, or nearly every kill would hit a file.
  const weightOf = (times: number) => Math.sqrt(times);
  return Array.from({ length: count }, (_, life): Kill => {
    // What is passed only once is passed in the first life.
    const points = all.filter(([, times]) => life === 0 || times > 3);
    const total = points.reduce((sum, [, times]) => sum + weightOf(times), 0);
    const who = random() < 0.5 ? "process" : "group";
    const far = random() * REACH;
    const place = random();
    if (place > 0.75) return { at: { events: Math.ceil(far * calm.events) }, who };
    const [name, times] = weighted(points, (place / 0.75) * total, weightOf);
    return { at: { failpoint: `${name}:${Math.ceil(far * times)}` }, who };
  });
}

type Point = [name: string, times: number];

function weighted(points: readonly Point[], place: number, weightOf: (times: number) => number): Point {
  let left = place;
  for (const point of points) {
    left -= weightOf(point[1]);
    if (left < 0) return point;
  }
  throw new Error("a calm run passed no failpoint");
}

/** Runs the items in a process that is killed; where it never reaches that point, it ends by itself. */
export async function killedRun(load: Load, { at, who }: Kill, options: StartOptions = {}): Promise<Ended> {
  if ("failpoint" in at) {
    return await startRun(load, { ...options, env: { ANNEAL_FAILPOINT: at.failpoint, ANNEAL_KILL: who } }).ended;
  }
  let seen = 0;
  const { ended } = startRun(load, {
    ...options,
    onLine: ({ seq }, child) => {
      if (seq === undefined) return;
      seen += 1;
      if (seen !== at.events) return;
      if (who === "group") killGroup(child);
      else child.kill("SIGKILL");
    },
  });
  return await ended;
}

export function described({ at, who }: Kill): string {
  return `${"failpoint" in at ? at.failpoint : `event ${at.events}`} (${who})`;
}
