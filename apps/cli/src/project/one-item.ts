import { systemClock, UsageError } from "@anneal/engine";
import {
  currentLoop,
  historyOf,
  itemNamed,
  type LoopHistory,
  openReader,
  type ProjectReader,
} from "@anneal/engine/project";

export type NamedItem = Awaited<ReturnType<typeof itemNamed>>;

/** Opens the project of this folder for reading, does something with the item that a person named, and closes it. */
export async function withItem<T>(
  name: string,
  work: (project: ProjectReader, item: NamedItem, loop: LoopHistory | null) => Promise<T>,
): Promise<T> {
  using project = await openReader(process.cwd(), systemClock);
  const item = await itemNamed(project, name);
  const row = project.store === null ? null : currentLoop(project.store, item.id);
  const loop = row === null || project.store === null ? null : historyOf(project.store, row);
  return await work(project, item, loop);
}

/** The one id that a command is about. */
export function onlyId(positionals: readonly string[], command: string): string {
  const [id, ...more] = positionals;
  if (id === undefined) throw new UsageError(`name a feature: anneal ${command} ID (list them with anneal status)`);
  if (more.length > 0) throw new UsageError(`one feature at a time: anneal ${command} ${id}`);
  return id;
}
