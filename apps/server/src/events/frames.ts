import type { Told } from "@anneal/engine/project";

/** One message of the stream, without the place in it, which depends on who listens. */
export interface Frame {
  seq: number;
  /** Its number among the frames of its event. */
  part: number;
  project: string;
  loop: string;
  /** The key of the work item. */
  item: string;
  type: string;
  payload: unknown;
}

/** What is needed to judge a report is large and says nothing to a person. */
const BULK = ["regions", "standing", "renames"];

/** The frames of one event: the loop's own, then those in the seeds' words. */
export function framesOf(project: string, { seq, loop, item, title, policy, event, state, seed }: Told): Frame[] {
  const about = { seq, project, loop, item };
  const light = Object.fromEntries(Object.entries(event).filter(([key]) => !BULK.includes(key)));
  const payload = { loop, item, title, policy: policy.name, stage: state.stage, event: light };
  const own = { ...about, part: 0, type: `loop:${event.type}`, payload };
  return [own, ...seed.map(({ type, payload: its }, index) => ({ ...about, part: index + 1, type, payload: its }))];
}
