import type { LineComment } from "../../../../store/review-store.ts";
import { whereOf } from "./comments.ts";

/** The comments that a word takes along. */
export function CommentsAlong({ comments }: { comments: readonly LineComment[] }) {
  if (comments.length === 0) return null;
  return (
    <section aria-label="Comments to send" className="rounded-md border border-line bg-page p-2 text-sm">
      <p className="text-xs text-muted">
        {comments.length === 1 ? "Your comment on the diff will be sent:" : "Your comments on the diff will be sent:"}
      </p>
      <ul className="mt-1 flex max-h-40 flex-col gap-1 overflow-auto">
        {comments.map((comment) => (
          <li key={comment.id}>
            <span className="font-mono text-xs">{whereOf(comment)}</span>: {comment.text}
          </li>
        ))}
      </ul>
    </section>
  );
}
