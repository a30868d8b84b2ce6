import { createHash } from "node:crypto";
import type { ItemRef } from "@anneal/types";

const KINDS = ["feature", "ticket", "story", "unit", "branch", "epic"] as const satisfies ItemRef["kind"][];

/** How people and lists name an item: a feature by its id, everything else by its kind and id. */
export function keyOf({ kind, id }: { kind: string; id: string }): string {
  return kind === "feature" ? id : `${kind}:${id}`;
}

/** The same for the item of a loop's row. */
export function keyOfRow({ kind, item }: { kind: string; item: string }): string {
  return keyOf({ kind, id: item });
}

export function itemOf(key: string): ItemRef {
  const colon = key.indexOf(":");
  const kind = KINDS.find((one) => one === key.slice(0, Math.max(0, colon)));
  return kind === undefined ? { kind: "feature", id: key } : { kind, id: key.slice(colon + 1) };
}

/** Where git keeps the trees that an item's log names and no commit holds yet. */
export function treesRefOf(item: { kind: string; id: string }): string {
  const hash = createHash("sha256").update(keyOf(item)).digest("hex").slice(0, 16);
  return `refs/anneal/trees/${hash}`;
}

/** Where commits and files of an item are kept that no branch has. */
export function keptFolder(item: string): string {
  return `refs/anneal/kept/${item}`;
}

/** What the name ends with under which files of the n-th loop are kept that it had not committed. */
export const KEPT_FILES = "-files";

/** Where the work of an item's n-th loop is kept once another one starts anew. */
export function keptRef(item: string, loop: number): string {
  return `${keptFolder(item)}/${loop}`;
}

/** The name of an item's workspace; ids that could be no folder are told apart by a hash. */
export function folderOf({ kind, id }: { kind: string; id: string }): string {
  if (kind === "feature") return id;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 8);
  const readable = id
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${kind}-${readable}-${hash}`;
}
