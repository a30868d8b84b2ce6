import { join } from "node:path";
import { type EpicStore, epicStore, type FoundEpic, findEpics, readEpic } from "@anneal/adapters/epics";
import { type EpicItem, problemText, type TicketItem } from "@anneal/core/epics";
import { UsageError } from "../../errors/errors.ts";

export type ReadableEpic = FoundEpic & { epic: EpicItem };

/** The epics of a project as their files are now. */
export interface EpicIndex {
  all(): Promise<FoundEpic[]>;
  /** An epic that can be run as it is. */
  runnable(id: string): Promise<ReadableEpic>;
  /** What to write to, and what is to be written about; also while something else keeps the epic from being run. */
  open(id: string): Promise<{ epic: EpicItem; files: EpicStore }>;
}

export function epicIndex(root: string): EpicIndex {
  let reading: Promise<FoundEpic[]> | null = null;
  const places = new Map<string, string>();
  // Tickets and epics are listed in one breath: their files are read once for both.
  const all = () => {
    reading ??= findEpics(root).finally(() => {
      reading = null;
    });
    return reading;
  };
  const found = async (id: string): Promise<FoundEpic> => {
    const one = (await all()).find(({ file }) => epicIdOf(file) === id);
    if (one === undefined) throw new UsageError(`there is no epic ${id} in .epics`);
    places.set(id, one.file);
    return one;
  };
  return {
    all,
    async runnable(id) {
      const one = await found(id);
      if (isRunnable(one)) return one;
      throw new UsageError(`epic ${id} cannot be run: ${one.problems.map(problemText).join("; ")}`);
    },
    async open(id) {
      const file = join(root, places.get(id) ?? (await found(id)).file);
      const read = await readEpic(file, { root });
      if (!read.ok) throw new Error(`epic ${id} cannot be read: ${read.problems.map(problemText).join("; ")}`);
      return { epic: read.epic, files: epicStore(file, id, root) };
    },
  };
}

export function isRunnable(found: FoundEpic): found is ReadableEpic {
  return found.epic !== null && found.problems.length === 0;
}

/** The name of an epic, by its file. */
export function epicIdOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.epic\.ya?ml$/, "");
}

/** The two names in a ticket's id. */
export function namesIn(id: string): { epicId: string; ticketId: string } {
  const slash = id.indexOf("/");
  return { epicId: id.slice(0, Math.max(0, slash)), ticketId: id.slice(slash + 1) };
}

export function ticketIn({ id, tickets }: EpicItem, name: string): TicketItem {
  const ticket = tickets.find((one) => one.id === name);
  if (ticket === undefined) throw new UsageError(`there is no ticket ${name} in epic ${id}`);
  return ticket;
}
