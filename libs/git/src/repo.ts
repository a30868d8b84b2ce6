import { realpathSync } from "node:fs";
import { resolve as absolute, join } from "node:path";
import { type Clock, systemClock } from "@anneal/system/clock";
import { type RepoReader, readerAt } from "./reader.ts";
import { findRepository } from "./run/find-repository.ts";
import type { RepoLocation } from "./run/repo-location.ts";
import { type RepoWriter, writerAt } from "./writer.ts";

/** A repository with a work tree: all that the rest of the product may ask of git. */
export interface Repo extends RepoReader, RepoWriter {}

/** Opens the repository that a folder belongs to. */
export async function openRepo(dir: string, { clock = systemClock }: { clock?: Clock } = {}): Promise<Repo> {
  return repoAt({ ...(await findRepository(absolute(dir), "here-or-above")), clock });
}

/** A work tree of ours that is a repository by itself, and on no branch but that one. */
export function openOwn(path: string, branch: string | null): Repo {
  const root = realpathSync(path);
  const gitDir = join(root, ".git");
  return repoAt({ root, gitDir, commonDir: gitDir, clock: systemClock, own: { branch } });
}

function repoAt(location: RepoLocation): Repo {
  return { ...readerAt(location), ...writerAt(location) };
}
