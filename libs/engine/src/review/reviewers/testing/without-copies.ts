import { type TamperGuard, tamperGuard } from "@anneal/adapters/reviewers/tamper-guard";
import type { Repo } from "@anneal/git";
import type { ReviewCopies } from "../../review-copies.ts";

/** The repository itself, without a copy. */
export function withoutCopies(repo: Repo): ReviewCopies {
  return { lend: (_head, work) => work(repo) };
}

export function roomIn(repo: Repo): TamperGuard {
  return tamperGuard(withoutCopies(repo));
}
