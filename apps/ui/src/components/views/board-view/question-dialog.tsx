import { SignalDialog } from "../review-view/signal-dialog.tsx";
import { WordDialog } from "../review-view/word-dialog.tsx";
import type { BoardActions } from "./hooks/use-board-actions.ts";
import type { Asking } from "./hooks/use-questions.ts";

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
  return (
    <WordDialog
      title={`Move “${item.title}” to ${nameOf(question.to)}`}
      consequence={`${question.consequence} This cannot be taken back.`}
      field={null}
      verb="Move it"
      draft={`${project}/${item.id}/move`}
      danger
      onSay={() => actions.move(item, question.to, question.seen).then(() => null)}
      onClose={settle}
    />
  );
}
