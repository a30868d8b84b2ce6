import { mkdirSync, renameSync } from "node:fs";
import { realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { failpoint } from "@anneal/system/failpoint";
import { sweepTemporaries, syncFolder, temporaryPathFor, writeUnseen } from "@anneal/system/files/atomic";
import {
  asNotWritten,
  FileBusy,
  InvalidChange,
  NotWritten,
  systemCode,
  VersionConflict,
} from "@anneal/system/files/errors";
import { underLock } from "@anneal/system/files/file-lock";
import { readRegular } from "@anneal/system/files/regular-file";
import { serialise } from "@anneal/system/files/serialise";
import { describeIssues, Feature, type FeatureStatus, type PipelineStep } from "@anneal/types";
import { announceWrite, updateJson, versionOf } from "../files/json-file.ts";
import { stageSet } from "../files/write-set.ts";
import type { Clock } from "../ports.ts";
import { type CatalogueEntry, catalogueOf, type FeatureCatalogue } from "./catalogue.ts";
import * as entries from "./entry.ts";
import {
  existingFolder,
  type FeatureFolders,
  featureFolders,
  folderOf,
  realFeatures,
  TakenFeatureId,
} from "./folder.ts";
import * as files from "./iteration-files.ts";
import { readPipeline } from "./pipeline.ts";
import { type FeatureChange, type FeatureWatch, type FeatureWatchOptions, watchFeatures } from "./watch.ts";

/** What a new feature may start with. */
export type NewFeature = Pick<Feature, "description"> & { title: string } & Partial<
    Pick<
      Feature,
      | "spec"
      | "category"
      | "priority"
      | "dependencies"
      | "model"
      | "branchName"
      | "skipTests"
      | "planningMode"
      | "policy"
    >
  >;

/** The features of one project, as files that people and other tools edit at the same time. */
export interface FeatureStore {
  /** Every feature in short, or those of the named that are there, sorted by id; a damaged one comes with its error. */
  list(named?: readonly string[]): Promise<entries.FeatureEntry[]>;
  /** The ids of all of them, without a look at any. */
  ids(): Promise<string[]>;
  get(id: string): Promise<entries.StoredFeature | entries.DamagedFeature | null>;
  /** Without an id it gets a new one; one that is taken is refused. */
  create(feature: NewFeature, id?: string): Promise<entries.StoredFeature>;
  /** Applies the change to the freshest content; it may run more than once, and `null` leaves the file. */
  update(
    id: string,
    change: (feature: Feature) => Feature | null,
    options?: { ifVersion?: string },
  ): Promise<entries.StoredFeature & { changed: boolean }>;
  /**
   * Sets the status also where the file has one that does not exist; any other damage is refused.
   * A function is asked at the last moment; a note goes into `error`, where boards show it.
   */
  restoreStatus(id: string, status: FeatureStatus | (() => FeatureStatus), note?: string): Promise<void>;
  /** Removes the whole folder in one step; says whether there was one. */
  remove(id: string, options?: { ifVersion?: string }): Promise<boolean>;
  /**
   * Writes what agents and reviews said, then changes feature.json, which may name those files; all of it is safe in the end.
   * Where feature.json cannot be changed, the rest is still written.
   */
  record(
    id: string,
    said: readonly files.IterationOutput[],
    change?: (feature: Feature) => Feature | null,
  ): Promise<void>;
  readReview(id: string, iteration: number): Promise<string | null>;
  /** The iterations that have a review, in order. */
  listReviews(id: string): Promise<number[]>;
  /** Without an iteration, the latest. */
  readAgentOutput(id: string, iteration?: number): Promise<string | null>;
  pipeline(): Promise<PipelineStep[]>;
  /** Reports what others do to feature.json files, each change once, also one that we wrote over; our own writes are not reported. */
  watch(onChange: (change: FeatureChange) => void, options?: FeatureWatchOptions): Promise<FeatureWatch>;
  /** A list that is kept, for those who ask for it often. */
  catalogue(onChange: (id: string, now: CatalogueEntry | null) => void): Promise<FeatureCatalogue>;
  /** Removes what killed processes left half-done, with all features or the named ones; to be called at start. */
  sweep(named?: readonly string[]): Promise<void>;
}

export interface FeatureStoreOptions {
  clock?: Clock;
  /** From 0 up to but not including 1. */
  random?: () => number;
}

export function featureStore(
  projectRoot: string,
  { clock = systemClock, random = Math.random }: FeatureStoreOptions = {},
): FeatureStore {
  const places = featureFolders(projectRoot);
  const { features, lock } = places;
  const jsonOf = (folder: string) => join(folder, "feature.json");
  return {
    list: (named) => entries.listEntries(features, named),
    ids: () => entries.listIds(features),
    async get(id) {
      if (folderOf(places, id) === null) return null;
      const read = await entries.readFeature(features, id);
      return read.ok ? { id, feature: read.value, version: read.version } : { id, damaged: read.error };
    },
    create: (feature, id) => create(places, feature, id ?? (() => newId(clock, random))),
    async update(id, change, { ifVersion } = {}) {
      const path = jsonOf(existingFolder(places, id));
      const options = { jail: features, lock, ...(ifVersion === undefined ? {} : { ifVersion }) };
      const { value, version, changed } = await updateJson(path, entries.featureIn(id), change, options);
      return { id, feature: value, version, changed };
    },
    async restoreStatus(id, status, note) {
      const path = jsonOf(existingFolder(places, id));
      const change = (feature: Omit<Feature, "status">) => ({
        ...feature,
        status: typeof status === "function" ? status() : status,
        ...(note === undefined ? {} : { error: note }),
      });
      await updateJson(path, entries.featureWithAnyStatus(id), change, { jail: features, lock });
    },
    remove: (id, { ifVersion } = {}) => remove(places, id, ifVersion),
    record: (id, said, change) => record(places, id, said, change),
    async readReview(id, iteration) {
      return files.readSibling(existingFolder(places, id), files.reviewFile(iteration));
    },
    async listReviews(id) {
      return files.reviewsIn(existingFolder(places, id));
    },
    async readAgentOutput(id, iteration) {
      const name = iteration === undefined ? files.LATEST_AGENT_OUTPUT : files.agentOutputFile(iteration);
      return files.readSibling(existingFolder(places, id), name);
    },
    pipeline: () => readPipeline(places.pipeline),
    watch: (onChange, options) => watchFeatures(places, clock, onChange, options),
    catalogue: (onChange) => catalogueOf(places, clock, onChange),
    sweep: (named) => sweep(places, named),
  };
}

async function record(
  places: FeatureFolders,
  id: string,
  said: readonly files.IterationOutput[],
  change: (feature: Feature) => Feature | null = () => null,
): Promise<void> {
  const folder = existingFolder(places, id);
  const path = join(folder, "feature.json");
  const texts = await files.textsOf(folder, said);
  const staging = texts.size === 0 ? null : stageSet(folder, texts);
  // Awaited below; an early failure must not count as unhandled until then.
  staging?.catch(() => {});
  const first = async () => (await staging)?.replace();
  let synced: string | null = null;
  try {
    const options = { jail: places.features, lock: places.lock, first };
    const { changed } = await updateJson(path, entries.featureIn(id), change, options);
    if (changed && staging !== null) synced = dirname(await realpath(path));
  } finally {
    const staged = await staging;
    staged?.replace();
    await staged?.sync(synced);
  }
}

async function create(
  places: FeatureFolders,
  input: NewFeature,
  wanted: string | (() => string),
): Promise<entries.StoredFeature> {
  const features = realFeatures(places);
  for (let attempt = 0; attempt < 10; attempt++) {
    const id = typeof wanted === "string" ? wanted : wanted();
    const { title, description, category = "Uncategorized", ...rest } = input;
    const feature = valid(id, { id, title, category, description, status: "backlog", ...rest });
    const text = `${JSON.stringify(feature, null, 2)}\n`;
    if (await putInPlace(features, id, text)) return { id, feature, version: versionOf(text) };
    if (typeof wanted === "string") throw new TakenFeatureId(id);
  }
  throw new FileBusy(features, "every new id is already taken");
}

function valid(id: string, value: unknown): Feature {
  const parsed = Feature.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidChange(id, describeIssues(parsed.error));
}

/** The whole folder appears in one step, so that nobody sees a feature without its file. */
async function putInPlace(features: string, id: string, text: string): Promise<boolean> {
  const folder = join(features, id);
  const temporary = temporaryPathFor(join(dirname(features), id));
  const path = join(folder, "feature.json");
  try {
    mkdirSync(temporary);
    await writeUnseen(join(temporary, "feature.json"), text);
    syncFolder(temporary);
    await serialise(path, async () => {
      failpoint("feature.create.before");
      renameSync(temporary, folder);
      announceWrite(path, versionOf(text));
      failpoint("feature.create.after");
    });
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(systemCode(error) ?? "")) return false;
    // It is not known where it was to be written first.
    throw asNotWritten(error instanceof NotWritten ? error.cause : error, path);
  }
  syncFolder(features);
  return true;
}

