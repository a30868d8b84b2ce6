import { lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { systemCode } from "../files/errors.ts";
import { onWritten } from "../files/json-file.ts";
import type { Clock } from "../ports.ts";
import { entryFrom, type FeatureEntry, linked, readFeature } from "./entry.ts";
import { type Places, realFeatures } from "./folder.ts";

export interface CatalogueEntry {
  entry: FeatureEntry;
  /** When its file was changed last, in epoch milliseconds; 0 where there is none. */
  changedAt: number;
}

/** The features of a project, read once and kept. */
export interface FeatureCatalogue extends Disposable {
  /**
   * Reports what has changed since. What this process wrote is seen at once; what others did, at the latest when a second
   * has passed since.
   */
  refresh(): Promise<void>;
}

/** How old the last look at all files may be. */
const LOOK_MS = 1_000;
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
  told: string;
}

/** Looks at the outside of files rather than waiting to be told: watches are limited, and silent on many kinds of disks. */
export async function catalogueOf(
  places: Places,
  clock: Clock,
  onChange: (id: string, now: CatalogueEntry | null) => void,
): Promise<FeatureCatalogue> {
  const features = await realFeatures(places);
  const known = new Map<string, Known>();
  const written = new Set<string>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  const forget = onWritten((path) => {
    const folder = dirname(path);
    if (basename(path) === "feature.json" && dirname(folder) === features) written.add(basename(folder));
  });

  const inspect = async (id: string, place: Place | null) => {
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
    const told = `${changedAt} ${"damaged" in entry ? entry.damaged : entry.version}`;
    known.set(id, { stamp, told });
    if (before?.told !== told) onChange(id, { entry, changedAt });
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
    // A clock that was put back must not stop the looking.
    if (now < lookedAt || now - lookedAt >= LOOK_MS) {
      lookedAt = now;
      await lookAtAll();
    }
    for (const id of [...written]) {
      written.delete(id);
      await inspect(id, placeAt(join(features, id)));
    }
  };

  return {
    async refresh() {
      // Whoever comes during a look waits for it and then makes sure of what was written meanwhile.
      while (running !== null) await running.catch(() => {});
      running = look().finally(() => {
        running = null;
      });
      await running;
    },
    [Symbol.dispose]: forget,
  };
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
