import type { Clock } from "@anneal/adapters";
import type { NewFeature, StoredFeature } from "@anneal/adapters/features";
import { UsageError } from "@anneal/engine";
import { currentLoop, loadSettings, parkWithoutFile, policyOf } from "@anneal/engine/project";
import type { ApiFeaturePatch, ApiNewFeature, Feature } from "@anneal/types";
import type { Voice } from "../auth/voice.ts";
import { stale } from "../etag.ts";
import { fileProblem, onFiles } from "../file-problem.ts";
import { RequestProblem } from "../problem.ts";
import { move } from "./item-moves.ts";
import type { ServedProject } from "./served-project.ts";

/** A feature as its file is now. */
export async function readFeature({ features }: ServedProject, id: string): Promise<StoredFeature> {
  const stored = await onFiles(`feature ${id}`, features.get(id));
  if (stored === null) throw new RequestProblem("not-found", `there is no feature ${id}; list them with GET …/items`);
  if (!("damaged" in stored)) return stored;
  throw new RequestProblem("conflict", `feature ${id} cannot be read; fix its file: ${stored.damaged}`);
}

export async function createFeature(project: ServedProject, wanted: ApiNewFeature): Promise<StoredFeature> {
  const { id, title, description = title, ...rest } = wanted;
  refuseSecrets(project, wanted);
  await refuseUnknown(project, wanted);
  if (id !== undefined && currentLoop(project.store, id) !== null)
    throw new RequestProblem(
      "conflict",
      `the id ${id} is taken, because the log has loops of an earlier feature with this id; choose another id`,
    );
  const feature: NewFeature = { title, description, ...definedOf(rest) };
  return await onFiles(`feature ${id}`, project.features.create(feature, id));
}

/** Replaces what people own, and only while the file is what the client has read. */
export async function changeFeature(
  project: ServedProject,
  id: string,
  { patch: { status: to, ...patch }, ifVersion }: { patch: ApiFeaturePatch; ifVersion: string },
  saying: { voice: Voice; clock: Clock },
): Promise<StoredFeature & { queued: boolean }> {
  if (to !== undefined) {
    const before = await readFeature(project, id);
    if (before.version !== ifVersion) throw stale(`feature ${id}`, before.version);
    const item = await project.items.item(id);
    if (item === null)
      throw new RequestProblem(
        "not-found",
        `feature ${id} was deleted in the meantime; list the features with GET …/items`,
      );
    const queued = (await move(project, item, { to, ifVersion }, saying)) === "queued";
    return { ...(await readFeature(project, id)), queued };
  }
  await refuseUnknown(project, patch, id);
  refuseSecrets(project, patch);
  const change = (feature: Feature) => patched(feature, patch);
  const after = await project.features.update(id, change, { ifVersion }).catch(async (error: unknown) => {
    // What keeps it from being read keeps it from being changed, and is told the same way.
    await readFeature(project, id);
    throw fileProblem(error, `feature ${id}`);
  });
  return { id, feature: after.feature, version: after.version, queued: false };
}

/** Takes a feature away, whole; `*` stands for whatever is there. A loop that works on it is paused. */
export async function removeFeature(
  { features, store }: ServedProject,
  id: string,
  ifVersion: string | "*",
  clock: Clock,
): Promise<void> {
  const options = ifVersion === "*" ? {} : { ifVersion };
  const found = await onFiles(`feature ${id}`, features.remove(id, options));
  if (!found) throw new RequestProblem("not-found", `there is no feature ${id}; list them with GET …/items`);
  const row = currentLoop(store, id);
  if (row !== null && row.stage !== "ended") parkWithoutFile({ store, clock }, row);
}

/** Names that lead nowhere are found out now rather than when the feature is to be run. */
async function refuseUnknown(
  { root, items }: ServedProject,
  { policy, dependencies }: { policy?: string | null | undefined; dependencies?: string[] | null | undefined },
  self?: string,
): Promise<void> {
  for (const [at, id] of (dependencies ?? []).entries()) {
    if (id === self) throw bad(`dependencies.${at}`, "a feature cannot depend on itself");
    if ((await items.item(id)) === null) throw bad(`dependencies.${at}`, `there is no feature ${id}`);
    if (self !== undefined && (await needs(items, id, self)))
      throw bad(
        `dependencies.${at}`,
        `${id} already depends on ${self}, directly or through others, so neither could start`,
      );
  }
  if (policy === undefined || policy === null) return;
  const { settings } = await loadSettings(root);
  await policyOf({ name: policy, because: "" }, settings, root).catch((error: unknown) => {
    throw error instanceof UsageError ? bad("policy", error.message) : error;
  });
}

async function needs(items: ServedProject["items"], id: string, other: string): Promise<boolean> {
  const seen = new Set([id]);
  for (const one of seen) for (const next of (await items.item(one))?.dependsOn ?? []) seen.add(next);
  return seen.has(other);
}

function bad(path: string, message: string): RequestProblem {
  return new RequestProblem("bad-request", `${path}: ${message}`, [{ path, message }]);
}

/** Agents are told what people say in a feature, and so is whoever reads the board. What they wrote is never changed in secret. */
function refuseSecrets({ mask }: ServedProject, values: object): void {
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === "string" && mask.text(value) !== value)
      throw new RequestProblem("bad-request", `"${key}" contains a key, token or password of this server; remove it`);
  }
}

function patched(feature: Feature, patch: Omit<ApiFeaturePatch, "status">): Feature {
  const kept = Object.entries(feature).filter(([key]) => !(key in patch) || patch[key as keyof typeof patch] !== null);
  return { ...(Object.fromEntries(kept) as Feature), ...(definedOf(patch) as Partial<Feature>) };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined | null> };

function definedOf<T extends object>(values: T): Defined<T> {
  const some = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(some) as Defined<T>;
}
