import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { asNotWritten, OutsideJail } from "@anneal/system/files/errors";
import { FeatureId } from "@anneal/types";

/** A text that cannot be the id of a feature. Nothing was touched. */
export class InvalidFeatureId extends Error {
  override readonly name = "InvalidFeatureId";

  constructor(id: string) {
    super(`${JSON.stringify(id)} is not a feature id: use only letters, digits, dashes and single dots`);
  }
}

export class MissingFeature extends Error {
  override readonly name = "MissingFeature";

  constructor(id: string) {
    super(`there is no feature ${id}`);
  }
}

/** The id of a new feature is taken. Nothing was touched. */
export class TakenFeatureId extends Error {
  override readonly name = "TakenFeatureId";

  constructor(id: string) {
    super(`there is a feature ${id} already: choose another id, or leave it out to get a new one`);
  }
}

/** Where a project keeps its work items. */
export interface FeatureFolders {
  automaker: string;
  features: string;
  pipeline: string;
  /** The lock that all processes share which write files of this project. */
  lock: string;
}

export function featureFolders(projectRoot: string): FeatureFolders {
  const automaker = join(projectRoot, ".automaker");
  return {
    automaker,
    features: join(automaker, "features"),
    pipeline: join(automaker, "pipeline.json"),
    lock: join(automaker, "anneal-files.lock"),
  };
}

/** The real features folder, made where there is none yet. */
export function realFeatures({ features }: FeatureFolders): string {
  try {
    mkdirSync(features, { recursive: true });
  } catch (error) {
    throw asNotWritten(error, features);
  }
  return realpathSync.native(features);
}

/** A feature's folder: an invalid id is refused before anything is touched, and so is a link. */
export function folderOf(places: FeatureFolders, id: string): string | null {
  if (!FeatureId.safeParse(id).success) throw new InvalidFeatureId(id);
  const folder = join(places.features, id);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (found.isDirectory()) return folder;
  throw new OutsideJail(folder, "it is not a folder but a link or a file");
}

export function existingFolder(places: FeatureFolders, id: string): string {
  const folder = folderOf(places, id);
  if (folder === null) throw new MissingFeature(id);
  return folder;
}
