import { type EpicProblem, problemText } from "@anneal/core/epics";
import type { Repo } from "@anneal/git";
import { UsageError } from "../../errors/errors.ts";
import { commitOf } from "./commit-of.ts";
import type { ReadableEpic } from "./epic-index.ts";
import type { EpicLog } from "./log.ts";

/** Tickets that only epic-state.json calls completed, and whose work nobody could find by it. */
export async function unusableRecords(
  repo: Pick<Repo, "resolve">,
  log: EpicLog,
  { epic, state, stateAt }: ReadableEpic,
): Promise<EpicProblem[]> {
  const problems: EpicProblem[] = [];
  for (const { id } of epic.tickets) {
    const recorded = state !== null && Object.hasOwn(state.tickets, id) ? state.tickets[id] : undefined;
    if (recorded?.status !== "completed" || log.ticket(epic.id, id) !== null) continue;
    const trouble = await troubleWith(repo, id, recorded.git_info?.final_commit ?? "");
    if (trouble === null) continue;
    const ways = "set final_commit to the commit with its work, or its status to pending";
    problems.push({ ...stateAt(["tickets", id, "git_info", "final_commit"]), message: `${trouble}: ${ways}` });
  }
  return problems;
}

export async function refuseUnusable(repo: Pick<Repo, "resolve">, log: EpicLog, found: ReadableEpic): Promise<void> {
  const problems = await unusableRecords(repo, log, found);
  if (problems.length > 0) throw new UsageError(problems.map(problemText).join("; "));
}

async function troubleWith(repo: Pick<Repo, "resolve">, id: string, commit: string): Promise<string | null> {
  if (commit === "") return `ticket ${id} is completed, but has no final_commit`;
  // The name of a branch, which may look like the start of an id, would be another commit tomorrow.
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit) && (await commitOf(repo, commit)) === commit) return null;
  return `final_commit ${commit} of ticket ${id} is not a full commit id of this repository`;
}
