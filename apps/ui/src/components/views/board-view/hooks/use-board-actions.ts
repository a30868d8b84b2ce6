import type { ApiItem, ApiNewFeature, Seen, SignalName } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { toast } from "sonner";
import { ApiProblem, api } from "../../../../api/api.ts";
import { isPlan, startAddress } from "../../../../api/plans.ts";
import { at, itemsQuery } from "../../../../api/queries.ts";
import { queries } from "../../../../api/query-client.ts";

export interface BoardActions {
  /** Moves a card whose loop was seen like this. */
  move(item: ApiItem, to: string, seen: Seen | null): Promise<void>;
  start(item: ApiItem): Promise<void>;
  signal(item: ApiItem, signal: SignalName, seen: Seen): Promise<void>;
  /** The problem to show beside the form; null when it is done. */
  add(feature: ApiNewFeature): Promise<ApiProblem | null>;
}

/** What can be done with cards. What the server refuses is told in its own words. */
export function useBoardActions(project: string): BoardActions {
  const path = (item: ApiItem, verb: string) => at(project, `items/${encodeURIComponent(item.id)}/${verb}`);
  return {
    move: (item, to, seen) =>
      told(
        `Move of “${item.title}”`,
        () =>
          isPlan(item)
            ? api.send("POST", startAddress(project, item))
            : api.send("POST", path(item, "move"), { to, ...(seen === null ? {} : { seen }) }),
        project,
      ),
    start: (item) => told(`Start of “${item.title}”`, () => api.send("POST", startAddress(project, item)), project),
    signal: (item, signal, seen) =>
      told(`${signal} of “${item.title}”`, () => api.send("POST", path(item, "signal"), { signal, seen }), project),
    add: async (feature) => {
      try {
        await api.send("POST", at(project, "features"), feature);
      } catch (error) {
        if (error instanceof ApiProblem) return error;
        throw error;
      }
      toast.success(`Added “${feature.title}” to the backlog.`);
      await queries.invalidateQueries(itemsQuery(project));
      return null;
    },
  };
}

async function told(what: string, act: () => Promise<unknown>, project: string): Promise<void> {
  try {
    await act();
    await queries.invalidateQueries(itemsQuery(project));
  } catch (error) {
    toast.error(`${what}: ${errorMessage(error)}`);
  }
}
