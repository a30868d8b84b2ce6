import { createHash } from "node:crypto";
import type { LookAnswer, ReviewAnswer, Reviewer } from "@anneal/adapters";
import {
  awaitsRuling,
  doubtfulPairs,
  lastRound,
  matchRound,
  movedTo,
  roundsDone,
  unchangedFindings,
} from "@anneal/core";
import { MATCHER, totalUsage } from "@anneal/core/review";
import { unseenIn } from "@anneal/core/unseen";
import type { Repo } from "@anneal/git";
import type { Finding, Looks, LoopEvent, LoopState, PlayedBy, RoundMatches, TrackedFinding } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { playedBy } from "../cast/providers/provider-of.ts";
import { AgentFailed } from "../errors/errors.ts";
import { isLasting } from "../loop/lasting.ts";
import { withoutNonce } from "../review/nonce.ts";
import { type AskedSame, askedSame } from "../review/reviewers/asked-same.ts";
import { asOpen, searchOf } from "../review/secrets/commit-secrets.ts";
import { withSnippets } from "../review/snippets.ts";
import { type Watched, watched } from "../review/watched.ts";
import { asNamed } from "./as-named.ts";
import type { LoopWorkArgs } from "./loop-work.ts";
import { isPartOf } from "./part-of.ts";

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
  const search = searchOf(repo, { base: state.base, head: state.head }, signal);
  const answer = await reviewer
    .review(change, signal)
    .then(unanswerable)
    .catch((error: unknown) => {
      if (signal.aborted) throw error;
      return failureOf(error);
    })
    .finally(search.over);
  if ("reason" in answer)
    return { type: "broke", at: clock.now(), stage: "reviewing", review: { by: by(), diff }, ...answer };
  const { report, coverage, usage, prompt, model } = answer;
  // What was cut off leaves nothing: done again, it may ask for more.
  if (signal.aborted && report.status === "inconclusive") throw new AgentFailed(report.reason, { usage });
  const named = report.status === "complete" ? await withSnippets(report.findings, change) : [];
  const since = await movesSince(repo, state, named);
  const stands = await stillPresent(args, state, movedTo(state.findings, since), change);
  // An earlier finding describes the code as it is; a person's decision holds in any case.
  const known = state.findings.filter(({ disposition, fingerprint }) =>
    disposition.kind === "open" ? stands.includes(fingerprint) : true,
  );
  const open = { findings: [...known, ...asOpen(named, round.round)], rounds: state.rounds };
  const { secrets, notes } = report.status === "complete" ? await search.foundIn(open) : { secrets: [], notes: [] };
  const located =
    report.status === "complete"
      ? { ...report, findings: named, notes: [...report.notes, ...notes, ...unnamedNotes(state)] }
      : report;
  const asked =
    located.status === "complete" ? await matchesOf(reviewer, state, located.findings, since, signal) : undefined;
  return {
    type: "reviewed",
    at: clock.now(),
    usage: asked?.usage === undefined ? usage : totalUsage([usage, asked.usage]),
    head: state.head,
    report: located,
    requirementsJudged: report.status === "complete" && reviewer.requirements === "judged",
    standing: stands,
    regions: change.regions(),
    ...since,
    ...(asked === undefined ? {} : { matches: asked.matches }),
    by: by(model),
    diff,
    coverage,
    ...(secrets.length === 0 ? {} : { secrets }),
    ...(answer.looks === undefined ? {} : { looks: looksOf(answer.looks) }),
    ...promptOf(prompt, asked?.prompt, blobs),
  };
}

/** What the fix before this round touched that nothing names and that holds nothing. */
function unnamedNotes({ fixes, earlierRounds, rounds }: Reviewing): string[] {
  const { round, unnamed = [] } = fixes.at(-1) ?? {};
  if (round !== earlierRounds + rounds.length || unnamed.length === 0) return [];
  return [`the fix of round ${round} also changed files that no finding names: ${unnamed.join(", ")}`];
}

