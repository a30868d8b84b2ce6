import type { LoopState, Story } from "@anneal/types";
import { isUnjudged } from "../gate/not-judged.ts";
import { withBlocking } from "../write/blocking.ts";
import { findingsDocument, findingsDocumentPath, toFindingsDocument } from "../write/findings-document.ts";
import { storyBranch } from "./branch.ts";

/** The findings of one round as a file. */
export interface FindingsFile {
  round: number;
  /** Where it belongs in the story's branch, once the story is finalised. */
  path: string;
  /** Where it waits until then, below the project: in no commit of the loop and in no reviewer's tree. */
  waitsAt: string;
  content: string;
}

/** The findings documents of a story, round by round, from the state of its loop alone. */
export function findingsFiles(story: Pick<Story, "id" | "title" | "branch">, state: LoopState): FindingsFile[] {
  const branch = storyBranch(story);
  const last = state.rounds.at(-1)?.number;
  return state.rounds.map(({ number, reviewedAt, report, verdict }) => {
    const findings = withBlocking(report.findings, verdict);
    // A reviewer that was overruled recommended something else than what now stands above it.
    const recommendation = findings.length === report.findings.length ? report.recommendation : undefined;
    const unjudged = { isUnjudged: number === last && isUnjudged(state) };
    const document = toFindingsDocument({
      storyId: story.id,
      round: number,
      reviewedAt,
      branch,
      findings,
      recommendation,
      ...unjudged,
    });
    return {
      round: number,
      path: findingsDocumentPath(story.id, number),
      waitsAt: waitingPath(story.id, number),
      content: findingsDocument(document),
    };
  });
}

export function waitingPath(storyId: string, round: number): string {
  const path = findingsDocumentPath(storyId, round);
  return `.automaker/stories/${storyId}/${path.slice(path.lastIndexOf("/") + 1)}`;
}

/** Whether a path of the branch is one of this story's findings documents: commits and reviewers' trees leave those out. */
export function isFindingsPath(path: string, storyId: string): boolean {
  const round = /-review-findings-round-([1-9]\d{0,5})\.md$/u.exec(path)?.[1];
  // Some file systems take capitals and small letters for the same file.
  return round !== undefined && path.toLowerCase() === findingsDocumentPath(storyId, Number(round)).toLowerCase();
}
