import type { ApiFinding, ApiLoopState } from "@anneal/types";
import { toast } from "sonner";
import { rule } from "../../../../api/actions.ts";
import { useReviewStore } from "../../../../store/review-store.ts";
import type { DiffLine } from "../../../diff/diff-view.tsx";
import { asNote, tellable } from "../comments/comments.ts";
import { useComments } from "../comments/use-comments.ts";
import { SIGNAL_WORDS } from "../decide/signals.ts";

interface Source {
  project: string;
  loop: ApiLoopState;
  findings: readonly ApiFinding[];
  /** The end of the diff that is shown. */
  at: string;
}

/** Comments on lines: one that is being written, and those that wait. */
export function useLineComment({ project, loop, findings, at }: Source) {
  const name = `${project}/${loop.id}`;
  const writing = useReviewStore((store) => store.writing[name]) ?? null;
  const { write } = useReviewStore.getState();
  const { comments, keep, drop } = useComments(project, loop.id);
  const about = writing === null ? null : tellable(findings, writing);
  const finish = async (): Promise<string | null> => {
    if (writing === null || writing.text.trim() === "") return "Write a comment for the fixer.";
    const comment = { ...writing, text: writing.text.trim() };
    if (about === null) keep(comment);
    else {
      const refused = await rule(project, loop.id, about.fingerprint, { action: "tell", note: asNote(comment) });
      if (refused !== null) return refused;
      toast.success("Saved for the next fixer.");
    }
    write(name, null);
    return null;
  };
  return {
    comments,
    drop,
    writing,
    /** Why nothing can be said about a line now. */
    blocked: loop.stage === "ended" ? "the loop has ended" : undefined,
    begin: (line: DiffLine) => {
      // What was begun elsewhere is taken along to the new place: it is not lost by another click.
      const text = writing?.text ?? "";
      write(name, { ...line, at, text, id: String(Date.now()) });
    },
    setText: (text: string) => writing !== null && write(name, { ...writing, text }),
    cancel: () => write(name, null),
    finish,
    consequence: consequenceOf(loop, about),
  };
}

function consequenceOf({ signals }: ApiLoopState, about: ApiFinding | null): string {
  if (about !== null) return `The next fixer reads it with “${about.finding.title}”.`;
  const words = signals.filter(({ takesNote }) => takesNote).map(({ signal }) => SIGNAL_WORDS[signal].name);
  const with_ = words.length === 0 ? "the next action that takes a note" : words.join(" or ");
  return `Kept in this browser, and sent to the fixer with ${with_}.`;
}
