import type { ApiColumn, ApiItem } from "@anneal/types";
import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { Card } from "./card.tsx";
import { EMPTY_COLUMN } from "./constants.ts";
import type { Dragged } from "./hooks/use-drag.ts";

/** Room for two lines of title and two of badges. */
const CARD_HEIGHT = 140;

interface ColumnProps {
  project: string;
  column: ApiColumn;
  items: readonly ApiItem[];
  focused: string | null;
  onFocus: (id: string) => void;
  dragged: Dragged | null;
}

export function Column({ project, column, items, focused, onFocus, dragged }: ColumnProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isOver = useDropTarget(scroller, column.id);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    overscan: 3,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  const focusedIndex = focused === null ? -1 : items.findIndex(({ id }) => id === focused);
  useEffect(() => {
    if (focusedIndex >= 0) virtual.scrollToIndex(focusedIndex, { align: "auto" });
  }, [focusedIndex, virtual]);
  const drop = dropLook(dragged, column.id, isOver);
  return (
    <section
      aria-label={`${column.name}, ${items.length} cards`}
      data-drop={drop.takes}
      className={`flex w-64 shrink-0 flex-col rounded-lg border bg-raised/60 transition-opacity xl:w-auto xl:min-w-48 xl:flex-1 ${drop.className}`}
    >
      <h2 className="flex items-baseline gap-2 px-3 pt-2 pb-1 text-sm font-semibold">
        {column.name}
        <span className="text-xs font-normal text-muted">{items.length}</span>
      </h2>
      {drop.reason === null ? null : <p className="px-3 pb-1 text-xs text-muted">{drop.reason}</p>}
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        {items.length === 0 ? (
          <p className="px-1 py-2 text-xs text-muted">{EMPTY_COLUMN[column.id] ?? "No cards."}</p>
        ) : (
          <div className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start, size }) => {
              const item = items[index];
              if (item === undefined) return null;
              return (
                <div
                  key={key}
                  className="absolute inset-x-0 pb-2"
                  style={{ transform: `translateY(${start}px)`, height: size }}
                >
                  <Card project={project} item={item} focused={item.id === focused} onFocus={onFocus} />
                </div>
              );
            })}
          </div>
        )}
      </div>
    </section>
  );
}

function useDropTarget(element: React.RefObject<HTMLDivElement | null>, column: string): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const target = element.current?.parentElement;
    if (target == null) return;
    return dropTargetForElements({
      element: target,
      getData: () => ({ column }),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    });
  }, [element, column]);
  return isOver;
}

/** Columns that take the card are lit; the others lose their ground and say why, as readable as before. */
function dropLook(
  dragged: Dragged | null,
  column: string,
  isOver: boolean,
): { takes?: "yes" | "here" | "no"; className: string; reason: string | null } {
  if (dragged === null || dragged.from === column) return { className: "border-transparent", reason: null };
  const move = dragged.moves?.find(({ to }) => to === column);
  if (move === undefined) return { className: "border-transparent", reason: null };
  if (move.refused !== null)
    return { takes: "no", className: "border-dashed border-line bg-transparent!", reason: move.refused };
  if (isOver) return { takes: "here", className: "border-accent bg-accent-soft", reason: null };
  return { takes: "yes", className: "border-good", reason: null };
}
