import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** The name that every half-written file ends with, so that git and the sweeper know it. */
export const TEMPORARY = ".anneal-tmp";

/** Where a project keeps what the engine owns. */
export interface Places {
  folder: string;
  database: string;
  lock: string;
  ownerNote: string;
  blobs: string;
  ignoreFile: string;
}

export function placesOf(projectRoot: string): Places {
  const folder = join(projectRoot, ".automaker");
  return {
    folder,
    database: join(folder, "anneal.db"),
    lock: join(folder, "anneal.lock"),
    ownerNote: join(folder, "anneal.owner.json"),
    blobs: join(folder, "blobs"),
    ignoreFile: join(folder, ".gitignore"),
  };
}

/** Makes `.automaker`, but never the project itself: a mistyped root stays an error. */
export function makeFolder({ folder }: Places): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
