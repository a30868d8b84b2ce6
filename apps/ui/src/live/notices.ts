import type { ApiItem, EventFrame, TroubleFrame } from "@anneal/types";
import { toast } from "sonner";
import { itemsQuery } from "../api/queries.ts";
import { queries } from "../api/query-client.ts";
import { useAppStore } from "../store/app-store.ts";

/** Tells a person what they would want to know while they look elsewhere: one notice for each thing that asks for them. */
export function notices(frame: EventFrame): void {
  const stage = stageOf(frame);
  if (frame.part !== 0 || stage === null) return;
  if (useAppStore.getState().muted.includes(`${frame.project}/${frame.item}`)) return;
  const title = titleOf(frame);
  if (stage === "waiting-for-human") tell(frame, `“${title}” needs you`);
  else if (stage === "ended") tell(frame, `“${title}” has ended`);
}

/** What went wrong stays until somebody has seen it. */
export function tellTrouble(trouble: TroubleFrame): void {
  const { project, item, payload } = trouble;
  toast.error(`“${titleOf(trouble)}”: ${payload.message}`, {
    id: troubleId(project, item),
    duration: Number.POSITIVE_INFINITY,
  });
}

/** The one notice about an item that does what was asked of it, or cannot. */
export function troubleId(project: string, item: string): string {
  return `trouble ${project}/${item}`;
}

function titleOf({ project, item }: Pick<EventFrame, "project" | "item">): string {
  const items = queries.getQueryData<ApiItem[]>(itemsQuery(project).queryKey) ?? [];
  return items.find(({ id }) => id === item)?.title ?? item;
}

function tell({ project, item }: EventFrame, text: string): void {
  const address = `/p/${encodeURIComponent(project)}/review/${encodeURIComponent(item)}`;
  toast(text, { id: `${project}/${item}`, action: { label: "Open", onClick: () => window.location.assign(address) } });
  const { desktopNotices } = useAppStore.getState();
  if (!desktopNotices || document.visibilityState === "visible" || !("Notification" in window)) return;
  if (Notification.permission === "granted") new Notification(text, { tag: `${project}/${item}` });
}

function stageOf({ payload }: EventFrame): string | null {
  if (typeof payload !== "object" || payload === null || !("stage" in payload)) return null;
  return typeof payload.stage === "string" ? payload.stage : null;
}
