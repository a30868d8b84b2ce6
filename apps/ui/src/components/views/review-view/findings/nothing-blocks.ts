import type { ApiLoopState, ApiPullRequest } from "@anneal/types";
import { counted } from "../../../ui/numbers.ts";

type Told = Pick<ApiLoopState, "stage" | "reason" | "head" | "round" | "rail" | "verdict" | "next">;

/** What an empty list of findings means, and whether the pull request has more to say about it. */
interface Meaning {
  sentence: string;
  seePullRequest: boolean;
}

/** Only a verdict on the head, and nothing that is open elsewhere, makes it good news. `pr`: null without one, undefined while it is asked for. */
export function nothingBlocks(loop: Told, pr: ApiPullRequest | null | undefined): Meaning {
  const { stage, head, verdict, rail } = loop;
  if (verdict?.current === true)
    return verdict.result === "pass" ? passed(loop, pr) : told(`The last review did not pass: ${verdict.reason}`);
  const review = rail.find((stop) => stop.stage === "reviewing");
  if (review === undefined) return told("The policy of this item has no review.");
  if (head === null && (stage === "ended" || stage === "waiting-for-human"))
    return told("Nothing was committed, so there is nothing to review.");
  const standing = whyNot(loop, review.standing === "skipped");
  if (verdict !== null) return told(`The latest change has not been reviewed${standing}.`);
  return review.standing === "skipped"
    ? told(`Nothing has been reviewed${standing}.`)
    : told(`Nothing has been reviewed yet${standing}.`);
}

/** What people and checks still ask of the head. */
export function openRequests(
  { stage }: Pick<ApiLoopState, "stage">,
  pr: ApiPullRequest | null | undefined,
): ApiPullRequest["requests"] {
  return stage !== "ended" && pr?.current === true ? pr.requests : [];
}

function passed(loop: Told, pr: ApiPullRequest | null | undefined): Meaning {
  const { stage, next } = loop;
  if (stage === "ended") return told("Nothing blocks this change.");
  const open = openOn(loop, pr);
  if (open.length > 0) {
    const isOne = open.length === 1 && /^(1|an?) /.test(open[0] ?? "");
    const sentence = `The review passed; ${listed(open)} ${isOne ? "is" : "are"} open.`;
    return { sentence, seePullRequest: true };
  }
  if (stage === "fixing" || stage === "validating" || stage === "committing")
    return told("The review passed; newer requests are in progress.");
  if (stage === "waiting-for-human") return told(`The review passed. ${next.sentence}`);
  if (pr === undefined) return told("The review passed.");
  if (stage === "awaiting-feedback" && pr?.current !== true)
    return { sentence: "The review passed; the pull request has no feedback yet.", seePullRequest: true };
  return told("Nothing blocks this change.");
}

function openOn(loop: Told, pr: ApiPullRequest | null | undefined): string[] {
  if (pr?.current !== true) return [];
  const asked = openRequests(loop, pr).filter(({ source }) => source !== "check").length;
  const failing = pr.checks?.failing.length ?? 0;
  return [
    ...(asked === 0 ? [] : [`${counted(asked, "request")} of the pull request`]),
    ...(asked === 0 && pr.reviews === "changes-requested" ? ["a reviewer’s request for changes"] : []),
    ...(failing > 0 ? [counted(failing, "failing check")] : pr.checks?.state === "failing" ? ["failing checks"] : []),
    ...(pr.checks?.state === "pending" ? ["unfinished checks"] : []),
  ];
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function told(sentence: string): Meaning {
  return { sentence, seePullRequest: false };
}

function whyNot({ stage, reason, round }: Told, leftOut: boolean): string {
  if (stage === "reviewing") return `: round ${round} is under way`;
  if (reason === "review-broke") return ": the review failed";
  return leftOut ? ": the review was skipped" : "";
}