type Since = Pick<Extract<LoopEvent, { type: "reviewed" }>, "moves" | "renames">;

/** Which findings are earlier ones: by words, and what those leave in doubt by the reviewer's word, where one can be asked. */
async function matchesOf(
  { questionAgent }: Reviewer,
  { findings: ledger }: Reviewing,
  findings: readonly Finding[],
  since: Since,
  signal: AbortSignal,
): Promise<{ matches: RoundMatches } & Partial<AskedSame>> {
  const matches = matchRound(ledger, findings, since);
  const doubts = questionAgent === undefined ? [] : doubtfulPairs(ledger, findings, since, matches);
  return questionAgent === undefined || doubts.length === 0
    ? { matches }
    : await askedSame(questionAgent, matches, doubts, signal);
}

function promptOf(review: string | undefined, question: string | undefined, blobs: LoopWorkArgs["blobs"]) {
  const asked =
    question === undefined ? [] : [`===== asked separately: which findings are the same =====\n\n${question}`];
  const parts = [...(review === undefined ? [] : [review]), ...asked];
  return parts.length === 0 ? {} : { prompt: blobs.put(withoutNonce(parts.join("\n\n"))) };
}

function looksOf(looks: readonly LookAnswer[]): Looks {
  const each = looks.map(({ agent, model, prompt, ...look }) => ({
    ...look,
    by: playedBy(agent, model),
    ...(prompt === undefined ? {} : { promptHash: createHash("sha256").update(withoutNonce(prompt)).digest("hex") }),
  }));
  return { matcher: MATCHER, each };
}

const EMPTY =
  "nothing to review: the commits of the branch change nothing, and retry does not help; end the loop with stop, then run it again";

type Failure = Pick<Extract<LoopEvent, { type: "broke" }>, "reason" | "usage" | "lasting">;

/** A reviewer that could not answer at all. */
function failureOf(error: unknown): Failure {
  const reason = errorMessage(error);
  const lasting = isLasting(error) ? ({ lasting: true } as const) : {};
  return { reason, usage: error instanceof AgentFailed ? error.usage : {}, ...lasting };
}

/** An answer that says nothing is asked for again, unless that cannot help. */
function unanswerable(answer: ReviewAnswer): ReviewAnswer | Failure {
  const { report, usage, coverage } = answer;
  if (report.status === "inconclusive")
    return answer.lasting === true ? { reason: report.reason, usage, lasting: true } : answer;
  if (report.findings.length > 0 || report.claim === "fail" || coverage.reviewed.length > 0) return answer;
  const reason = coverage.skipped.length === 0 ? EMPTY : unseenIn(coverage);
  return reason === undefined ? answer : { reason, usage, lasting: true };
}

/** What this round changed: its head against the head before it, never somebody else's commit. */
async function patchSince(repo: Repo, state: Reviewing): Promise<string> {
  const last = state.rounds.at(-1)?.head;
  // What a person has merged from the base since is not this change's.
  const isOnBase = last !== undefined && (await isPartOf(repo, state.base, last));
  return await repo.patch({ base: isOnBase ? last : state.base, head: state.head });
}

/** What became of the lines since the round before, in the files that findings name, and of the names of all files. */
async function movesSince(repo: Repo, state: Reviewing, findings: readonly Finding[]): Promise<Since> {
  const last = state.rounds.at(-1);
  if (last === undefined) return { renames: {} };
  const named = new Set([...state.findings.map(({ finding }) => finding), ...findings].map(({ file }) => file));
  return await repo.moves(last.head, state.head, (file, oldFile) => named.has(file) || named.has(oldFile));
}

async function stillPresent(
  { repo, clean }: LoopWorkArgs,
  state: Reviewing,
  ledger: readonly TrackedFinding[],
  change: Watched,
): Promise<string[]> {
  const files = new Set(ledger.filter(awaitsRuling).flatMap(({ finding }) => finding.file ?? []));
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
  return unchangedFindings(ledger, textOf, touched);
}
