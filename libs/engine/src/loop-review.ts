import type { Repo } from "@anneal/adapters/git";
import { openFindings, standing } from "@anneal/core";
import type { LoopEvent, LoopState } from "@anneal/types";
import { diffText } from "./diff-text.ts";
import type { LoopWorkArgs } from "./loop-work.ts";
import { withoutNonce } from "./nonce.ts";
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
  const { repo, blobs, clock, workItem, context } = args;
  const roundDiff = await diffSince(repo, state);
  const round = {
    ...(await args.extras?.(state)),
    round: state.rounds.length + 1,
    turn,
    workItem,
    roundDiff,
    earlierFindings: openFindings(state.findings),
  };
  const reviewer = args.players.reviewer(context === undefined ? round : { ...round, context });
  const { report, coverage, usage, prompt, model = null } = await reviewer.review(change, signal);
  const located =
    report.status === "complete" ? { ...report, findings: await withSnippets(report.findings, change) } : report;
  return {
    type: "reviewed",
    at: clock.now(),
    usage,
    head: state.head,
    report: located,
    requirementsJudged: reviewer.requirements === "judged",
    standing: await stillStanding(repo, state),
    regions: change.regions(),
    renames: await renamesSince(repo, state),
    by: { agent: reviewer.name, model, provider: reviewer.provider ?? null },
    diff: blobs.put(roundDiff),
    coverage,
    ...(prompt === undefined ? {} : { prompt: blobs.put(withoutNonce(prompt)) }),
  };
}

/** What this round changed: its head against the head before it, never somebody else's commit. */
async function diffSince(repo: Repo, state: Reviewing): Promise<string> {
  const base = state.rounds.at(-1)?.head ?? state.base;
  const change = repo.change({ base, head: state.head, headKind: "commit" });
  try {
    return (await diffText(change)).text;
  } finally {
    change.close();
  }
}

async function renamesSince(repo: Repo, state: Reviewing): Promise<Record<string, string>> {
  const last = state.rounds.at(-1);
  return last === undefined ? {} : await repo.renames(last.head, state.head);
}

async function stillStanding(repo: Repo, state: Reviewing): Promise<string[]> {
  const files = new Set(openFindings(state.findings).flatMap(({ finding }) => finding.file ?? []));
  const texts = new Map<string, string | null>();
  for (const file of files) texts.set(file, await repo.fileAt(state.head, file));
  const touched = new Set(state.fixes.at(-1)?.regions.map((region) => region.file) ?? []);
  return standing(state.findings, (file) => texts.get(file) ?? null, touched);
}
