import { ForgeError } from "../contract/errors.ts";
import type { Resolving } from "../contract/port.ts";
import type { GithubClient } from "./client/client.ts";
import { fieldsOf, listOf, maybeNumber, maybeText, textOf } from "./client/fields.ts";

/** By the number of its first comment. */
export type Threads = Map<number, { id: string; resolved: boolean }>;

/** The threads of a pull request; only GraphQL knows of them. */
export async function threadsOf(client: GithubClient, number: number): Promise<Threads> {
  const { owner, repo } = client.address;
  const found: Threads = new Map();
  for (let after: string | null = null; ; ) {
    const data = await client.graphql("threads", { owner, repo, number, after });
    const { reviewThreads } = fieldsOf(fieldsOf(data.repository).pullRequest);
    for (const node of listOf(reviewThreads, "nodes")) {
      const [first] = listOf(fieldsOf(node).comments, "nodes");
      const id = maybeNumber(first, "databaseId");
      if (id !== null) found.set(id, { id: textOf(node, "id"), resolved: fieldsOf(node).isResolved === true });
    }
    const { pageInfo } = fieldsOf(reviewThreads);
    after = maybeText(pageInfo, "endCursor");
    if (fieldsOf(pageInfo).hasNextPage !== true || after === null) return found;
  }
}

export function resolving(client: GithubClient): Resolving {
  return {
    async resolve(number, comment) {
      const thread = (await threadsOf(client, number)).get(comment);
      if (thread === undefined) {
        throw new ForgeError("not-found", `no thread of pull request ${number} begins with comment ${comment}`);
      }
      if (!thread.resolved) await client.graphql("resolve", { id: thread.id });
    },
  };
}
