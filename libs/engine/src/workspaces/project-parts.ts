import type { Clock } from "@anneal/adapters";
import { featureStore } from "@anneal/adapters/features";
import type { Repo } from "@anneal/git";
import type { ProjectStore } from "../history/store-log.ts";
import type { ProjectParts } from "../items/prepare.ts";
import { type BlobStore, openBlobs, openStore } from "../log/index.ts";
import { pooledCopies } from "../review/review-copies.ts";
import { projectWorkspaces } from "./workspaces.ts";

interface PartsArgs {
  clock: Clock;
  store?: ProjectStore;
  blobs?: BlobStore;
}

/** Opens what the kinds of work items share. */
export async function projectParts(
  repo: Repo,
  { clock, store = openStore(repo, { clock }), blobs = openBlobs(repo, { clock }) }: PartsArgs,
): Promise<ProjectParts> {
  const workspaces = await projectWorkspaces(repo);
  const features = featureStore(repo.root, { clock });
  return { repo, workspaces, features, store, blobs, trees: pooledCopies(repo, workspaces), clock };
}
