import type { ApiFinding, ApiPullRequest } from "@anneal/types";
import type { LineComment } from "../../../../store/review-store.ts";
import { Badge } from "../../../ui/badge.tsx";
import { SEVERITY_TONES } from "../findings/severity.ts";

const BOX = "my-1 w-full border-l-4 bg-panel px-3 py-1.5 text-left font-sans text-sm whitespace-normal text-ink";

/** A finding on its line, or on the lines that fixed it. */
export function PinnedFinding({ one, onChoose }: { one: ApiFinding; onChoose: () => void }) {
  const { finding, lifecycle, firstRound, fix } = one;
  return (
    <button
      type="button"
      onClick={onChoose}
      className={`${BOX} flex flex-wrap items-center gap-2 ${fix === null ? "border-bad" : "border-good"}`}
    >
      <Badge tone={fix === null ? SEVERITY_TONES[finding.severity] : "good"}>
        {fix === null ? finding.severity : "✓ fixed here"}
      </Badge>
      <span className="font-medium wrap-anywhere">{finding.title}</span>
      <span className="text-xs text-muted">
        {lifecycle}, since round {firstRound}
      </span>
    </button>
  );
}

/** What somebody asks for on the pull request, on its line. */
export function PinnedRequest({ one }: { one: ApiPullRequest["requests"][number] }) {
  return (
    <div className={`${BOX} flex flex-wrap items-center gap-2 border-warn`}>
      <Badge tone={SEVERITY_TONES[one.severity]}>{one.severity}</Badge>
      <span className="wrap-anywhere whitespace-pre-wrap">{one.text}</span>
      <span className="text-xs text-muted">{one.author} asks for this on the pull request</span>
    </div>
  );
}

/** A comment that waits to go to the fixer. */
export function PinnedComment({ comment, onRemove }: { comment: LineComment; onRemove: () => void }) {
  return (
    <div className={`${BOX} flex items-start gap-3 border-accent`}>
      <p className="min-w-0 flex-1 break-words whitespace-pre-wrap">
        <span className="text-xs text-muted">Your comment, not sent yet: </span>
        {comment.text}
      </p>
      <button type="button" className="text-xs text-accent underline" onClick={onRemove}>
        Remove
      </button>
    </div>
  );
}
