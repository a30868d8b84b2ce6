import { failpoint } from "@anneal/system/failpoint";
import type { ForgeMergeRequest, MergeResult, PullRequest } from "../contract/port.ts";
import type { GithubClient } from "./client/client.ts";
import { ForgeRefusal } from "./client/failures.ts";
import { textOf } from "./client/fields.ts";
import { pullRequest } from "./pull-view.ts";

/** Others may move the base while GitHub merges; losing this often in a row does not happen by chance. */
const MAX_ATTEMPTS = 5;

/** GitHub does not tell which files conflict. */
export async function merge(client: GithubClient, number: number, request: ForgeMergeRequest): Promise<MergeResult> {
  for (let attempt = 1; ; attempt++) {
    const early = settled(await pullRequest(client, number), request);
    if (early !== null) return early;
    failpoint("forge.merge.before");
    const answer = await tryMerge(client, number, request);
    failpoint("forge.merge.after");
    if (!(answer instanceof ForgeRefusal)) return answer;
    // Nothing was merged: what the pull request looks like now says why.
    const now = settled(await pullRequest(client, number), request);
    if (now !== null) return now;
    const baseMoved = answer.status === 405 && /base branch was modified/i.test(answer.said);
    if (!baseMoved || attempt === MAX_ATTEMPTS) return refused(answer.said || `GitHub answered ${answer.status}`);
  }
}

async function tryMerge(
  client: GithubClient,
  number: number,
  { method, expectedHead, message }: ForgeMergeRequest,
): Promise<MergeResult | ForgeRefusal> {
  const [title = "", ...rest] = message?.trim().split("\n") ?? [];
  const words = title === "" ? {} : { commit_title: title, commit_message: rest.join("\n").trim() };
  const body = { merge_method: method, sha: expectedHead, ...(method === "rebase" ? {} : words) };
  try {
    const answer = await client.write("PUT", client.path("pulls", number, "merge"), body);
    return { result: "merged", commit: textOf(answer, "sha") };
  } catch (error) {
    if (error instanceof ForgeRefusal && [405, 409, 422].includes(error.status)) return error;
    throw error;
  }
}

/** What there is no need to ask for. */
function settled(pull: PullRequest, { expectedHead }: ForgeMergeRequest): MergeResult | null {
  const { state, draft, head, mergeability, mergeCommit } = pull;
  if (state === "merged" && head.sha === expectedHead) return { result: "merged", commit: mergeCommit ?? head.sha };
  if (state !== "closed" && head.sha !== expectedHead) return { result: "head-moved", head: head.sha };
  if (state === "closed") return refused("the pull request is closed");
  if (draft) return refused("the pull request is a draft");
  return mergeability === "conflict" ? { result: "conflict", files: [] } : null;
}

function refused(reason: string): MergeResult {
  return { result: "not-mergeable", reason };
}
