import { hostname } from "node:os";
import type { Clock } from "@anneal/adapters";
import { type FeatureStore, featureStore } from "@anneal/adapters/features";
import type { Repo } from "@anneal/git";
import { type GitFolder, openStore, ownerNote, StoreError } from "../log/index.ts";
import { projectAt, projectToWrite } from "../repository/project-at.ts";
import type { ProjectStore } from "./store-log.ts";

/** A project, open for reading. */
export interface ProjectReader extends Disposable {
  root: string;
  /** The folder that it was opened from, which may lie in a linked work tree. */
  dir: string;
  repo: Repo;
  features: FeatureStore;
  /** Null where nothing has run yet. */
  store: ProjectStore | null;
}

/** Opens a project without owning it: nothing is written, whoever runs it meanwhile. */
export async function openReader(dir: string, clock: Clock): Promise<ProjectReader> {
  const repo = await projectAt(dir);
  const store = storeIfAny(repo, clock);
  return {
    root: repo.root,
    dir,
    repo,
    features: featureStore(repo.root, { clock }),
    store,
    [Symbol.dispose]: () => store?.close(),
  };
}

/** The same for somebody who can look again later: null while the owner is bringing the log up to date. */
export async function readerIfReady(dir: string, clock: Clock): Promise<ProjectReader | null> {
  try {
    return await openReader(dir, clock);
  } catch (error) {
    const isOld = error instanceof StoreError && error.kind === "outdated";
    if (isOld && isOwned(await projectAt(dir))) return null;
    throw error;
  }
}

/** Opens a project to stay with it: to read it, and to leave messages for whoever owns it. Its log is made where there is none. */
export async function openProject(dir: string, clock: Clock): Promise<ProjectReader & { store: ProjectStore }> {
  const repo = await projectToWrite(dir);
  const store: ProjectStore = openStore(repo, { clock });
  const features = featureStore(repo.root, { clock });
  return { root: repo.root, dir, repo, features, store, [Symbol.dispose]: () => store.close() };
}

/** Null where nothing has run yet. */
export function storeIfAny(repo: GitFolder, clock: Clock): ProjectStore | null {
  try {
    return openStore(repo, { clock, readOnly: true });
  } catch (error) {
    if (error instanceof StoreError && error.kind === "missing") return null;
    throw error;
  }
}

/** Whether a process seems to run the project's loops. For what people are shown; only the lock itself decides. */
export function isOwned(repo: GitFolder): boolean {
  const note = ownerNote(repo);
  if (note === null) return false;
  if (note.host !== hostname()) return true;
  try {
    process.kill(note.pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
