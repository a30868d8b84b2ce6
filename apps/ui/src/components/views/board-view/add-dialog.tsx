import { Dialog } from "../../ui/dialog.tsx";
import { FeatureForm } from "./feature-form.tsx";
import type { BoardActions } from "./hooks/use-board-actions.ts";

const EMPTY = { title: "", description: "", model: "", skipTests: false };

/** A new feature for the backlog. */
export function AddDialog({ actions, onClose }: { actions: BoardActions; onClose: () => void }) {
  return (
    <Dialog
      title="Add a feature"
      description="It waits in the backlog until it is started, by you or by auto mode."
      open
      onClose={onClose}
    >
      <FeatureForm
        start={EMPTY}
        verb="Add"
        onSave={({ title, description, model, skipTests }) =>
          actions.add({
            title,
            ...(description === "" ? {} : { description }),
            ...(model === "" ? {} : { model }),
            ...(skipTests ? { skipTests } : {}),
          })
        }
        onClose={onClose}
      />
    </Dialog>
  );
}
