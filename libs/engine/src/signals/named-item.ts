import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Clock } from "@anneal/adapters";
import { type FeatureEntry, type FeatureStore, featureStore } from "@anneal/adapters/features";
import type { LoopState } from "@anneal/types";
import { NoLoopYet, UsageError } from "../errors/errors.ts";
import { itemOf, keyOf, keyOfRow } from "../history/item-key.ts";
import { currentLoop, historyOf } from "../history/loop-history.ts";
import { type ProjectReader, storeIfAny } from "../history/reader.ts";
import type { ProjectStore } from "../history/store-log.ts";
import type { LoopSummary } from "../history/summary.ts";
import { type LogLoopRow, openStore } from "../log/index.ts";
import { keepOutOfCommits, projectAt } from "../repository/project-at.ts";
import { pendingLoop, pendingStarts } from "./pending-loop.ts";

/** The work item that a person means: its id, or a beginning or end of it that no other has. */
export async function itemNamed(
  { features, store, dir, root }: Pick<ProjectReader, "features" | "store" | "dir" | "root">,
  name: string,
) {
  const exact = await entryOf(features, name);
  if (exact !== null) return { id: name, entry: exact };
  const coming = store === null ? [] : pendingStarts(store);
  const item = itemOf(name);
  const isKey = keyOf(item) === name;
  if (isKey && (coming.includes(name) || (store?.loops({ item }).length ?? 0) > 0)) return { id: name, entry: null };
  const ids = new Set([...(await features.ids()), ...(store?.items().map(keyOfRow) ?? []), ...coming]);
  const id = chosen([...ids], name, () => elsewhere(dir, root, name));
  return { id, entry: await entryOf(features, id) };
}

async function entryOf(features: FeatureStore, id: string): Promise<FeatureEntry | null> {
  return (await features.list([id]))[0] ?? null;
}

const SHORTEST = 3;

/** Where a feature of that name lies in the work tree that somebody is in, and that is not the project's own. */
function elsewhere(dir: string, root: string, name: string): string {
  const inside = join(".automaker/features", name);
  for (let folder = resolve(dir); folder !== dirname(folder) && folder !== root; folder = dirname(folder)) {
    if (!existsSync(join(folder, inside))) continue;
    return `; ${join(folder, inside)} is ignored: all work trees of a repository are one project, with its files in ${join(root, ".automaker")}`;
  }
  return "; list everything with anneal status";
}

function chosen(ids: readonly string[], name: string, advice: () => string): string {
  if (ids.includes(name)) return name;
  const named = ids.filter((id) => id.slice(id.indexOf(":") + 1) === name);
  if (named.length === 1 && named[0] !== undefined) return named[0];
  const near = name.length < SHORTEST ? [] : ids.filter((id) => id.startsWith(name) || id.endsWith(name));
  const [only, ...more] = near;
  if (only === undefined) throw new UsageError(`nothing is called ${name}${advice()}`);
  if (more.length > 0)
    throw new UsageError(`${name} is ambiguous: ${near.slice(0, 4).join(", ")}; use more characters`);
  return only;
}

/** A loop that a person wants to say something to. */
export interface OpenItem extends Disposable {
  root: string;
  store: ProjectStore;
  item: string;
  /** Null where the item has not been run yet. */
  row: LogLoopRow<LoopSummary> | null;
  /** The loop that was asked for and has not begun yet. */
  coming: string | null;
  findings(): LoopState["findings"];
}

/** Opens a project to talk to the loop of an item; it is written to only once there is a log. */
export async function openNamedItem(dir: string, name: string, clock: Clock): Promise<OpenItem> {
  const repo = await projectAt(dir);
  const { root } = repo;
  const features = featureStore(root, { clock });
  const reader = storeIfAny(repo, clock);
  const { id } = await itemNamed({ features, store: reader, dir, root }, name);
  if (reader === null) throw new NoLoopYet(id);
  reader.close();
  await keepOutOfCommits(repo);
  const store: ProjectStore = openStore(repo, { clock });
  const row = currentLoop(store, id);
  const findings = () => (row === null ? [] : historyOf(store, row).state.findings);
  const coming = pendingLoop(store, id);
  return { root, store, item: id, row, coming, findings, [Symbol.dispose]: () => store.close() };
}
