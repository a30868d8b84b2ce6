import type { ApiPullRequest } from "@anneal/types";
import { useRef, useState } from "react";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, INPUT } from "../../../ui/field.tsx";
import { useDraft } from "./use-draft.ts";

interface DraftProps {
  project: string;
  loop: string;
  question: ApiPullRequest["questions"][number];
}

/** A reply that is drafted when a person asks for it, who edits it and posts it. */
export function QuestionDraft({ project, loop, question: { sourceId, author, question } }: DraftProps) {
  const { text, write, ask, stop, problem } = useDraft(project, loop, sourceId);
  const [told, setTold] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  // It stays where it is, whatever it does by then, so that the keyboard is never left nowhere.
  const button = useRef<HTMLButtonElement>(null);
  const start = () => {
    setTold("");
    void ask();
  };
  const copy = async (draft: string) => {
    try {
      await navigator.clipboard.writeText(draft);
      setTold("Copied.");
    } catch {
      field.current?.select();
      setTold("The browser blocked copying: the text is selected, copy it with the keyboard.");
    }
  };
  const offered = { id: `draft-reply-${sourceId}`, title: `Draft a reply to ${author}: ${question}`, group: "Review" };
  useOffer(text === null && stop === null ? [{ ...offered, run: start }] : []);
  const isAsking = stop !== null;
  return (
    <div className="mt-2 flex flex-col gap-2">
      {text === null ? null : (
        <Field
          label={`Draft of a reply to ${author}`}
          help="Written by an agent and not posted: check it, copy it, and post it on the pull request yourself."
        >
          {(tied) => (
            <textarea
              {...tied}
              ref={field}
              className={`${INPUT} min-h-24 w-full max-w-2xl`}
              value={text}
              onChange={({ target }) => write(target.value)}
            />
          )}
        </Field>
      )}
      {problem === null ? null : (
        <p role="alert" className="text-xs break-words text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          ref={button}
          aria-disabled={isAsking}
          onClick={() => {
            if (text !== null) void copy(text);
            else if (!isAsking) start();
          }}
        >
          {text !== null ? "Copy" : problem === null ? "Draft a reply" : "Try again"}
        </Button>
        {isAsking ? (
          <Button
            look="quiet"
            onClick={() => {
              stop();
              button.current?.focus();
            }}
          >
            Stop drafting
          </Button>
        ) : null}
        {text === null ? null : (
          <Button
            look="quiet"
            onClick={() => {
              write(null);
              setTold("");
              button.current?.focus();
            }}
          >
            Discard
          </Button>
        )}
        <span role="status" className="text-xs text-muted">
          {isAsking ? "An agent reads the change and drafts a reply…" : told}
        </span>
      </div>
    </div>
  );
}
