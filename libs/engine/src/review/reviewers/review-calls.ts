import type { Change } from "@anneal/adapters";
import { type Patches, type PatchPiece, planParts } from "@anneal/core/review";
import type { DiffBlock } from "@anneal/prompts";
import type { Coverage, Policy } from "@anneal/types";
import { otherFiles } from "./other-files.ts";
import { promptFor, type ReviewBrief } from "./review-brief.ts";

/** One call to a reviewer: its prompt, and the files that the prompt shows. */
export interface ReviewCall {
  prompt: string;
  files: string[];
}

export interface CallPlan {
  calls: ReviewCall[];
  /** Files that no call has room for. */
  skipped: Coverage["skipped"];
}

export interface CallRequest {
  policy: Policy;
  change: Pick<Change, "bounds">;
  brief: ReviewBrief;
  /** As they are shown, both where the policy shows both. */
  patches: Patches;
  coverage: Coverage;
  /** How many bytes a prompt may have. */
  budget: number;
}

const LEAST_ROOM = 4_096;
const TRIES = 4;

/** One call where everything fits, else as many as it takes; null where what has to be said each time leaves no room. */
export function planCalls(request: CallRequest): CallPlan | null {
  const { policy, change, brief, patches, coverage, budget } = request;
  const single = promptFor(policy, change, brief, { diffs: patches, notShown: coverage.skipped });
  if (bytesOf(single) <= budget) return { calls: [{ prompt: single, files: coverage.reviewed }], skipped: [] };
  const others = otherFiles(coverage.reviewed, new Set(), budget / 8);
  const bare = promptFor(policy, change, brief, {
    diffs: {},
    part: { number: 1, of: 1, elsewhere: others },
    notShown: coverage.skipped,
  });
  let room = budget - bytesOf(bare) - PART_OVERHEAD;
  // A template of the project's own may show the diff more than once: then less fits into each call.
  for (let attempt = 0; attempt < TRIES && room >= LEAST_ROOM; attempt++) {
    const plan = withRoom(request, room);
    const largest = Math.max(0, ...plan.calls.map(({ prompt }) => bytesOf(prompt)));
    if (largest <= budget) return plan;
    room = Math.floor(room * Math.min(0.9, budget / largest));
  }
  return null;
}

const PART_OVERHEAD = 2_048;

function withRoom({ policy, change, brief, patches, coverage, budget }: CallRequest, room: number): CallPlan {
  const { parts, tooLong } = planParts(patches, room);
  const skipped = [
    ...tooLong.map((file) => ({ file, reason: "a line is too long for the reviewer" })),
    ...unplaced(
      parts,
      coverage.reviewed.filter((file) => !tooLong.includes(file)),
      patches,
      brief,
    ),
  ];
  const notShown = [...coverage.skipped, ...skipped];
  const calls = parts.map((pieces, index) => {
    const files = [...new Set(pieces.map(({ path }) => path))];
    const others = otherFiles(coverage.reviewed, new Set([...files, ...tooLong]), budget / 8);
    const part = { number: index + 1, of: parts.length, elsewhere: others };
    return { files, prompt: promptFor(policy, change, brief, { diffs: diffsOf(pieces), part, notShown }) };
  });
  return { calls, skipped };
}

/** Nothing counts as shown only because nobody noticed that it was not. */
function unplaced(parts: PatchPiece[][], files: readonly string[], patches: Patches, { round }: ReviewBrief) {
  if (patches.whole === undefined && round > 1) return [];
  const shown = new Set(parts.flat().map(({ path }) => path));
  return files.filter((file) => !shown.has(file)).map((file) => ({ file, reason: "not in the patch" }));
}

function diffsOf(pieces: readonly PatchPiece[]): { round?: DiffBlock[]; whole?: DiffBlock[] } {
  const [round, whole] = (["round", "whole"] as const).map((diff) =>
    blocksOf(pieces.filter((one) => one.diff === diff)),
  );
  return { ...(round?.length ? { round } : {}), ...(whole?.length ? { whole } : {}) };
}

/** Whole files follow each other in one block; a part of a file has one of its own, which says what it is. */
function blocksOf(pieces: readonly PatchPiece[]): DiffBlock[] {
  const blocks: (DiffBlock & { open?: true })[] = [];
  for (const piece of pieces) {
    const last = blocks.at(-1);
    if (piece.of > 1) blocks.push({ label: labelOf(piece), text: piece.text });
    else if (last?.open === true) last.text += piece.text;
    else blocks.push({ label: "diff", text: piece.text, open: true });
  }
  return blocks.map(({ label, text }) => ({ label, text }));
}

function labelOf({ path, number, of, from }: PatchPiece): string {
  const begins =
    from === undefined ? "" : `, goes on inside of a hunk at line ${from.new} (before the change ${from.old})`;
  return `diff, part ${number} of ${of} of one file${begins}: ${path}`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
