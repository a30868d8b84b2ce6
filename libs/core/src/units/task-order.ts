import type { UnitTask } from "@anneal/types";

type Ordered = Pick<UnitTask, "task" | "depends_on">;

/** Tasks in the order in which they run: after those that they depend on, then by number. What waits in a circle comes last. */
export function taskOrder<T extends Ordered>(tasks: readonly T[]): T[] {
  const known = new Set(tasks.map(({ task }) => task));
  const placed = new Set<number>();
  const rest = tasks.toSorted((a, b) => a.task - b.task);
  const order: T[] = [];
  while (rest.length > 0) {
    const free = rest.findIndex((task) => (task.depends_on ?? []).every((on) => placed.has(on) || !known.has(on)));
    const [next] = rest.splice(Math.max(0, free), 1);
    if (next === undefined) break;
    placed.add(next.task);
    order.push(next);
  }
  return order;
}
