import type { ReviewAnswer } from "@anneal/adapters";
import type { Repo } from "@anneal/adapters/git";
import { awaitsRuling, lastRound, roundsDone, standing } from "@anneal/core";
import type { LoopEvent, LoopState, PlayedBy } from "@anneal/types";
import { asNamed } from "./as-named.ts";
import { AgentFailed } from "./errors.ts";
import { isLasting } from "./lasting.ts";
import type { LoopWorkArgs } from "./loop-work.ts";
import { withoutNonce } from "./nonce.ts";
import { isPartOf } from "./part-of.ts";
import { playedBy } from "./providers/provider-of.ts";
import { withSnippets } from "./snippets.ts";
import { type Watched, watched } from "./watched.ts";

type Reviewing = Extract<LoopState, { stage: "reviewing" }>;

/** One review in a loop: the reviewer's report, bound to the head, with what the ledger needs to place its findings. */
export async function reviewRound(
  args: LoopWorkArgs,
  state: Reviewing,
  signal: AbortSignal,
  turn: number,
): Promise<LoopEvent> {
  const source = args.repo.change({ base: state.base, head: state.head, headKind: "commit" });
  try {
    return await review(args, state, watched(source), signal, turn);
  } finally {
    source.close();
  }
}

async function review(
  args: LoopWorkArgs,
  state: Reviewing,
  change: Watched,
  signal: AbortSignal,
  turn: number,
): Promise<LoopEvent> {
  const { repo, blobs, clock, workItem, context, policy } = args;
  const roundPatch = await patchSince(repo, state);
  const round = {
    ...(await args.extras?.(state)),
    round: roundsDone(state) + 1,
    maxRounds: lastRound(policy, state),
    turn,
    workItem,
    roundPatch,
    ...(state.rounds.length === 0 ? { wholePatch: roundPatch } : {}),
    earlierFindings: state.findings,
  };
  const reviewer = args.players.reviewer(context === undefined ? round : { ...round, context });
  const by = (model?: string): PlayedBy => {
    const played = playedBy(reviewer.name, model);
    return asNamed({ ...played, provider: reviewer.provider ?? played.provider }, args.instead?.reviewer);
  };
  const diff = blobs.put(Buffer.from(roundPatch));
  if ((await repo.treeOf(state.base)) === (await repo.treeOf(state.head)))
    return { type: "broke", at: clock.now(), stage: "reviewing", usage: {}, reason: EMPTY, lasting: true };
  const answer = await reviewer
    .review(change, signal)
    .then(unanswerable)
    .catch((error: unknown) => {
      if (signal.aborted) throw error;
      return failureOf(error);
    });
  if ("reason" in answer)
    return { type: "broke", at: clock.now(), stage: "reviewing", review: { by: by(), diff }, ...answer };
  const { report, coverage, usage, prompt, model } = answer;
  const located =
    report.status === "complete" ? { ...report, findings: await withSnippets(report.findings, change) } : report;
  return {
    type: "reviewed",
    at: clock.now(),
    usage,
    head: state.head,
    report: located,
    requirementsJudged: reviewer.requirements === "judged",
    standing: await stillStanding(args, state, change),
    regions: change.regions(),
    renames: await renamesSince(repo, state),
    by: by(model),
    diff,
    coverage,
    ...(prompt === undefined ? {} : { prompt: blobs.put(withoutNonce(prompt)) }),
  };
}

const EMPTY =
  "nothing to review: its commits come to no change at all, and a retry would find the same; stop ends the loop, and a new run starts anew";

type Failure = Pick<Extract<LoopEvent, { type: "broke" }>, "reason" | "usage" | "lasting">;

/** A reviewer that could not answer at all. */
function failureOf(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  const lasting = isLasting(error) ? ({ lasting: true } as const) : {};
  return { reason, usage: error instanceof AgentFailed ? error.usage : {}, ...lasting };
}

/** An answer that says nothing is asked for again, unless that cannot help. */
function unanswerable(answer: ReviewAnswer): ReviewAnswer | Failure {
  const { report, usage, coverage } = answer;
  if (report.status === "inconclusive")
    return answer.lasting === true ? { reason: report.reason, usage, lasting: true } : answer;
  if (report.findings.length > 0 || report.claim === "fail" || coverage.reviewed.length > 0) return answer;
  const reason = coverage.skipped.length === 0 ? EMPTY : "no file of this change could be read, so nothing was judged";
  return { reason, usage, lasting: true };
}

/** What this round changed: its head against the head before it, never somebody else's commit. */
async function patchSince(repo: Repo, state: Reviewing): Promise<string> {
  const last = state.rounds.at(-1)?.head;
  // What a person has merged from the base since is not this change's.
  const isOnBase = last !== undefined && (await isPartOf(repo, state.base, last));
  return await repo.patch({ base: isOnBase ? last : state.base, head: state.head });
}

async function renamesSince(repo: Repo, state: Reviewing): Promise<Record<string, string>> {
  const last = state.rounds.at(-1);
  return last === undefined ? {} : await repo.renames(last.head, state.head);
}

async function stillStanding({ repo, clean }: LoopWorkArgs, state: Reviewing, change: Watched): Promise<string[]> {
  const files = new Set(state.findings.filter(awaitsRuling).flatMap(({ finding }) => finding.file ?? []));
  const texts = new Map<string, string | null>();
  for (const file of files) {
    const blob = change.blobOf(file);
    texts.set(file, blob === undefined ? await repo.fileAt(state.head, file) : await change.content(blob));
  }
  const touched = new Set(state.fixes.at(-1)?.regions.map((region) => region.file) ?? []);
  const textOf = (file: string) => {
    const text = texts.get(file) ?? null;
    // The code that a finding shows was cleaned too, and has to be known again where it stands.
    return text === null ? null : (clean?.(text) ?? text);
  };
  return standing(state.findings, textOf, touched);
}
