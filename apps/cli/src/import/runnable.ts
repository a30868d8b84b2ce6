import { dirname } from "node:path";
import { type FoundItem, type InventoryProblem, type ItemGroup, isOpen } from "@anneal/engine/inventory";

/** The items of a group that are not done and that nothing keeps from running: no problem of their own or of what they wait for. Those first that wait for none. */
export function runnable({ kind, items, problems }: ItemGroup): FoundItem[] {
  const sound = new Map(
    items.filter((item) => !problems.some((one) => concerns(one, kind, item))).map((item) => [item.id, item]),
  );
  for (let before = -1; before !== sound.size; ) {
    before = sound.size;
    for (const { id, dependsOn } of sound.values()) if (!dependsOn.every(isThere)) sound.delete(id);
  }
  const open = [...sound.values()].filter(({ status }) => isOpen(kind, status));
  const waits = ({ dependsOn }: FoundItem) => open.some(({ id }) => dependsOn.includes(id));
  return [...open.filter((item) => !waits(item)), ...open.filter(waits)];

  // What is of another kind is named with that kind, and not looked at here.
  function isThere(id: string): boolean {
    return id.includes(":") || sound.has(id);
  }
}

/** Epics, units and features own their folder; a story owns its file only. What is about nothing of one item is about all. */
function concerns({ file }: InventoryProblem, kind: ItemGroup["kind"], item: FoundItem): boolean {
  if (kind === "story") return file === item.file || !file.endsWith(".md");
  const folder = dirname(item.file);
  const isWithin = file === folder || file.startsWith(`${folder}/`);
  return isWithin || !file.startsWith(`${dirname(folder)}/`);
}
