/** What is known of an item without looking into its loop. */
export interface ItemStatus {
  column: string;
  damaged: boolean;
  loop: { stage: string; outcome: string | null } | null;
}

/** Whether nothing goes on with an item until a person does something: it waits, is lost, or cannot be read. */
export function needsPerson({ column, damaged, loop }: ItemStatus): boolean {
  if (damaged) return true;
  if (loop !== null && loop.stage !== "ended") return loop.stage === "waiting-for-human";
  const lost = loop?.outcome === "failed" || loop?.outcome === "blocked";
  // Nobody works on it any more: what is done or in the backlog is somebody's decision already.
  return column === "waiting_approval" || (lost && column === "in_progress");
}
