import type { ApiItem } from "@anneal/types";
import { useNavigate } from "@tanstack/react-router";
import type { ShortcutAction } from "../../../../shortcuts/actions.ts";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import type { Asking } from "./use-questions.ts";
import type { ShownColumn } from "./use-shown.ts";

interface Keys {
  project: string;
  shown: readonly ShownColumn[];
  focused: string | null;
  setFocused: (id: string) => void;
  onMove: (id: string) => void;
  asking: Asking;
}

/** Keys of the board: along a column, across the columns, and what to do with the card that has the focus. */
export function useBoardKeys({ project, shown, focused, setFocused, onMove, asking }: Keys): void {
  const navigate = useNavigate();
  const columns = shown.filter(({ items }) => items.length > 0);
  const column = columns.findIndex(({ items }) => items.some(({ id }) => id === focused));
  const row = columns[column]?.items.findIndex(({ id }) => id === focused) ?? -1;
  const item: ApiItem | undefined = columns[column]?.items[row];
  const go = (toColumn: number, toRow: number) => {
    const items = columns[Math.min(Math.max(toColumn, 0), columns.length - 1)]?.items ?? [];
    const next = items[Math.min(Math.max(toRow, 0), items.length - 1)];
    if (next !== undefined) setFocused(next.id);
  };
  const onCard = (act: (item: ApiItem) => void) => () => {
    if (item !== undefined) act(item);
  };
  const none = item === undefined ? "no card is selected: press j" : undefined;
  const word = (signal: "skip" | "retry"): Partial<ShortcutAction> => {
    if (item === undefined) return { blocked: none };
    return item.loop?.legal.includes(signal) === true
      ? {}
      : { blocked: "this action is not possible for the card now" };
  };
  const group = "Board";
  useOffer([
    { id: "card-next", title: "Next card", group, key: "j", run: () => go(Math.max(column, 0), row + 1) },
    { id: "card-previous", title: "Previous card", group, key: "k", run: () => go(Math.max(column, 0), row - 1) },
    { id: "column-next", title: "Next column", group, key: "l", run: () => go(column + 1, Math.max(row, 0)) },
    { id: "column-previous", title: "Previous column", group, key: "h", run: () => go(column - 1, Math.max(row, 0)) },
    {
      id: "card-open",
      title: "Open the review of the card",
      group,
      key: "v",
      blocked: none,
      run: onCard(({ id }) => void navigate({ to: "/p/$project/review/$item", params: { project, item: id } })),
    },
    {
      id: "card-move",
      title: "Move the card to…",
      group,
      key: "m",
      blocked: none,
      run: onCard(({ id }) => onMove(id)),
    },
    {
      id: "card-start",
      title: "Start the card",
      group,
      key: "g",
      blocked: none,
      run: onCard((card) => void asking.start(card)),
    },
    {
      id: "card-skip",
      title: "Skip the review of the card",
      group,
      key: "s",
      ...word("skip"),
      run: onCard((card) => void asking.signal(card, "skip")),
    },
    {
      id: "card-retry",
      title: "Retry the card",
      group,
      key: "r",
      ...word("retry"),
      run: onCard((card) => void asking.signal(card, "retry")),
    },
  ]);
}
