import type { ApiLoopState, ApiSignal } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { loopQuery } from "../../../../api/queries.ts";
import { CommentsAlong } from "../comments/comments-along.tsx";
import { changedSince } from "./changed.ts";
import { SIGNAL_WORDS } from "./signals.ts";
import { useSay } from "./use-say.ts";
import { WordDialog } from "./word-dialog.tsx";

/** A word that was chosen, and the loop as it was on the screen then. */
export interface AskedWord {
  loop: ApiLoopState;
  word: Omit<ApiSignal, "undoneBy">;
  /** What it is called here, where that is not its own name. */
  name?: string;
}

interface SignalProps {
  project: string;
  asked: AskedWord;
  /** Which card it is about, where that is not seen. */
  about?: string;
  onClose: () => void;
}

/**
 * Asks whether a word to a loop is meant, wherever it is said from: what follows, the note, and the comments that go along.
 * The word is about what was on the screen when it was asked, and cannot be said any more once that has changed.
 */
export function SignalDialog({ project, asked, about, onClose }: SignalProps) {
  const { loop, word, name = SIGNAL_WORDS[word.signal].name } = asked;
  const { say, alongWith } = useSay(project, loop);
  const { data: now = loop } = useQuery(loopQuery(project, loop.id));
  return (
    <WordDialog
      title={about === undefined ? name : `${name}: ${about}`}
      consequence={word.consequence}
      field={word.takesNote ? { label: "A note (optional)", required: false } : null}
      verb={name}
      draft={`${project}/${loop.id}/${word.signal}`}
      danger={!word.undoable}
      along={<CommentsAlong comments={alongWith(word.signal)} />}
      whyNot={changedSince(loop, now, word.signal)}
      onSay={(note) => say(word.signal, note)}
      onClose={onClose}
    />
  );
}
