import type { ApiItem, ApiMove } from "@anneal/types";
import { monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useRef, useState } from "react";
import { isPlan, planMoves } from "../../../../api/plans.ts";
import { movesQuery } from "../../../../api/queries.ts";
import { queries } from "../../../../api/query-client.ts";

/** The card that is in the air. */
export interface Dragged {
  item: string;
  from: string;
  /** Where it may go; null until the server has said so. */
  moves: readonly ApiMove[] | null;
}

/** Follows a card from where it is picked up to where it is dropped. */
export function useDrag(
  project: string,
  columns: readonly string[],
  items: ReadonlyMap<string, ApiItem>,
  onDrop: (item: ApiItem, to: string) => void,
): Dragged | null {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const newest = useRef({ columns, items, onDrop });
  newest.current = { columns, items, onDrop };
  useEffect(
    () =>
      monitorForElements({
        onDragStart({ source }) {
          const item = newest.current.items.get(String(source.data.item));
          if (item === undefined) return;
          const moves = isPlan(item) ? planMoves(item, newest.current.columns) : null;
          setDragged({ item: item.id, from: item.column, moves });
          if (moves !== null) return;
          void queries.fetchQuery({ ...movesQuery(project, item.id), staleTime: 0 }).then(
            (told) => setDragged((now) => (now?.item === item.id ? { ...now, moves: told.moves } : now)),
            () => {},
          );
        },
        onDrop({ source, location }) {
          setDragged(null);
          const item = newest.current.items.get(String(source.data.item));
          const to = location.current.dropTargets[0]?.data.column;
          if (item === undefined || typeof to !== "string" || to === item.column) return;
          newest.current.onDrop(item, to);
        },
      }),
    [project],
  );
  return dragged;
}
