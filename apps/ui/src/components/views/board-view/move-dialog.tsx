import type { ApiColumn, ApiItem } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { isPlan, planMoves } from "../../../api/plans.ts";
import { movesQuery } from "../../../api/queries.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Failed, Loading } from "../../ui/state.tsx";

interface MoveProps {
  project: string;
  item: ApiItem;
  columns: readonly ApiColumn[];
  onMove: (to: string) => void;
  onClose: () => void;
}

/** The keyboard's way to drop a card: every column with what follows, or why it does not take the card. */
export function MoveDialog({ project, item, columns, onMove, onClose }: MoveProps) {
  const planned = isPlan(item)
    ? {
        moves: planMoves(
          item,
          columns.map(({ id }) => id),
        ),
      }
    : undefined;
  const asked = useQuery({ ...movesQuery(project, item.id), staleTime: 0, enabled: planned === undefined });
  const data = planned ?? asked.data;
  const { error } = asked;
  return (
    <Dialog title={`Move “${item.title}” to…`} open onClose={onClose}>
      {error === null ? null : <Failed what="the possible moves" error={error} />}
      {data === undefined && error === null ? <Loading what="the possible moves" /> : null}
      <ul className="flex flex-col gap-1">
        {data?.moves.map(({ to, refused, consequence }) => (
          <li key={to}>
            <button
              type="button"
              disabled={refused !== null}
              className="flex w-full flex-col rounded-md border border-line px-3 py-2 text-left text-sm not-disabled:hover:bg-raised disabled:text-muted"
              onClick={() => {
                onMove(to);
                onClose();
              }}
            >
              <span className="font-medium">{columns.find(({ id }) => id === to)?.name ?? to}</span>
              <span className="text-xs text-muted">{refused ?? consequence}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
