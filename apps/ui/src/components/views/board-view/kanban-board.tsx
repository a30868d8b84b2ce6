import { useEffect, useMemo, useState } from "react";
import { Column } from "./column.tsx";
import type { BoardActions } from "./hooks/use-board-actions.ts";
import { useBoardKeys } from "./hooks/use-board-keys.ts";
import { useDrag } from "./hooks/use-drag.ts";
import { useQuestions } from "./hooks/use-questions.ts";
import type { ShownColumn } from "./hooks/use-shown.ts";
import { MoveDialog } from "./move-dialog.tsx";
import { QuestionDialog } from "./question-dialog.tsx";

interface BoardProps {
  project: string;
  shown: readonly ShownColumn[];
  actions: BoardActions;
}

/** The columns with their cards; one of the cards has the keyboard. */
export function KanbanBoard({ project, shown, actions }: BoardProps) {
  const [focused, setFocused] = useState<string | null>(null);
  const [moving, setMoving] = useState<string | null>(null);
  const byId = useMemo(() => new Map(shown.flatMap(({ items }) => items.map((item) => [item.id, item]))), [shown]);
  const columns = shown.map(({ column }) => column.id);
  const asking = useQuestions(project, actions);
  const dragged = useDrag(project, columns, byId, (item, to) => void asking.move(item, to));
  useBoardKeys({ project, shown, focused, setFocused, onMove: setMoving, asking });
  useEffect(() => {
    if (focused !== null && !byId.has(focused)) setFocused(null);
  }, [focused, byId]);
  const mover = moving === null ? undefined : byId.get(moving);
  return (
    <div className="flex h-full gap-2 overflow-x-auto p-3">
      {shown.map(({ column, items }) => (
        <Column
          key={column.id}
          project={project}
          column={column}
          items={items}
          focused={focused}
          onFocus={setFocused}
          dragged={dragged}
        />
      ))}
      {mover === undefined ? null : (
        <MoveDialog
          project={project}
          item={mover}
          columns={shown.map(({ column }) => column)}
          onMove={(to) => void asking.move(mover, to)}
          onClose={() => setMoving(null)}
        />
      )}
      <QuestionDialog
        project={project}
        asking={asking}
        actions={actions}
        nameOf={(to) => shown.find(({ column }) => column.id === to)?.column.name ?? to}
      />
    </div>
  );
}
