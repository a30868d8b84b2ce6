/** Every GraphQL document that we send; a test holds each against GitHub's published schema. */
export const DOCUMENTS = {
  viewer: "query { viewer { login } }",
  threads: `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
    repository(owner: $owner, name: $repo) {
      pullRequest(number: $number) {
        reviewThreads(first: 100, after: $after) {
          pageInfo { hasNextPage endCursor }
          nodes { id isResolved comments(first: 1) { nodes { databaseId } } }
        }
      }
    }
  }`,
  ready: `mutation ($id: ID!) {
    markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } }
  }`,
  resolve: `mutation ($id: ID!) {
    resolveReviewThread(input: { threadId: $id }) { thread { isResolved } }
  }`,
} as const;

export type DocumentName = keyof typeof DOCUMENTS;
