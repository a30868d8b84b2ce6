import { type FSWatcher, lstatSync, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemCode } from "@anneal/system/files/errors";
import { readRegular } from "@anneal/system/files/regular-file";
import { serialise } from "@anneal/system/files/serialise";
import { interpretJson, onWritten, versionOf } from "../files/json-file.ts";
import type { Clock } from "../ports.ts";
import { offerCover } from "./cover.ts";
import { entryFrom, type FeatureEntry, featureIn, isName, readFeature } from "./entry.ts";
import { type FeatureFolders, realFeatures } from "./folder.ts";

/** What somebody else did to a feature. `removed` means that its feature.json is gone, with or without the folder. */
export type FeatureChange =
  | { kind: "added" | "changed"; id: string; entry: FeatureEntry }
  | { kind: "removed"; id: string };

export interface FeatureWatch extends Disposable {
  /** Looks at this feature, too, from now on; what its file says already is not reported. */
  follow(id: string): Promise<void>;
  /** Looks at everything now, for file systems that do not tell; done when every change is reported. */
  rescan(): Promise<void>;
  close(): void;
}

export interface FeatureWatchOptions {
  /** `report`: what is there at the start is reported as added, before the watch is handed out. */
  existing?: "report" | "silent";
  /** Looks at these features only, and at those that it is told to follow; at all of them without. */
  only?: readonly string[] | undefined;
}

/** Editors save in several steps; a look right after the first would see half of it. */
const SETTLE_MS = 100;

/** Watches folders rather than files, because a file that is replaced takes its watch along; what counts is the content. */
export async function watchFeatures(
  places: FeatureFolders,
  clock: Clock,
  onChange: (change: FeatureChange) => void,
  { existing = "silent", only }: FeatureWatchOptions = {},
): Promise<FeatureWatch> {
  const features = realFeatures(places);
  const followed = only === undefined ? null : new Set(only.filter(isName));
  const concerns = (id: string) => followed === null || followed.has(id);
  const known = new Map<string, string>();
  const folders = watchedFolders();
  const touched = new Set<string>();
  const closed = new AbortController();
  let settling = false;
  let report = existing === "report" ? onChange : () => {};

  const remember = (id: string, state: string | null) => {
    if (state === null) known.delete(id);
    else known.set(id, state);
  };
  const forgetOwnWrites = onWritten((path, version, replaced) => {
    const folder = dirname(path);
    if (basename(path) !== "feature.json" || dirname(folder) !== features) return;
    const id = basename(folder);
    if (!concerns(id)) return;
    // What we have written over may be somebody's edit that nobody has looked at yet, and never could any more.
    if (replaced !== null && replaced.version !== known.get(id)) {
      const entry = entryFrom(id, interpretJson(path, replaced.bytes, featureIn(id)));
      report({ kind: known.has(id) ? "changed" : "added", id, entry });
    }
    remember(id, version);
  });

  // Within the queue of the file nobody of this process is half-way through a write, so a difference is somebody else's.
  const look = (id: string, tell: typeof onChange = (change) => report(change)) =>
    serialise(join(features, id, "feature.json"), async () => {
      const before = known.get(id) ?? null;
      // Nearly always our own write, which needs no second reading.
      if (before !== null && isStill(features, id, before)) return;
      const { state, entry } = await currentState(features, id);
      if (state === before || closed.signal.aborted) return;
      remember(id, state);
      if (state === null) tell({ kind: "removed", id });
      else tell({ kind: before === null ? "added" : "changed", id, entry });
    });

  const cover = offerCover(features, () => followed === null && folders.isWhole());
  const touch = (id: string) => {
    for (const listener of cover.listeners) listener(id === ALL ? null : id);
    touched.add(id);
    if (settling) return;
    settling = true;
    clock.sleep(SETTLE_MS, closed.signal).then(lookAtTouched).catch(ignoreAbort);
  };
  const lookAtTouched = async () => {
    settling = false;
    const ids = [...touched];
    touched.clear();
    await (ids.includes(ALL) ? lookAtAll() : lookAt(ids));
  };
  // First the watch, then the listing: what comes in between is then seen twice rather than never.
  const lookAtAll = async () => {
    folders.watch(features, (name) => {
      if (name === null || concerns(name)) touch(name ?? ALL);
    });
    await lookAt(await everyId());
  };
  const everyId = async () => [...new Set([...(followed ?? (await folderNames(features))), ...known.keys()])];
  const watchOne = (id: string) =>
    folders.watch(join(features, id), (name) => {
      if (name === null || name === "feature.json") touch(id);
    });
  const lookAt = async (ids: string[]) => {
    for (const id of ids) {
      watchOne(id);
      await look(id);
    }
  };
  const follow = async (id: string) => {
    if (concerns(id)) return;
    followed?.add(id);
    watchOne(id);
    await look(id, () => {});
  };

  folders.watch(dirname(features), (name) => {
    if (name === null || name === basename(features)) touch(ALL);
  });
  await lookAtAll();
  report = onChange;
  const close = () => {
    closed.abort();
    cover[Symbol.dispose]();
    forgetOwnWrites();
    folders.close();
  };
  return { close, [Symbol.dispose]: close, follow, rescan: lookAtAll };
}

/** Stands for every feature; no id can be empty. */
const ALL = "";

async function currentState(features: string, id: string): Promise<{ state: string | null; entry: FeatureEntry }> {
  if (!isFolder(join(features, id))) return { state: null, entry: { id, damaged: "no such folder" } };
  const read = await readFeature(features, id);
  const entry = entryFrom(id, read);
  if (read.ok) return { state: read.version, entry };
  if (read.reason === "missing") return { state: null, entry };
  return { state: read.reason === "damaged" ? versionOf(read.raw) : read.error, entry };
}

function isStill(features: string, id: string, version: string): boolean {
  try {
    const path = join(features, id, "feature.json");
    return isFolder(dirname(path)) && versionOf(readRegular(path, { links: "refused" })) === version;
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

async function folderNames(features: string): Promise<string[]> {
  try {
    const found = await readdir(features, { withFileTypes: true });
    return found.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

function watchedFolders() {
  const watchers = new Map<string, FSWatcher>();
  let isOpen = true;
  /** False for good once a folder could not be watched, such as beyond the limits of the system. */
  let isWhole = true;
  const drop = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  return {
    isWhole: () => isOpen && isWhole,
    /** Starts anew where the folder is watched already: it may have been removed and made again. */
    watch(folder: string, onEvent: (name: string | null) => void): void {
      drop(folder);
      if (!isOpen) return;
      try {
        const watcher = watch(folder, (_event, name) => onEvent(name));
        watcher.on("error", () => {
          drop(folder);
          isWhole = false;
        });
        watchers.set(folder, watcher);
      } catch (error) {
        const code = systemCode(error) ?? "";
        if (["ENOSPC", "EMFILE"].includes(code)) isWhole = false;
        else if (!["ENOENT", "ENOTDIR"].includes(code)) throw error;
      }
    },
    close(): void {
      isOpen = false;
      for (const folder of [...watchers.keys()]) drop(folder);
    },
  };
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
