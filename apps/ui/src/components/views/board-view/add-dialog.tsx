import { useState } from "react";
import type { ApiProblem } from "../../../api/api.ts";
import { useDraft } from "../../../store/use-draft.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { useBusy } from "../../ui/use-busy.ts";
import { FeatureForm } from "./feature-form.tsx";
import type { BoardActions } from "./hooks/use-board-actions.ts";

const EMPTY = { title: "", description: "", model: "", skipTests: false };

interface AddProps {
  project: string;
  actions: BoardActions;
  onClose: () => void;
}

/** A new feature for the backlog. */
export function AddDialog({ project, actions, onClose }: AddProps) {
  const { value: fields, isDirty, set, forget } = useDraft(`${project}/add`, EMPTY);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const { busy, run } = useBusy();
  const add = async () => {
    const { title, description, model, skipTests } = fields;
    const refused = await actions.add({
      title,
      ...(description === "" ? {} : { description }),
      ...(model === "" ? {} : { model }),
      ...(skipTests ? { skipTests } : {}),
    });
    if (refused !== null) return setProblem(refused);
    forget();
    onClose();
  };
  return (
    <Dialog
      title="Add a feature"
      description="The feature stays in the backlog until you or auto mode start it."
      open
      onClose={onClose}
      isDirty={isDirty}
    >
      <FeatureForm
        fields={fields}
        onFields={set}
        isDirty={isDirty}
        verb="Add"
        busy={busy}
        problem={problem}
        onSave={() => void run(add)}
        onDiscard={() => {
          forget();
          onClose();
        }}
      />
    </Dialog>
  );
}
