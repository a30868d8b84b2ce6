import type { LoopEvent } from "@anneal/types";

/** An event as it was written, possibly by an older Anneal. */
export interface EventBody {
  type: string;
  [key: string]: unknown;
}

/** Turns the body of one version into that of the next. */
export type Upcaster = (body: EventBody) => EventBody;

/** The upcasters of each type, oldest first: n of them make n + 1 the current version. */
export type Upcasters = Readonly<Record<string, readonly Upcaster[]>>;

export const UPCASTERS = {
  "loop-started": [],
  intended: [],
  abandoned: [],
  implemented: [],
  validated: [],
  "commit-prepared": [],
  committed: [],
  "commit-refused": [],
  "nothing-to-commit": [],
  reviewed: [excusedEarlier],
  fixed: [],
  broke: [],
  capped: [],
  "pr-opened": [],
  "delivery-skipped": [],
  "delivery-held": [],
  "feedback-received": [],
  "merge-prepared": [],
  merged: [],
  "merge-conflicted": [],
  "conflict-resolved": [],
  "replay-differed": [],
  signalled: [],
  "finding-disposed": [],
} satisfies Record<LoopEvent["type"], readonly Upcaster[]>;

/** What was not seen held nothing then, and a replay must come to the same. */
function excusedEarlier(body: EventBody): EventBody {
  const { coverage } = body as { coverage?: { skipped?: object[] } };
  if (!Array.isArray(coverage?.skipped)) return body;
  return {
    ...body,
    coverage: { ...coverage, skipped: coverage.skipped.map((one) => ({ ...one, excused: "earlier" })) },
  };
}

/** The log holds an event that only a newer Anneal understands. */
export class NewerEventError extends Error {
  override readonly name = "NewerEventError";
  readonly seq: number;
  readonly type: string;
  readonly version: number;

  constructor({ seq, type, version }: StoredBody, known: number | null) {
    const knows =
      known === null ? "this version does not know the type" : `this Anneal knows it only up to version ${known}`;
    super(`Event ${seq} (${type}, version ${version}) needs a newer Anneal: ${knows}.`);
    this.seq = seq;
    this.type = type;
    this.version = version;
  }
}

export interface StoredBody {
  seq: number;
  type: string;
  version: number;
  body: EventBody;
}

/** The version that events of this type are written with, or null for a type that this Anneal does not know. */
export function currentVersion(type: string, table: Upcasters = UPCASTERS): number | null {
  const steps = Object.hasOwn(table, type) ? table[type] : undefined;
  return steps === undefined ? null : steps.length + 1;
}

/** Brings a stored event to the current version. */
export function upcast(stored: StoredBody, table: Upcasters = UPCASTERS): EventBody {
  const known = currentVersion(stored.type, table);
  if (known === null || stored.version > known) throw new NewerEventError(stored, known);
  const steps = table[stored.type] ?? [];
  return steps.slice(stored.version - 1).reduce((body, step) => step(body), stored.body);
}
