import type { ApiItem } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { toast } from "sonner";
import { api } from "../../../api/api.ts";
import { isBeginning } from "../../../api/items.ts";
import { plansQuery, withPlans } from "../../../api/plans.ts";
import { columnsQuery, itemsQuery, projectsQuery } from "../../../api/queries.ts";
import { queries } from "../../../api/query-client.ts";
import { useAppStore } from "../../../store/app-store.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Failed, Loading } from "../../ui/state.tsx";
import { AddDialog } from "./add-dialog.tsx";
import { useBoardActions } from "./hooks/use-board-actions.ts";
import { useShown } from "./hooks/use-shown.ts";
import { KanbanBoard } from "./kanban-board.tsx";
import { Toolbar } from "./toolbar.tsx";

const NO_ITEMS: ApiItem[] = [];

export function BoardView() {
  const { project } = useParams({ from: "/p/$project" });
  const search = useSearch({ from: "/p/$project" });
  const { data: projects } = useQuery(projectsQuery);
  const items = useQuery(itemsQuery(project));
  const columns = useQuery(columnsQuery(project));
  const [adding, setAdding] = useState(false);
  const actions = useBoardActions(project);
  const { data: plans = NO_ITEMS, isPending: plansAwaited } = useQuery(plansQuery(project));
  const cards = useMemo(() => withPlans(items.data ?? NO_ITEMS, plans), [items.data, plans]);
  const shown = useShown(columns.data?.columns ?? [], cards, search);
  const openProject = useAppStore((store) => store.openProject);
  useEffect(() => openProject(project), [project, openProject]);

  // What was loaded before stays on the screen while the server is away.
  const isShown = items.data !== undefined && columns.data !== undefined;
  const broken = isShown ? null : (items.error ?? columns.error);
  return (
    <div className="flex h-full flex-col">
      <h1 className="sr-only">Board</h1>
      <Toolbar
        project={project}
        about={projects?.find(({ id }) => id === project)}
        items={cards}
        search={search}
        onAdd={() => setAdding(true)}
        onAuto={(auto) => void setAuto(project, auto)}
      />
      {isBeginning(items.data) ? (
        <p role="status" className="px-4 pt-2 text-sm text-muted">
          Loading more cards…
        </p>
      ) : null}
      <div className="min-h-0 flex-1">
        {broken === null ? null : (
          <Failed
            what="the board"
            error={broken}
            onRetry={() => void Promise.all([items.refetch(), columns.refetch()])}
          />
        )}
        {broken !== null ? null : items.data === undefined ||
          columns.data === undefined ||
          (cards.length === 0 && plansAwaited) ? (
          <Loading what="the board" />
        ) : cards.length === 0 ? (
          <Empty title="No work yet.">
            <p>Add a feature, or add files of epics, stories or units to the repository.</p>
            <Button look="main" className="mt-3" onClick={() => setAdding(true)}>
              Add the first feature
            </Button>
          </Empty>
        ) : (
          <KanbanBoard project={project} shown={shown} actions={actions} />
        )}
      </div>
      {adding ? <AddDialog project={project} actions={actions} onClose={() => setAdding(false)} /> : null}
    </div>
  );
}

/** Shown at once; put back where the server refuses. */
async function setAuto(project: string, auto: boolean): Promise<void> {
  const show = (on: boolean) =>
    queries.setQueryData(projectsQuery.queryKey, (before) =>
      before?.map((one) => (one.id === project ? { ...one, auto: on } : one)),
    );
  show(auto);
  try {
    await api.send("PATCH", `/api/projects/${project}`, { auto });
  } catch (error) {
    show(!auto);
    toast.error(errorMessage(error));
  }
}
