import { lstat, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { FeatureId } from "@anneal/types";
import { OutsideJail, systemCode } from "../files/errors.ts";

/** A text that cannot be the id of a feature. Nothing was touched. */
export class InvalidFeatureId extends Error {
  override readonly name = "InvalidFeatureId";

  constructor(id: string) {
    super(`${JSON.stringify(id)} is not a feature id: it has letters, digits, dashes and single dots only`);
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
export interface Places {
  automaker: string;
  features: string;
  pipeline: string;
  /** The lock that all processes share which write files of this project. */
  lock: string;
}

export function placesOf(projectRoot: string): Places {
  const automaker = join(projectRoot, ".automaker");
  return {
    automaker,
    features: join(automaker, "features"),
    pipeline: join(automaker, "pipeline.json"),
    lock: join(automaker, "anneal-files.lock"),
  };
}

/** The real features folder, made where there is none yet. */
export async function realFeatures({ features }: Places): Promise<string> {
  await mkdir(features, { recursive: true });
  return realpath(features);
}

/** A feature's folder: an id that is none is refused before anything is touched, and so is a link. */
export async function folderOf(places: Places, id: string): Promise<string | null> {
  if (!FeatureId.safeParse(id).success) throw new InvalidFeatureId(id);
  const folder = join(places.features, id);
  try {
    if ((await lstat(folder)).isDirectory()) return folder;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
  throw new OutsideJail(folder, "it is not a folder but a link or a file");
}

export async function existingFolder(places: Places, id: string): Promise<string> {
  const folder = await folderOf(places, id);
  if (folder === null) throw new MissingFeature(id);
  return folder;
}
