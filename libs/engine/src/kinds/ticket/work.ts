import { dirname } from "node:path";
import { ticketGit } from "@anneal/adapters/epics";
import {
  type CompletionReport,
  type EpicItem,
  hasCompletionReport,
  latestCompletionReport,
  reviewContext,
  reviewContextText,
  type TicketItem,
  ticketBranch,
  ticketCommitMessage,
  ticketText,
  validateTicket,
} from "@anneal/core/epics";
import type { Repo } from "@anneal/git";
import type { LoopState } from "@anneal/types";
import type { StageWork } from "../../loop/driver.ts";
import { type LoopWorkArgs, loopWork, type ReviewExtras } from "../../work/loop-work.ts";

export interface TicketWorkArgs {
  epic: EpicItem;
  ticket: TicketItem;
  main: Repo;
  /** What every loop has. */
  equipped: Omit<LoopWorkArgs, "branch" | "workItem" | "steps" | "commitMessage">;
}

const PASSED = { result: "passed", findings: [] } as const;

/** The work of a ticket's loop: validated as a whole before each review, and reviewed with what its epic asks. */
export function ticketWork({ epic, ticket, main, equipped }: TicketWorkArgs): StageWork {
  const { repo, blobs, policy, clock } = equipped;
  const { id, title, acceptanceCriteria: criteria } = ticket;
  const branch = ticketBranch(id);
  const completionOf = ({ outputs }: LoopState) =>
    latestCompletionReport(
      outputs.map(({ output }) => blobs.getText(output)),
      criteria,
    );
  const work = loopWork({
    ...equipped,
    branch,
    workItem: {
      id,
      title,
      description: ticketText(ticket),
      file: ticket.path,
      criteria,
      requirements: criteria.length,
    },
    steps: {},
    epicCoordination: epic.coordination,
    // The log owns the epic's state, and its plan is not a ticket's to change.
    frozen: [dirname(epic.path)],
    answers: (text) => criteria.length > 0 && hasCompletionReport(text),
    commitMessage: (state, fix) => ticketCommitMessage(ticket, state, fix),
    checks: async (signal, state) => {
      const checks = await equipped.checks(signal, state);
      const { result, findings } = validateTicket({ git: null, checks, completion: completionOf(state) });
      return { result, findings };
    },
    extras: async (state) => ({
      ...(await equipped.extras?.(state)),
      branch,
      reviewedAt: new Date(clock.now()).toISOString(),
      epicCoordination: epic.coordination,
      ...(await contextOf(state, completionOf(state))),
    }),
  });

  return {
    ...work,
    reviewing: async (state, signal, turn) => {
      await refuseMovedBranch(state);
      return await work.reviewing(state, signal, turn);
    },
  };

  /** Branch and commit are looked at once there are some; nothing of this is the builder's to mend. */
  async function refuseMovedBranch({ base, head }: LoopState): Promise<void> {
    const git = await ticketGit(main, { branch, baseCommit: base, commit: head ?? base });
    const [problem] = validateTicket({ git, checks: PASSED, completion: { criteria: [] } }).findings;
    if (problem !== undefined) throw new Error(problem.title);
  }

  async function contextOf(state: LoopState, completion: CompletionReport): Promise<ReviewExtras> {
    const filesModified = await changedPaths(repo, state);
    const loop = { policy, state };
    const context = reviewContext({ epic, ticket, loop, filesModified, testSuite: "passing", completion });
    if ("error" in context) throw new Error(context.error);
    const { previous_review_feedback: previousFeedback } = context;
    const validationResult = reviewContextText(context, completion);
    return { validationResult, ...(previousFeedback === null ? {} : { previousFeedback }) };
  }
}

async function changedPaths(repo: Repo, { base, head }: LoopState): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of repo.changedFiles({ base, head: head ?? base, headKind: "commit" })) paths.push(path);
  return paths.sort();
}
