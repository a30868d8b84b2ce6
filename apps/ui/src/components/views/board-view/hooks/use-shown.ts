import type { ApiColumn, ApiItem } from "@anneal/types";
import { useMemo } from "react";
import type { BoardSearch } from "../../../../store/search.ts";

export interface ShownColumn {
  column: ApiColumn;
  items: ApiItem[];
}

/** The cards of each column that fit the search, in the order in which they are worked on. */
export function useShown(columns: readonly ApiColumn[], items: readonly ApiItem[], search: BoardSearch): ShownColumn[] {
  const { text = "", kind, needsMe } = search;
  return useMemo(() => {
    const wanted = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    const fits = (item: ApiItem) => {
      if (kind !== undefined && item.kind !== kind) return false;
      if (needsMe === true && !item.needsYou) return false;
      const said = `${item.id} ${item.title} ${item.category ?? ""} ${item.branch ?? ""}`.toLowerCase();
      return wanted.every((word) => said.includes(word));
    };
    const byColumn = Map.groupBy(items.filter(fits), ({ column }) => column);
    return columns.map((column) => ({ column, items: (byColumn.get(column.id) ?? []).sort(order) }));
  }, [columns, items, text, kind, needsMe]);
}

/** Who needs a person first, then by priority; what moved last before what has rested. */
function order(a: ApiItem, b: ApiItem): number {
  if (a.needsYou !== b.needsYou) return a.needsYou ? -1 : 1;
  const byPriority = (a.priority ?? Number.POSITIVE_INFINITY) - (b.priority ?? Number.POSITIVE_INFINITY);
  if (byPriority !== 0 && !Number.isNaN(byPriority)) return byPriority;
  return b.updatedAt - a.updatedAt || a.id.localeCompare(b.id);
}
