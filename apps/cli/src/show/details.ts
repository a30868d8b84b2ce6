import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { boardColumn, type StuckOn, stuckOn } from "@anneal/core";
import { storyStatus } from "@anneal/core/stories";
import { type CertifiedChecks, certifiedChecks, decisionsIn, playedParts } from "@anneal/core/write";
import type { Kept, LoopHistory, LoopStatus, ProjectReader } from "@anneal/engine/project";
import { itemOf, keptOf, loopStatus, movedAway, rulable, workspaceOf } from "@anneal/engine/project";
import type { Coverage, Finding, PlayedBy, TrackedFinding, Verdict } from "@anneal/types";
import type { NamedItem } from "../project/one-item.ts";
import { leadsTo } from "../project/words.ts";

export interface Details {
  id: string;
  kind: string;
  title: string;
  description: string;
  status: string | null;
  damaged: string | null;
  dependsOn: string[];
  /** The feature's folder and what lies in it, from the project's top. */
  files: string[];
  /** What no branch has of earlier loops and of people's work beside them. */
  kept: Kept[];
  /** Where its loops work, if anything is there. */
  workspace: string | null;
  loop: LoopDetails | null;
}

export type LoopDetails = LoopStatus & {
  base: string;
  head: string | null;
  /** In words: its branch is no longer what the loop ended with. */
  moved: string | null;
  /** The commit on top of the head that only adds the findings documents. */
  documents: string | null;
  because: string;
  /** What it builds on that nobody reviewed. */
  unreviewed: string[];
  checks: CertifiedChecks;
  agents: Record<string, string>;
  rounds: {
    number: number;
    head: string;
    reviewedAt: number;
    verdict: Verdict;
    summary: string;
    findings: Finding[];
    by: PlayedBy;
    notSeen: Coverage["skipped"];
  }[];
  findings: TrackedFinding[];
  decisions: ReturnType<typeof decisionsIn>;
  /** What it is at or waits over that is no finding of a review: red checks, what a hook refused. */
  stuckOn: StuckOn[];
  options: { signal: string; leadsTo: string }[];
  /** Fingerprints of the findings that block and that a person may rule on. */
  blocking: string[];
};

export async function detailsOf(
  { root, repo }: ProjectReader,
  { id, entry }: NamedItem,
  history: LoopHistory | null,
): Promise<Details> {
  const feature = entry !== null && "feature" in entry ? entry.feature : null;
  const { title, description = "", status = "backlog", dependencies = [] } = feature ?? {};
  return {
    id,
    kind: history?.row.kind ?? "feature",
    title: title ?? history?.row.summary.title ?? description.split("\n")[0] ?? id,
    description,
    status: feature === null ? ownStatus(history) : status,
    damaged: entry !== null && "damaged" in entry ? entry.damaged : null,
    dependsOn: dependencies,
    files: filesOf(root, entry === null ? history : null, id),
    kept: await keptOf(repo, itemOf(id)),
    workspace: await workspaceOf(repo, itemOf(id)),
    loop:
      history === null ? null : loopDetails(history, movedAway(await repo.refs("refs/heads/"), history.row.summary)),
  };
}

/** Where kinds of items besides features keep their files, if below .automaker. */
const HOMES: Record<string, string> = { story: "stories" };

function loopDetails({ row, started, policy, state, events, spent }: LoopHistory, moved: string | null): LoopDetails {
  const status = loopStatus(row);
  const heard = events.map(({ event }) => event);
  return {
    ...status,
    ...spent,
    base: state.base,
    head: state.head,
    moved,
    documents:
      typeof state.documents === "object" && state.documents.commit !== state.head ? state.documents.commit : null,
    because: started.because,
    unreviewed: started.unreviewed ?? [],
    checks: certifiedChecks(state, heard),
    agents: playedParts(started.agents, heard),
    rounds: state.rounds.map(({ number, head, reviewedAt, verdict, report: { summary, findings }, by, coverage }) => {
      return { number, head, reviewedAt, verdict, summary, findings, by, notSeen: coverage.skipped };
    }),
    findings: state.findings,
    decisions: decisionsIn(heard),
    stuckOn: stuckOn(state),
    options: status.legal.map((signal) => ({ signal, leadsTo: leadsTo(signal, row.kind) })),
    blocking: rulable(policy, state).map(({ fingerprint }) => fingerprint),
  };
}

/** The word of the item's own seed, or its column on the board. */
function ownStatus(history: LoopHistory | null): string | null {
  if (history === null || history.row.kind === "branch" || history.row.kind === "feature") return null;
  return history.row.kind === "story" ? storyStatus(history.state) : boardColumn(history.row.kind, history.state);
}

function filesOf(root: string, other: LoopHistory | null, id: string): string[] {
  const folder = join(
    ".automaker",
    ...(other === null ? ["features", id] : [HOMES[other.row.kind] ?? "none", other.row.item]),
  );
  try {
    // A link may lead out of the repository.
    if (!lstatSync(join(root, folder)).isDirectory()) return [];
    const names = readdirSync(join(root, folder)).filter((name) => !name.startsWith("."));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}
