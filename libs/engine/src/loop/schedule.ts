/** A work item as the scheduler sees it. */
export interface Candidate {
  id: string;
  dependsOn: readonly string[];
  /** Lower goes first. */
  priority: number;
  state: "waiting" | "running" | "done" | "stuck";
  /** What keeps a stuck one from running, where that is known, as in `cannot be read: …`. */
  why?: string;
}

export interface Plan {
  start: string[];
  /** Items that cannot start now, and what they wait for. */
  blocked: { id: string; because: string }[];
}

/** Which items start next: dependencies first, then priority, then id; never more at once than the limit. */
export function nextToStart(items: readonly Candidate[], limit: number): Plan {
  const byId = new Map(items.map((item) => [item.id, item]));
  const running = items.filter((item) => item.state === "running").length;
  const waiting = items.filter((item) => item.state === "waiting");
  const blocked = waiting.flatMap((item) => {
    const because = hindrance(item, byId);
    return because === null ? [] : [{ id: item.id, because }];
  });
  const held = new Set(blocked.map(({ id }) => id));
  const ready = waiting.filter((item) => !held.has(item.id)).sort(inOrder);
  return { start: ready.slice(0, Math.max(0, limit - running)).map((item) => item.id), blocked };
}

function hindrance(item: Candidate, byId: ReadonlyMap<string, Candidate>): string | null {
  for (const id of item.dependsOn) {
    const needed = byId.get(id);
    if (needed === undefined) return `it depends on ${id}, which does not exist`;
    if (needed.state === "stuck")
      return `it depends on ${id}, which ${needed.why ?? `is not done and not running: ${ways(id)}`}`;
    if (needed.state !== "done") return `it depends on ${id}, which is not done`;
  }
  return null;
}

function ways(id: string): string {
  return `start it with anneal run ${id}`;
}

function inOrder(a: Candidate, b: Candidate): number {
  return a.priority - b.priority || (a.id < b.id ? -1 : 1);
}
