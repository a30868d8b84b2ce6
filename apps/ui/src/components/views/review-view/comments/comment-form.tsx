import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import type { LineComment } from "../../../../store/review-store.ts";
import { Button } from "../../../ui/button.tsx";
import { INPUT } from "../../../ui/field.tsx";
import { useBusy } from "../../../ui/use-busy.ts";
import { whereOf } from "./comments.ts";

interface FormProps {
  comment: LineComment;
  /** When the fixer will read it. */
  consequence: string;
  onText: (text: string) => void;
  /** Gives what the server refused, or null. */
  onSay: () => Promise<string | null>;
  onClose: () => void;
}

/** Where a comment on a line is written. What is written is kept by whoever shows this: scrolling takes the form away. */
export function CommentForm({ comment, consequence, onText, onSay, onClose }: FormProps) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, run } = useBusy();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => setProblem(await onSay()));
  };
  return (
    <form
      className="my-1 flex max-w-2xl flex-col gap-2 border-l-4 border-accent bg-panel p-3 font-sans text-sm whitespace-normal text-ink"
      onSubmit={submit}
    >
      <label htmlFor={id} className="font-medium">
        Comment on {whereOf(comment)}
      </label>
      <textarea
        ref={field}
        id={id}
        required
        aria-describedby={`${id}-told`}
        className={`${INPUT} min-h-16 w-full`}
        value={comment.text}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          if (event.key === "Escape") onClose();
        }}
      />
      <div id={`${id}-told`} className="text-xs text-muted">
        {consequence}
      </div>
      {problem === null ? null : (
        <p role="alert" className="text-xs text-bad">
          {problem}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="main" type="submit" disabled={busy}>
          Comment
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
