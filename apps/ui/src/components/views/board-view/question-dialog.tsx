import { useQuery } from "@tanstack/react-query";
import { isPlan } from "../../../api/plans.ts";
import { movesQuery } from "../../../api/queries.ts";
import { moveChangedSince } from "../review-view/decide/changed.ts";
import { SignalDialog } from "../review-view/decide/signal-dialog.tsx";
import { WordDialog } from "../review-view/decide/word-dialog.tsx";
import type { BoardActions } from "./hooks/use-board-actions.ts";
import type { Asking, BoardQuestion } from "./hooks/use-questions.ts";

interface QuestionProps {
  project: string;
  asking: Asking;
  actions: BoardActions;
  /** The name of a column. */
  nameOf: (column: string) => string;
}

/** What the board asks before it does what cannot be taken back. */
export function QuestionDialog({ project, asking: { question, settle }, actions, nameOf }: QuestionProps) {
  if (question === null) return null;
  const { item } = question;
  if (question.ask === "word")
    return <SignalDialog project={project} asked={question} about={item.title} onClose={settle} />;
  return <MoveQuestion {...{ project, question, actions }} column={nameOf(question.to)} onClose={settle} />;
}

interface MoveProps {
  project: string;
  question: Extract<BoardQuestion, { ask: "move" }>;
  actions: BoardActions;
  column: string;
  onClose: () => void;
}

/** The move is about what was on the screen when it was asked, and cannot be made any more once that has changed. */
function MoveQuestion({ project, question: { item, to, consequence, seen }, actions, column, onClose }: MoveProps) {
  const { data: now } = useQuery({ ...movesQuery(project, item.id), enabled: !isPlan(item) });
  return (
    <WordDialog
      title={`Move “${item.title}” to ${column}`}
      consequence={`${consequence} This cannot be undone.`}
      field={null}
      verb="Move it"
      draft={`${project}/${item.id}/move`}
      danger
      whyNot={now === undefined ? null : moveChangedSince({ to, seen }, now)}
      onSay={() => actions.move(item, to, seen).then(() => null)}
      onClose={onClose}
    />
  );
}
