import type { Clock } from "@anneal/adapters";
import { loadProjectContext } from "@anneal/adapters/features";
import type { LoadedSettings } from "@anneal/adapters/files";
import { POLICIES } from "@anneal/core";
import { reviewPrompt, type WorkItemText, withFreshNonce } from "@anneal/prompts";
import type { ApiPromptKey, ApiPromptPreview } from "@anneal/types";
import { UsageError } from "../errors/errors.ts";
import { currentLoop, historyOf } from "../history/loop-history.ts";
import type { ProjectReader } from "../history/reader.ts";
import type { ProjectStore } from "../history/store-log.ts";
import { BlobError, openBlobs } from "../log/index.ts";
import { newNonce } from "../review/nonce.ts";
import { lintPrompt } from "./prompt-book.ts";

export interface PreviewRequest {
  key: ApiPromptKey;
  /** A feature; without it a made-up one. */
  itemId?: string | undefined;
  text: string;
  settings: Pick<LoadedSettings, "settings">;
}

const LONGEST_DIFF = 200_000;

/** A prompt as a reviewer would read it in the first round, with everything that is put around it. Null where there is no such feature. */
export async function previewPrompt(
  project: Pick<ProjectReader, "root" | "features" | "store">,
  { key, itemId, text, settings: { settings } }: PreviewRequest,
  clock: Clock,
): Promise<ApiPromptPreview | null> {
  const shown = itemId === undefined ? SAMPLE : await featureShown(project, itemId, clock);
  if (shown === null) return null;
  const { context } = await loadProjectContext(project.root);
  const { promptCustomization } = settings;
  const codeReview = { ...promptCustomization.codeReview, [key]: { enabled: true, value: text } };
  const composed = withFreshNonce(newNonce, (nonce) =>
    reviewPrompt({
      policy: POLICIES.gate,
      workItem: shown.workItem,
      round: 1,
      maxRounds: POLICIES.gate.limits.reviews,
      nonce,
      diffs: { whole: shown.diff },
      projectContext: context,
      custom: { ...promptCustomization, codeReview },
    }),
  );
  const lint = lintPrompt(key, text);
  const whole = key === "reviewSystemPrompt" ? composed.system : composed.prompt;
  const notes = [
    ...new Set([...lint.notes, ...shown.notes, ...(key === "reviewPromptTemplate" ? composed.notes : [])]),
  ];
  return { key, itemId: itemId ?? null, text: whole, characters: whole.length, lint: { ...lint, notes } };
}

interface Shown {
  workItem: WorkItemText;
  diff: string;
  notes: string[];
}

const SAMPLE: Shown = {
  workItem: {
    id: "sample",
    title: "Ask for a password again before it is changed",
    description: "Whoever changes a password has to give the old one first; a wrong one is refused with a reason.",
    spec: "- The old password is compared in constant time.\n- Three wrong ones in a row end the session.",
  },
  diff: [
    "diff --git a/src/password.ts b/src/password.ts",
    "--- a/src/password.ts",
    "+++ b/src/password.ts",
    "@@ -1,3 +1,4 @@",
    " export function change(user: User, next: string, old: string): void {",
    '+  if (!matches(user, old)) throw new Refused("the old password is wrong");',
    "   user.password = hashed(next);",
    " }",
    "",
  ].join("\n"),
  notes: ["filled in with an example feature; set itemId to use a real one"],
};

async function featureShown(
  { features, store }: Pick<ProjectReader, "features" | "store">,
  id: string,
  clock: Clock,
): Promise<Shown | null> {
  const entry = await features.get(id);
  if (entry === null) return null;
  if (!("feature" in entry)) throw new UsageError(entry.damaged);
  const { title, description, spec } = entry.feature;
  const workItem = { id, title: title ?? id, description, ...(typeof spec === "string" ? { spec } : {}) };
  const row = store === null ? null : currentLoop(store, id);
  const blob = store === null || row === null ? null : (historyOf(store, row).state.rounds.at(-1)?.diff ?? null);
  if (store === null || blob === null)
    return { workItem, diff: "", notes: ["the feature has not been reviewed yet, so there is no diff"] };
  const diff = textOf(store, blob, clock);
  if (diff === null) return { workItem, diff: "", notes: ["anneal gc removed the diff of the last review"] };
  if (diff.length <= LONGEST_DIFF) return { workItem, diff, notes: [] };
  const note = `only the first ${LONGEST_DIFF} of ${diff.length} characters of the diff are shown`;
  return { workItem, diff: diff.slice(0, LONGEST_DIFF), notes: [note] };
}

function textOf(store: ProjectStore, blob: string, clock: Clock): string | null {
  try {
    return openBlobs(store, { clock }).getText(blob);
  } catch (error) {
    if (error instanceof BlobError) return null;
    throw error;
  }
}
