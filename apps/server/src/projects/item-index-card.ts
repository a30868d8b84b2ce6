import type { CatalogueEntry } from "@anneal/adapters/features";
import { needsPerson } from "@anneal/core/board";
import { isMarkedByHand, type LoopHistory, loopStatus } from "@anneal/engine/project";
import { ApiItem, ApiItemKind, type FeatureStatus } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { z } from "zod";

export type LoopRow = LoopHistory["row"];

/** What is known of an item: of its file, of its loop, or of both. */
export interface Known {
  file: FeatureFile | null;
  row: LoopRow | null;
  /** Why it could not start when it was last asked for. */
  trouble: string | undefined;
}

/** The parts of a feature.json that a card needs; nothing that could be large. */
export interface FeatureFile {
  damaged: string | null;
  changedAt: number;
  title: string;
  status: FeatureStatus;
  dependsOn: readonly string[];
  priority: number | null;
  category: string | null;
  model: string | null;
  policy: string | null;
  branch: string | null;
  error: string | null;
  review: { status: string; currentIteration: number; maxIterations: number } | undefined;
}

const LONGEST_TITLE = 300;
const LONGEST_ERROR = 1_000;
const DONE: readonly string[] = ["verified", "completed"];

/** Whether nothing is left to do for what stands there. */
export function isDoneIn(column: string): boolean {
  return DONE.includes(column);
}

export function fileOf({ entry, changedAt }: CatalogueEntry): FeatureFile {
  if ("damaged" in entry) return { ...UNREADABLE, damaged: entry.damaged, changedAt };
  const { title, description, status = "backlog", dependencies = [], priority = null, category = null } = entry.feature;
  const { model = null, policy = null, branchName = null, error = null, review } = entry.feature;
  return {
    damaged: null,
    changedAt,
    title: (title?.trim() || description.trim().split("\n", 1)[0] || "").trim().slice(0, LONGEST_TITLE),
    status,
    dependsOn: dependencies,
    priority,
    category,
    model,
    policy,
    branch: branchName,
    error: error?.slice(0, LONGEST_ERROR) ?? null,
    review,
  };
}

const UNREADABLE = {
  title: "",
  status: "backlog",
  dependsOn: [],
  priority: null,
  category: null,
  model: null,
  policy: null,
  branch: null,
  error: null,
  review: undefined,
} as const;

/** Whether what depends on it may start. */
export function isDone({ file, row }: Known): boolean {
  return isDoneIn(columnIn(file, row));
}

/** An item whose feature was removed is shown only while its loop is open: somebody has to decide about that. */
export function isShown({ file, row }: Known): boolean {
  return file !== null || (row !== null && (row.kind !== "feature" || row.stage !== "ended"));
}

/** The card of an item; where what is known of it makes none, a card that says so, and the list goes on. */
export function cardOrDamage(key: string, known: Known, blockedBy: (key: string) => boolean): ApiItem {
  try {
    return cardOf(key, known, blockedBy);
  } catch (error) {
    const damaged = `the log of this item cannot be shown: ${wordsOf(error)}`;
    const file = { ...UNREADABLE, damaged, changedAt: known.file?.changedAt ?? 0 };
    const kind = ApiItemKind.catch("feature").parse(known.row?.kind);
    return { ...cardOf(key, { file, row: null, trouble: undefined }, blockedBy), kind };
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  return errorMessage(error);
}

/** The whole card of an item. Checked once, when something about it has changed, so that lists only copy it. */
function cardOf(key: string, { file, row, trouble }: Known, blockedBy: (key: string) => boolean): ApiItem {
  const kind = row?.kind ?? "feature";
  const loop = row === null ? null : loopStatus(row);
  const damaged = file === null ? goneText(kind) : file.damaged;
  const column = columnIn(file, row);
  const readable = file !== null && damaged === null ? file : null;
  const dependsOn = readable === null ? [] : [...readable.dependsOn];
  return ApiItem.parse({
    id: key,
    kind: ApiItemKind.parse(kind),
    title: (readable?.title ?? row?.summary.title ?? "") || key,
    status: readable?.status ?? (kind === "feature" || kind === "branch" ? null : (row?.summary.status ?? null)),
    column,
    badge: row?.summary.badge ?? row?.summary.review?.status ?? readable?.review?.status ?? null,
    needsYou: needsPerson({ column, damaged: damaged !== null, loop }),
    damaged,
    error: trouble ?? readable?.error ?? null,
    priority: readable?.priority ?? null,
    category: readable?.category ?? null,
    model: readable?.model ?? null,
    policy: row?.summary.policy ?? readable?.policy ?? null,
    branch: row?.summary.branch ?? readable?.branch ?? null,
    dependsOn,
    blockedBy: dependsOn.filter(blockedBy),
    byHand: readable !== null && isMarkedByHand(readable, row ?? undefined),
    updatedAt: Math.max(Math.round(file?.changedAt ?? 0), row?.summary.lastAt ?? 0),
    loop,
  });
}

function columnIn(file: FeatureFile | null, row: LoopRow | null): FeatureStatus {
  if (file !== null && file.damaged === null) return file.status;
  return row?.summary.status ?? "backlog";
}

function goneText(kind: string): string | null {
  return kind === "feature" ? "the file feature.json is gone; the loop waits until you restore it" : null;
}
