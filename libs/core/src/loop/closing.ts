import type { Finding, LoopState, Policy } from "@anneal/types";
import { unjudgedMark } from "../gate/not-judged.ts";
import { end, leave, publish, shared, wait } from "./exits.ts";

type Committing = Extract<LoopState, { stage: "committing" }>;

/** The way out of a change that has passed or was accepted: the documents of its reviews first, where it has any. */
export function close(policy: Policy, state: LoopState, detail: string): LoopState {
  const { acceptedBy } = state;
  const next =
    acceptedBy === undefined
      ? leave(policy, state, policy.exits.passed, "approval", detail)
      : deliverAccepted(policy, state, acceptedBy);
  const due = state.documents === "due" && state.head !== null && state.rounds.length > 0;
  // What has to wait for a person may change once more; then its documents would be about something else.
  if (!due || next.stage === "waiting-for-human") return next;
  return { ...shared(state), stage: "committing", of: "documents", plan: null };
}

/** The documents stand on top of the head that they are about, which is and stays the one that was judged. */
export function documented(policy: Policy, state: Committing, commit: string | null): LoopState {
  const { head } = state;
  const documents = head === null ? undefined : { commit: commit ?? head, of: head };
  const after = { ...state, breaks: 0, ...(documents === undefined ? {} : { documents }) };
  return close(policy, after, state.acceptedBy === undefined ? `the review passed${unjudgedMark(after)}` : "");
}

/** No fixer could mend what a hook has against our own documents. */
export function documentsRefused(policy: Policy, state: Committing, [first]: readonly Finding[]): LoopState {
  const why = first === undefined ? "the commit was refused" : `${first.title}: ${first.description}`;
  return wait(policy, state, "step-broke", why, ["retry", "take-over"]);
}

/** After new commits the documents are about another head. */
export function dueAgain(state: LoopState): Pick<LoopState, "documents" | "earlierDocuments"> {
  if (state.documents === undefined) return {};
  const earlierDocuments = documentsBy(state);
  return { documents: "due", ...(earlierDocuments.length === 0 ? {} : { earlierDocuments }) };
}

/** All commits of documents that a loop made. */
export function documentsBy({ documents, earlierDocuments = [] }: Pick<LoopState, "documents" | "earlierDocuments">) {
  return typeof documents === "object" ? [...earlierDocuments, documents] : earlierDocuments;
}

/** What a commit stands for: one that only adds documents is as good as the head that they are about. */
export function reviewedHead(state: LoopState, commit: string): string {
  return documentsBy(state).find((documents) => documents.commit === commit)?.of ?? commit;
}

/** Where a loop leaves its branch, which is what it delivers: its head, or the documents on top of it. */
export function leftBy({ head, base, documents }: Pick<LoopState, "head" | "base" | "documents">): string {
  return typeof documents === "object" ? documents.commit : (head ?? base);
}

export function acceptedDetail(by: string): string {
  return `accepted by ${by} with open findings`;
}

/** What a person takes as it is goes the way of what has passed, as far as it may be published. */
function deliverAccepted(policy: Policy, state: LoopState, by: string): LoopState {
  const detail = acceptedDetail(by);
  const reviewed = state.head !== null && state.verdict?.head === state.head;
  if (policy.exits.passed.to !== "opening-pr" || !reviewed) return end(state, "accepted", detail);
  const next = publish(policy, state, { draft: false, reason: "never-publish", detail });
  return next.stage === "waiting-for-human" ? end(state, "accepted", `${detail}; ${next.detail}`) : next;
}
