import { ForgeError } from "../contract/errors.ts";
import { keyIn, unmarked } from "../contract/marker.ts";
import type { PullRequest } from "../contract/port.ts";
import type { GithubClient } from "./client/client.ts";
import { ForgeRefusal } from "./client/failures.ts";
import { authorOf, fieldsOf, listOf, maybeNumber, maybeText, numberOf, textOf } from "./client/fields.ts";
import { isSameName, myLogin } from "./people.ts";

/** A pull request as GitHub gave it, and as we see it. */
export interface SeenPull {
  raw: unknown;
  pull: PullRequest;
}

export async function pullRequest(client: GithubClient, number: number): Promise<PullRequest> {
  return (await seenPull(client, number)).pull;
}

export async function seenPull(client: GithubClient, number: number): Promise<SeenPull> {
  try {
    const raw = await client.get(client.path("pulls", number));
    return { raw, pull: await viewOf(client, raw) };
  } catch (error) {
    if (!(error instanceof ForgeRefusal) || error.kind !== "not-found") throw error;
    const why = `there is no pull request ${number} in ${client.address.owner}/${client.address.repo}`;
    throw new ForgeError("not-found", `${why}: check the number, and what the token may see`, { cause: error });
  }
}

/** A pull request as a list or an answer of its own has it. */
export async function viewOf(client: GithubClient, raw: unknown): Promise<PullRequest> {
  const { draft, merged_at: mergedAt, mergeable, head, base } = fieldsOf(raw);
  const { author } = authorOf(raw);
  const text = (maybeText(raw, "body") ?? "").replace(/\r\n/g, "\n");
  const key = isSameName(author, await myLogin(client)) ? keyIn("pull-request", text) : null;
  const isOpen = textOf(raw, "state") === "open";
  const state = typeof mergedAt === "string" ? "merged" : isOpen ? "open" : "closed";
  return {
    number: numberOf(raw, "number"),
    url: textOf(raw, "html_url"),
    title: textOf(raw, "title"),
    body: key === null ? text : unmarked(text),
    state,
    draft: draft === true,
    base: textOf(base, "ref"),
    head: headOf(head, base, isOpen),
    author,
    labels: listOf(raw, "labels").map((label) => textOf(label, "name")),
    reviewers: [
      ...listOf(raw, "requested_reviewers").map((person) => textOf(person, "login")),
      ...listOf(raw, "requested_teams").map((team) => `${client.address.owner}/${textOf(team, "slug")}`),
    ],
    mergeability: !isOpen || typeof mergeable !== "boolean" ? "unknown" : mergeable ? "clean" : "conflict",
    mergeCommit: state === "merged" ? maybeText(raw, "merge_commit_sha") : null,
    key,
  };
}

/** A branch of another repository carries its account, so that nobody takes it for one of ours. */
function headOf(head: unknown, base: unknown, isOpen: boolean): PullRequest["head"] {
  const { repo } = fieldsOf(head);
  const ref = textOf(head, "ref");
  const isHere = maybeNumber(repo, "id") === maybeNumber(fieldsOf(base).repo, "id");
  const branch = isHere ? ref : (maybeText(head, "label") ?? `elsewhere:${ref}`);
  const isGone = isOpen && (repo === null || repo === undefined);
  return { branch, sha: textOf(head, "sha"), ...(isGone ? { gone: true as const } : {}) };
}
