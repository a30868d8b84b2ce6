import { existsSync } from "node:fs";
import type { FeatureEntry } from "@anneal/adapters/features";
import type { Ref } from "@anneal/git";
import type { PullRequestRef, SignalName, Stage } from "@anneal/types";
import { folderOf, itemOf, keyOf } from "../history/item-key.ts";
import { loopsByItem } from "../history/loop-history.ts";
import type { ProjectReader } from "../history/reader.ts";
import type { LoopSummary } from "../history/summary.ts";
import { isMarkedByHand, isMergedUnreviewed } from "../items/by-hand.ts";
import type { LogLoopRow } from "../log/index.ts";
import { pendingStarts } from "../signals/pending-loop.ts";
import { projectWorkspaces } from "../workspaces/workspaces.ts";

/** A work item and its loop as lists show them. */
export interface StatusLine {
  id: string;
  kind: string;
  title: string;
  /** The board column; null for a plain branch, and for a damaged feature. */
  status: string | null;
  /** Why the item's file cannot be read. */
  damaged: string | null;
  /** Whether somebody marked it as done without a review. */
  byHand?: true;
  /** Its next loop was asked for: its workspace is being made ready, or it waits for its turn. */
  coming?: true;
  dependsOn: string[];
  /** Those of them that nobody reviewed: somebody marked them as done, or had them merged. */
  unreviewed?: string[];
  /** Those of them that were merged, NOT REVIEWED. */
  mergedUnreviewed?: string[];
  loop: LoopStatus | null;
  /** In words: its branch is no longer what the loop ended with. */
  moved?: string;
  /** Where its loops work, if anything is there. */
  workspace?: string;
}

export interface LoopStatus {
  id: string;
  policy: string;
  branch: string | null;
  stage: Stage;
  step: string | null;
  round: number;
  maxRounds: number;
  blockers: number;
  /** Findings that block and that a person may rule on. */
  rulable: number;
  /** What the last reviewer did not see. */
  unseen: { files: number; first: string[] } | null;
  /** The last review passed, and nobody judged the requirements. */
  unjudged?: true;
  resolved: number;
  costUsd: number;
  tokens: number;
  /** Why it waits, and how it ended. */
  reason: string | null;
  outcome: string | null;
  detail: string;
  legal: SignalName[];
  pr: PullRequestRef | null;
  startedAt: number;
  lastAt: number;
}

/** Every feature with its last loop, and the loops that are about something else; or only the items with these keys. */
export async function statusOf(
  { repo, features, store }: Pick<ProjectReader, "repo" | "features" | "store">,
  keys?: readonly string[],
): Promise<StatusLine[]> {
  const entries = await features.list(keys);
  const needed = keys === undefined ? [] : entries.flatMap(dependenciesOf).filter((key) => !keys.includes(key));
  const byItem = loopsByItem(store, keys === undefined ? undefined : [...keys, ...needed]);
  const byHand = new Set(
    [...entries, ...(await features.list(needed))].flatMap((entry) =>
      "feature" in entry && isMarkedByHand(entry.feature, byItem.get(entry.id)) ? [entry.id] : [],
    ),
  );
  const merged = new Set([...byItem].flatMap(([key, row]) => (isMergedUnreviewed(row) ? [key] : [])));
  const isFree = (key: string) => (byItem.get(key)?.stage ?? "ended") === "ended";
  const coming = new Set(store === null ? [] : pendingStarts(store).filter(isFree));
  const lines = entries.map((entry) => lineOf(entry, byItem.get(entry.id), { byHand, merged, coming }));
  const named = new Set(entries.map(({ id }) => id));
  const others = [...byItem].filter(([key]) => !named.has(key) && keys?.includes(key) !== false).map(([, row]) => row);
  const branches = byItem.size === 0 ? [] : await repo.refs("refs/heads/");
  const workspaces = await projectWorkspaces(repo);
  return [...lines, ...others.map(loopLine)].map((line) => {
    const row = byItem.get(line.id);
    if (row === undefined) return line;
    const moved = movedAway(branches, row.summary);
    const path = workspaces.pathOf(folderOf(itemOf(line.id)));
    return {
      ...line,
      ...(moved === null ? {} : { moved }),
      ...(existsSync(path) ? { workspace: path } : {}),
    };
  });
}

function dependenciesOf(entry: FeatureEntry): readonly string[] {
  return "feature" in entry ? (entry.feature.dependencies ?? []) : [];
}

/** In words, where the branch of a loop that passed or was accepted has gone since; null where it is as it was left, or gone. */
export function movedAway(
  branches: readonly Ref[],
  { branch, outcome, left: [head, ...more] = [] }: Pick<LoopSummary, "branch" | "outcome" | "left">,
): string | null {
  const tip = branches.find(({ name }) => name === branch)?.at;
  const isTaken = outcome === "passed" || outcome === "accepted";
  if (!isTaken || tip === undefined || head === undefined || [head, ...more].includes(tip)) return null;
  return `${branch} is at ${tip.slice(0, 12)} now, which this loop has not reviewed; the loop ended at ${head.slice(0, 12)}`;
}

function lineOf(
  entry: FeatureEntry,
  row: LogLoopRow<LoopSummary> | undefined,
  { byHand, merged, coming }: Record<"byHand" | "merged" | "coming", ReadonlySet<string>>,
): StatusLine {
  const loop = row === undefined ? null : loopStatus(row);
  const marks = {
    ...(byHand.has(entry.id) ? { byHand: true as const } : {}),
    ...(coming.has(entry.id) ? { coming: true as const } : {}),
  };
  const common = { id: entry.id, kind: "feature", loop, ...marks };
  if (!("feature" in entry)) {
    return { ...common, title: row?.summary.title ?? "", status: null, damaged: entry.damaged, dependsOn: [] };
  }
  const { title, description, status = "backlog", dependencies = [] } = entry.feature;
  const shown = title ?? description.split("\n")[0] ?? "";
  const unreviewed = dependencies.filter((one) => byHand.has(one) || merged.has(one));
  const mergedUnreviewed = dependencies.filter((one) => merged.has(one));
  const trust = {
    ...(unreviewed.length === 0 ? {} : { unreviewed }),
    ...(mergedUnreviewed.length === 0 ? {} : { mergedUnreviewed }),
  };
  return { ...common, title: shown, status, damaged: null, dependsOn: dependencies, ...trust };
}

function loopLine(row: LogLoopRow<LoopSummary>): StatusLine {
  const { item, kind, summary } = row;
  const id = keyOf({ kind, id: item });
  const gone = kind === "feature" ? "the file feature.json is gone; the loop waits until you restore it" : null;
  const status = kind === "feature" || kind === "branch" ? null : summary.status;
  return { id, kind, title: summary.title, status, damaged: gone, dependsOn: [], loop: loopStatus(row) };
}

export function loopStatus({ loop, stage, summary }: LogLoopRow<LoopSummary>): LoopStatus {
  const { policy, branch, step, round, maxRounds, blockers, resolved, costUsd, tokens } = summary;
  const {
    reason,
    outcome,
    detail,
    legal,
    pr = null,
    startedAt,
    lastAt,
    rulable = 0,
    unseen = null,
    unjudged,
  } = summary;
  const counts = {
    round,
    maxRounds,
    blockers,
    rulable,
    unseen,
    resolved,
    costUsd,
    tokens,
    ...(unjudged ? { unjudged } : {}),
  };
  return { id: loop, policy, branch, stage, step, ...counts, reason, outcome, detail, legal, pr, startedAt, lastAt };
}
