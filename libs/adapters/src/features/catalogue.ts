import { lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { systemCode } from "@anneal/system/files/errors";
import { FeatureId } from "@anneal/types";
import { onWritten } from "../files/json-file.ts";
import type { Clock } from "../ports.ts";
import { type Cover, wholeCover } from "./cover.ts";
import { entryFrom, type FeatureEntry, linked, readFeature } from "./entry.ts";
import { type FeatureFolders, realFeatures } from "./folder.ts";

export interface CatalogueEntry {
  entry: FeatureEntry;
  /** When its file was changed last, in epoch milliseconds; 0 where there is none. */
  changedAt: number;
}

/** The features of a project, read once and kept. */
export interface FeatureCatalogue extends Disposable {
  /**
   * Reports what has changed since. What this process wrote is seen at once, and so is every change of the one that is
   * named; what others did, at the latest when a second has passed since.
   */
  refresh(named?: string): Promise<void>;
}

/** How old the last look may be. */
const LOOK_MS = 1_000;
/** The same for the look at all files where a watch tells of every change. */
const WATCHED_LOOK_MS = 30_000;
/** A file that was changed so shortly before it was read may be changed again under the same time; coarse clocks tick by two seconds. */
const TICK_MS = 2_000;
/** Between so many files, others have their turn. */
const SLICE = 256;

/** Where a feature lies; one that is not in a real folder is shown as damaged. */
type Place = "folder" | "link";

interface Known {
  /** What the file looked like from outside when it was read; null where that would prove nothing. */
  stamp: string | null;
  /** What was reported of it. */
  reported: string;
}

/**
 * Looks at the outside of all files at most once a second, because watches are limited, and silent on many kinds of disks.
 * Where a watch of this process covers everything, it looks at what that tells of, and seldom at the rest.
 */
export async function catalogueOf(
  places: FeatureFolders,
  clock: Clock,
  onChange: (id: string, now: CatalogueEntry | null) => void,
): Promise<FeatureCatalogue> {
  const features = realFeatures(places);
  const known = new Map<string, Known>();
  const wanted = new Set<string>();
  /** Those whose stamp proves nothing yet. */
  const unsure = new Set<string>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let lookedAtAll = Number.NEGATIVE_INFINITY;
  let cover: Cover | null = null;
  let running: Promise<void> | null = null;

  const forget = onWritten((path) => {
    const folder = dirname(path);
    if (basename(path) === "feature.json" && dirname(folder) === features) wanted.add(basename(folder));
  });

  const touched = (id: string | null) => {
    if (id === null) lookedAtAll = Number.NEGATIVE_INFINITY;
    else wanted.add(id);
  };
  /** Whether changes were reported since the last look, and will be. */
  const isCovered = () => {
    const now = wholeCover(features);
    const before = cover;
    if (now !== before) {
      before?.listeners.delete(touched);
      now?.listeners.add(touched);
      cover = now;
    }
    return now !== null && now === before;
  };

  const inspect = async (id: string, place: Place | null) => {
    unsure.delete(id);
    if (place === null) {
      if (known.delete(id)) onChange(id, null);
      return;
    }
    // The outside first: what is changed after this look has another stamp at the next.
    const stat = place === "folder" ? statOf(join(features, id, "feature.json")) : null;
    const stamp = stampOf(stat, clock.now());
    const before = known.get(id);
    if (before !== undefined && stamp !== null && before.stamp === stamp) return;
    const entry = place === "folder" ? entryFrom(id, await readFeature(features, id)) : linked(features, id);
    const changedAt = stat?.mtimeMs ?? 0;
    const reported = `${changedAt} ${"damaged" in entry ? entry.damaged : entry.version}`;
    known.set(id, { stamp, reported });
    if (stamp === null) unsure.add(id);
    if (before?.reported !== reported) onChange(id, { entry, changedAt });
  };

  const lookAtAll = async () => {
    const places = placesIn(features);
    for (const id of [...known.keys()]) if (!places.has(id)) await inspect(id, null);
    let count = 0;
    for (const [id, place] of places) {
      await inspect(id, place);
      count += 1;
      if (count % SLICE === 0) await turn();
    }
  };

  const look = async () => {
    const now = clock.now();
    if (isOver(now, lookedAt, LOOK_MS)) {
      lookedAt = now;
      if (isOver(now, lookedAtAll, isCovered() ? WATCHED_LOOK_MS : LOOK_MS)) {
        lookedAtAll = now;
        await lookAtAll();
      } else for (const id of unsure) wanted.add(id);
    }
    for (const id of [...wanted]) {
      wanted.delete(id);
      await inspect(id, placeAt(join(features, id)));
    }
  };

  return {
    async refresh(named) {
      if (named !== undefined && FeatureId.safeParse(named).success) wanted.add(named);
      // Whoever comes during a look waits for it and then makes sure of what was written meanwhile.
      while (running !== null) await running.catch(() => {});
      running = look().finally(() => {
        running = null;
      });
      await running;
    },
    [Symbol.dispose]() {
      cover?.listeners.delete(touched);
      forget();
    },
  };
}

/** A clock that was put back must not stop the looking. */
function isOver(now: number, since: number, ms: number): boolean {
  return now < since || now - since >= ms;
}

function stampOf(stat: Stats | null, now: number): string | null {
  // A link says nothing about where it leads, and a file that is missing costs nothing to miss again.
  if (stat === null || !stat.isFile() || stat.ctimeMs > now - TICK_MS) return null;
  return `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

function statOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function placesIn(features: string): Map<string, Place> {
  try {
    const found = readdirSync(features, { withFileTypes: true }).filter((entry) => !entry.isFile());
    return new Map(found.map((entry) => [entry.name, entry.isDirectory() ? "folder" : "link"]));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return new Map();
    throw error;
  }
}

function placeAt(path: string): Place | null {
  const stat = statOf(path);
  if (stat === null || stat.isFile()) return null;
  return stat.isDirectory() ? "folder" : "link";
}
