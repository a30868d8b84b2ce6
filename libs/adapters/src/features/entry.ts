import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { systemCode } from "@anneal/system/files/errors";
import { readRegular } from "@anneal/system/files/regular-file";
import { Feature, FeatureId } from "@anneal/types";
import { interpretJson, type ReadResult, readJson, type Schema, unreadable } from "../files/json-file.ts";

/** A feature with the version of its file, to name when changing just this. */
export interface StoredFeature {
  id: string;
  feature: Feature;
  version: string;
}

/** A folder whose feature cannot be read. It is shown with its error, never dropped. */
export interface DamagedFeature {
  id: string;
  /** One line: file, location, problem. */
  damaged: string;
}

/** What a board needs of a feature, without specs, plans and diffs. */
export type FeatureSummary = Pick<
  Feature,
  | "id"
  | "title"
  | "category"
  | "description"
  | "status"
  | "priority"
  | "dependencies"
  | "model"
  | "branchName"
  | "skipTests"
  | "policy"
  | "error"
  | "startedAt"
  | "justFinishedAt"
> & { review?: { status: string; currentIteration: number; maxIterations: number } };

export type FeatureEntry = { id: string; feature: FeatureSummary; version: string } | DamagedFeature;

/** Every folder below the features folder, or those of the named that are there, sorted by name. */
export async function listEntries(features: string, named?: readonly string[]): Promise<FeatureEntry[]> {
  const found = (await foldersIn(features, named)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const entries: FeatureEntry[] = [];
  for (let start = 0; start < found.length; start += AT_ONCE) {
    const batch = found.slice(start, start + AT_ONCE).map(async (folder) => {
      if (!folder.isReal) return linked(features, folder.name);
      return entryFrom(folder.name, await readFeature(features, folder.name));
    });
    entries.push(...(await Promise.all(batch)));
  }
  return entries;
}

/** The names of all of them, without a look into any. */
export async function listIds(features: string): Promise<string[]> {
  return (await foldersIn(features)).map(({ name }) => name);
}

/** The names of those that are folders and no links, of all or of the named. */
export async function realFolders(features: string, named?: readonly string[]): Promise<string[]> {
  return (await foldersIn(features, named)).filter(({ isReal }) => isReal).map(({ name }) => name);
}

interface Folder {
  name: string;
  /** Not a link. */
  isReal: boolean;
}

async function foldersIn(features: string, named?: readonly string[]): Promise<Folder[]> {
  if (named !== undefined) return foldersOf(features, named);
  try {
    const found = (await readdir(features, { withFileTypes: true })).filter((entry) => !entry.isFile());
    return found.map((entry) => ({ name: entry.name, isReal: entry.isDirectory() }));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

function foldersOf(features: string, named: readonly string[]): Folder[] {
  return [...new Set(named)].flatMap((name) => {
    // A name that is a path, or none, is no folder of ours.
    const found = isName(name) ? lstatSync(join(features, name), { throwIfNoEntry: false }) : undefined;
    return found === undefined || found.isFile() ? [] : [{ name, isReal: found.isDirectory() }];
  });
}

const LONGEST_NAME = 255;

/** Whether a folder here could be called that: dependencies in feature.json may be any text. */
export function isName(text: string): boolean {
  const isPart = basename(text) === text && !["", ".", ".."].includes(text) && !text.includes("\0");
  return isPart && Buffer.byteLength(text) <= LONGEST_NAME;
}

/** Few enough for the smallest limits on open files. */
const AT_ONCE = 64;

export function entryFrom(id: string, read: ReadResult<Feature>): FeatureEntry {
  return read.ok ? { id, feature: summary(read.value), version: read.version } : { id, damaged: read.error };
}

export function linked(features: string, id: string): DamagedFeature {
  return { id, damaged: `${join(features, id)} is a symbolic link, but a feature must be a real folder` };
}

/** Reads one feature.json; the folder is known to be a real one. */
export async function readFeature(features: string, id: string): Promise<ReadResult<Feature>> {
  const path = join(features, id, "feature.json");
  try {
    // Not following links saves a look at every part of the path; the rare link is then checked for where it leads.
    return interpretJson(path, readRegular(path, { links: "refused" }), featureIn(id));
  } catch (error) {
    if (systemCode(error) === "ELOOP") return readJson(path, featureIn(id), { jail: features });
    const read = unreadable(path, error);
    if (read.reason !== "missing") return read;
    return {
      ...read,
      error: `${read.error}: restore the file, or remove its folder (anneal add creates new features)`,
    };
  }
}

/** A feature whose id is the name of its folder: two folders can never claim to be one feature. */
export function featureIn(id: string): Schema<Feature> {
  return {
    safeParse(value) {
      const parsed = Feature.safeParse(value);
      if (!parsed.success || parsed.data.id === id) return parsed;
      const message = `expected ${JSON.stringify(id)}, the name of its folder`;
      return Feature.refine((feature) => feature.id === id, { path: ["id"], message }).safeParse(value);
    },
  };
}

/** As `featureIn`, but with any status, to be able to put a wrong one right. */
export function featureWithAnyStatus(id: string): Schema<Omit<Feature, "status">> {
  return Feature.omit({ status: true }).extend({ id: FeatureId.refine((one) => one === id) });
}

function summary(feature: Feature): FeatureSummary {
  const { id, title, category, description, status, priority, dependencies, model } = feature;
  const { branchName, skipTests, policy, error, startedAt, justFinishedAt, codeReviewSpec } = feature;
  const known = { title, category, status, priority, dependencies, model, branchName, skipTests, policy, error };
  return {
    id,
    description,
    ...defined({ ...known, startedAt, justFinishedAt, review: codeReviewSpec && reviewSummary(codeReviewSpec) }),
  };
}

function reviewSummary({ status, currentIteration, maxIterations }: NonNullable<Feature["codeReviewSpec"]>) {
  return { status, currentIteration, maxIterations };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
