import type { Check, Comment, Forge, Permission, PullRequest, Review } from "./port.ts";

/** Everything that was said about a pull request, and who may say it. */
export interface PullRequestFeedback {
  pull: PullRequest;
  comments: Comment[];
  reviews: Review[];
  checks: Check[];
  /** By author. */
  permissions: Record<string, Permission>;
  /** To be handed over at the next look. */
  cursor: string;
}

/** What a pull request has come to, or null where nothing has changed since the last look. */
export async function listen(forge: Forge, number: number, since: string | null): Promise<PullRequestFeedback | null> {
  // The cursor comes first: what happens while the rest is read shows at the next look.
  const { changed, cursor } = await forge.changed(number, since);
  if (!changed) return null;
  const pull = await forge.get(number);
  const comments = await forge.comments(number);
  const reviews = await forge.reviews(number);
  const checks = await forge.checks(pull.head.sha);
  const authors = new Set([...comments, ...reviews].filter(({ key }) => key === null).map(({ author }) => author));
  // A table without a prototype: an account may be called `constructor`.
  const permissions: Record<string, Permission> = Object.create(null);
  for (const author of authors) permissions[author] = await forge.permission(author);
  return { pull, comments, reviews, checks, permissions, cursor };
}