async function remove(places: FeatureFolders, id: string, ifVersion: string | undefined): Promise<boolean> {
  if (folderOf(places, id) === null) return false;
  const features = realFeatures(places);
  const path = join(features, id, "feature.json");
  return serialise(path, async () => {
    const away = temporaryPathFor(join(dirname(features), id));
    failpoint("feature.remove.before");
    const takeAway = () => {
      renameSync(join(features, id), away);
      announceWrite(path, null);
    };
    // Who names a version wants nobody to come in between.
    if (ifVersion === undefined) takeAway();
    else {
      await underLock(places.lock, () => {
        refuseOther(path, ifVersion);
        takeAway();
      });
    }
    failpoint("feature.remove.after");
    syncFolder(features);
    await rm(away, { recursive: true, force: true });
    return true;
  });
}

function refuseOther(path: string, ifVersion: string): void {
  const version = versionAt(path);
  if (version !== ifVersion) throw new VersionConflict(path, version);
}

function versionAt(path: string): string | null {
  try {
    return versionOf(readRegular(path));
  } catch {
    return null;
  }
}

async function sweep(places: FeatureFolders, named?: readonly string[]): Promise<void> {
  const features = realFeatures(places);
  const folders = await entries.realFolders(features, named);
  const all = [places.automaker, dirname(features), ...folders.map((name) => join(features, name))];
  await Promise.all(all.map((folder) => sweepTemporaries(folder)));
}

function newId(clock: Clock, random: () => number): string {
  const letters = Array.from({ length: 9 }, () => Math.floor(random() * 36).toString(36));
  return `feature-${clock.now()}-${letters.join("")}`;
}
