import type { AgentActivity, LoopNotification } from "@anneal/engine/project";
import type { ActivityFrame } from "@anneal/types";
import type { StreamPosition } from "./cursor.ts";

/** One message of the stream, as text but for its cursor, which depends on who listens. */
export interface StreamFrame extends StreamPosition {
  project: string;
  loop: string;
  /** The key of the work item. */
  item: string;
  /** An object of JSON without its last brace, so that it is written once for all listeners. */
  opened: string;
  /** The whole message for the last listener: those who have heard everything are all at the same place. */
  sent?: { cursor: string; bytes: Buffer };
}

/** The whole message for a listener at this place. */
export function frameBytes(frame: StreamFrame, cursor: string): Buffer {
  if (frame.sent?.cursor !== cursor)
    frame.sent = { cursor, bytes: Buffer.from(`${frame.opened},"cursor":"${cursor}"}`) };
  return frame.sent.bytes;
}

/** What is needed to judge a report is large and says nothing to a person. */
const BULK = ["regions", "standing", "renames"];

/** The frames of one event: the loop's own, then those in the seeds' words. */
export function framesOf(
  project: string,
  { seq, loop, item, title, policy, event, state, seed }: LoopNotification,
): StreamFrame[] {
  const light = Object.fromEntries(Object.entries(event).filter(([key]) => !BULK.includes(key)));
  const payload = { loop, item, title, policy: policy.name, stage: state.stage, event: light };
  return [{ type: `loop:${event.type}`, payload }, ...seed].map(({ type, payload: its }, part) => {
    const about = { project, loop, item };
    const opened = JSON.stringify({ seq, part, type, payload: its, ...about }).slice(0, -1);
    return { seq, part, ...about, opened };
  });
}

/** Enough to see what goes on; the transcript has all of it. */
const LONGEST_ACTIVITY = 4_000;

export function activityOf(project: string, { loop, item, agent, role, event }: AgentActivity): ActivityFrame {
  const { kind } = event;
  const said = kind === "text" || kind === "note" ? { text: event.text } : { name: event.name, text: event.detail };
  const text = said.text.slice(0, LONGEST_ACTIVITY);
  return { type: "loop:activity", project, loop, item, payload: { agent, role, kind, ...said, text } };
}
