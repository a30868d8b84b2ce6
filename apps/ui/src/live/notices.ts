import type { ApiItem, EventFrame } from "@anneal/types";
import { toast } from "sonner";
import { itemsQuery } from "../api/queries.ts";
import { queries } from "../api/query-client.ts";
import { useAppStore } from "../store/app-store.ts";

/** Tells a person what they would want to know while they look elsewhere: one notice for each thing that asks for them. */
export function notices(frame: EventFrame): void {
  const stage = stageOf(frame);
  if (frame.part !== 0 || stage === null) return;
  if (useAppStore.getState().muted.includes(`${frame.project}/${frame.item}`)) return;
  const items = queries.getQueryData<ApiItem[]>(itemsQuery(frame.project).queryKey) ?? [];
  const title = items.find(({ id }) => id === frame.item)?.title ?? frame.item;
  if (stage === "waiting-for-human") tell(frame, `“${title}” needs you`);
  else if (stage === "ended") tell(frame, `“${title}” has ended`);
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
