import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { BASELINE_NAME } from "@anneal/adapters/checks";
import type { LoopEvent } from "@anneal/types";
import { logFolderOf, openStore } from "../../log/index.ts";
import { REVIEW_NAME } from "../../review/review-copies.ts";
import type { Load } from "./load.ts";

export type Outcome = ReturnType<typeof outcomeOf>;

/** Everything that must not depend on who died where: files, commits, workspaces, blobs, and the log without its attempts. */
export function outcomeOf(load: Load) {
  const found = {
    features: Object.fromEntries(namesIn(load.at("features")).map((id) => [id, filesIn(load.at("features", id))])),
    main: load.git("status", "--porcelain"),
    refs: load.git("for-each-ref", "--format=%(refname) %(objectname)").split("\n"),
    commits: load.git("log", "--branches", "--date-order", "--format=%H %T %P %an %ae %at %ct %B").split("\n"),
    workspaces: workspacesOf(load),
    blobs: blobsIn(load),
    ...logOf(load),
  };
  return JSON.parse(
    JSON.stringify(found).replaceAll(load.dir, "ROOT").replaceAll(basename(load.dir), "ROOT"),
  ) as typeof found;
}

/** How many reviews run at once depends on the moment, and what a kill leaves of a baseline is for `anneal gc`. */
const POOLED = [REVIEW_NAME, BASELINE_NAME];

function workspacesOf({ dir, git }: Load): Record<string, string> {
  const home = `${dir}.anneal`;
  const names = namesIn(home).filter((name) => !POOLED.some((pooled) => name.startsWith(pooled)));
  return Object.fromEntries(
    names.map((name) => [name, git("-C", join(home, name), "status", "--porcelain", "--branch")]),
  );
}

/** Attempts may be repeated; everything else happened once. */
const ATTEMPTS: readonly LoopEvent["type"][] = ["intended", "abandoned"];

function logOf(load: Load) {
  const store = openStore(load, { clock: { now: () => 0 }, readOnly: true });
  try {
    const rows = store.loops().toSorted((a, b) => (a.loop < b.loop ? -1 : 1));
    const log = rows.map(({ loop }) => ({
      loop,
      events: [...store.events(loop)]
        .map(({ event, stage }) => ({ event, stage }))
        .filter(({ event }) => !ATTEMPTS.includes(event.type)),
    }));
    const loops = rows.map(({ loop, kind, item, stage, summary }) => ({ loop, kind, item, stage, summary }));
    return { loops, log, waiting: store.takeInbox() };
  } finally {
    store.close();
  }
}

/** Every event of the log as the process that wrote it reported it. */
export function tellings(load: Load): { seq: number; loop: string; type: string; stage: string }[] {
  const store = openStore(load, { clock: { now: () => 0 }, readOnly: true });
  try {
    const all = store.allEvents(0, Number.MAX_SAFE_INTEGER);
    return all.map(({ seq, loop, event, stage }) => ({ seq, loop, type: event.type, stage }));
  } finally {
    store.close();
  }
}

export function blobsIn(load: Load): string[] {
  if (!existsSync(logFolderOf(load).blobs)) return [];
  const shelves = namesIn(logFolderOf(load).blobs).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const names = shelves.flatMap((shelf) =>
    namesIn(join(logFolderOf(load).blobs, shelf)).map((name) => `${shelf}${name}`),
  );
  return names.filter((name) => /^[0-9a-f]{64}$/.test(name));
}

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(namesIn(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

function namesIn(folder: string): string[] {
  return readdirSync(folder).sort();
}
