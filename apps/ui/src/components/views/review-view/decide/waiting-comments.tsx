import type { ApiLoopState } from "@anneal/types";
import { whereOf } from "../comments/comments.ts";
import { useComments } from "../comments/use-comments.ts";
import { SIGNAL_WORDS } from "./signals.ts";

/** Comments on the diff that nobody has heard yet, and what the next fixer will be told anyway. */
export function WaitingComments({ project, loop }: { project: string; loop: ApiLoopState }) {
  const { comments, drop } = useComments(project, loop.id);
  const notes = loop.stage === "ended" ? [] : [...new Set(loop.notes)];
  return (
    <>
      {comments.length === 0 ? null : (
        <section aria-label="Your comments" className="rounded-md border border-line bg-page p-2 text-xs">
          <p>{whenTaken(loop, comments.length)}</p>
          <ul className="mt-1 flex max-h-32 flex-col gap-1 overflow-auto">
            {comments.map((comment) => (
              <li key={comment.id} className="flex items-start gap-2">
                <span className="min-w-0 flex-1 break-words">
                  <span className="font-mono">{whereOf(comment)}</span>: {comment.text}
                </span>
                <button type="button" className="text-accent underline" onClick={() => drop([comment])}>
                  Remove<span className="sr-only"> the comment on {whereOf(comment)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {notes.length === 0 ? null : (
        <details className="text-xs">
          <summary className="cursor-pointer text-muted">
            Waiting for the next fixer: {notes.length === 1 ? "a note" : `${notes.length} notes`}
          </summary>
          <ul className="mt-1 flex max-h-32 flex-col gap-1 overflow-auto">
            {notes.map((note) => (
              <li key={note} className="break-words whitespace-pre-wrap">
                {note}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function whenTaken({ stage, signals }: ApiLoopState, count: number): string {
  const they = count === 1 ? "Your comment" : `Your ${count} comments`;
  if (stage === "ended") return `${they} can no longer be sent: the loop has ended.`;
  const words = signals.filter(({ takesNote }) => takesNote).map(({ signal }) => SIGNAL_WORDS[signal].name);
  if (words.length === 0) return `${they} will be sent to the fixer with the next action that takes a note.`;
  return `${they} will be sent to the fixer with ${words.join(" or ")}.`;
}
