import type { ApiEpic, ApiItem, ApiMove, ApiStory, ApiUnit } from "@anneal/types";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";
import { at } from "./queries.ts";

/** What waits in files and has never been started: it has no loop, so the list of items does not know it. */
export const plansQuery = (project: string) =>
  queryOptions({
    queryKey: ["plans", project],
    refetchOnWindowFocus: "always",
    queryFn: async ({ signal }): Promise<ApiItem[]> => {
      const [{ stories }, { units }, { epics }] = await Promise.all([
        api.get<{ stories: ApiStory[] }>(at(project, "stories"), { signal }),
        api.get<{ units: ApiUnit[] }>(at(project, "units"), { signal }),
        api.get<{ epics: ApiEpic[] }>(at(project, "epics"), { signal }),
      ]);
      return [
        ...stories.map((story) => card("story", story)),
        ...units.map((unit) => card("unit", unit)),
        ...epics.map((epic) => ({
          ...card("epic", { ...epic, column: "backlog", branch: null, dependsOn: [], blockedBy: [] }),
          damaged: epic.problems[0]?.message ?? null,
        })),
      ].filter(({ loop }) => loop === null);
    },
  });

/** The cards of a board: those that the server keeps, and the plans that none of them stands for. */
export function withPlans(items: readonly ApiItem[], plans: readonly ApiItem[]): ApiItem[] {
  const known = new Set(items.map(({ id }) => id));
  // An epic is under way as soon as one of its tickets is.
  const epics = new Set(
    items.flatMap(({ kind, id }) => (kind === "ticket" ? [`epic:${id.slice(7).split("/")[0]}`] : [])),
  );
  return [...items, ...plans.filter(({ id }) => !known.has(id) && !epics.has(id))];
}

type Plan = Pick<ApiStory, "key" | "title" | "status" | "branch" | "dependsOn" | "blockedBy" | "loop"> & {
  column: string;
  damaged?: string | null;
};

function card(kind: "story" | "unit" | "epic", plan: Plan): ApiItem {
  const { key, title, status, column, branch, dependsOn, blockedBy, damaged = null, loop } = plan;
  return {
    id: key,
    kind,
    title: title === "" ? key : title,
    status,
    column: column as ApiItem["column"],
    badge: null,
    needsYou: false,
    damaged,
    error: null,
    priority: null,
    category: null,
    model: null,
    policy: null,
    branch,
    dependsOn,
    blockedBy,
    byHand: false,
    updatedAt: 0,
    loop,
  };
}

/** Whether a card stands for something that only waits in a file. */
export function isPlan({ kind, loop }: Pick<ApiItem, "kind" | "loop">): boolean {
  return loop === null && kind !== "feature";
}

/** Where a plan may go: it can be started, and that is all. */
export function planMoves({ column }: ApiItem, columns: readonly string[]): ApiMove[] {
  return columns
    .filter((to) => to !== column)
    .map((to) => {
      const starts = to === "in_progress";
      const refused = starts ? null : "only its loop moves this card: start the card instead";
      return {
        to: to as ApiMove["to"],
        means: starts ? "start" : null,
        signal: null,
        consequence: starts ? "Starts a loop; an agent begins to work." : null,
        undoable: starts,
        refused,
      };
    });
}

/** Where a card is started: what waits in files by its own address. */
export function startAddress(project: string, { id, kind, loop }: Pick<ApiItem, "id" | "kind" | "loop">): string {
  const [, name = ""] = /^[a-z]+:(.+)$/.exec(id) ?? [];
  const group = isPlan({ kind, loop }) ? { story: "stories", unit: "units", epic: "epics" }[kind as string] : undefined;
  return group === undefined
    ? at(project, `items/${encodeURIComponent(id)}/start`)
    : at(project, `${group}/${encodeURIComponent(name)}/start`);
}
