import type { ApiLoopState, ApiSignal } from "@anneal/types";
import { CommentsAlong } from "./comments-along.tsx";
import { SIGNAL_WORDS } from "./signals.ts";
import { useSay } from "./use-say.ts";
import { WordDialog } from "./word-dialog.tsx";

interface SignalProps {
  project: string;
  loop: ApiLoopState;
  word: ApiSignal;
  /** Which card it is about, where that is not seen. */
  about?: string;
  onClose: () => void;
}

/** Asks whether a word to a loop is meant, wherever it is said from: what follows, the note, and the comments that go along. */
export function SignalDialog({ project, loop, word, about, onClose }: SignalProps) {
  const { say, alongWith } = useSay(project, loop);
  const { name } = SIGNAL_WORDS[word.signal];
  return (
    <WordDialog
      title={about === undefined ? name : `${name}: ${about}`}
      consequence={word.consequence}
      field={word.takesNote ? { label: "A note that goes along (not needed)", required: false } : null}
      verb={name}
      draft={`${project}/${loop.id}/${word.signal}`}
      danger={!word.undoable}
      along={<CommentsAlong comments={alongWith(word.signal)} />}
      onSay={(note) => say(word.signal, note)}
      onClose={onClose}
    />
  );
}
