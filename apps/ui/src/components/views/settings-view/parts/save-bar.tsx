import { toast } from "sonner";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import { Button } from "../../../ui/button.tsx";
import { counted } from "../../../ui/numbers.ts";
import { labelAt } from "../model/all-settings.ts";
import { type SettingsTarget, save } from "../model/drafts.ts";
import { ConflictPanel } from "./conflict-panel.tsx";
import type { SettingsForm } from "./use-settings.ts";

/** What is not saved yet, and what keeps it from being saved. */
export function SaveBar({ settings }: { settings: SettingsForm }) {
  const { place, draft } = settings;
  const count = Object.keys(draft.edits).length;
  useOffer([
    {
      id: "settings-save",
      title: "Save the settings",
      group: "Settings",
      key: "mod+s",
      blocked: count === 0 ? "nothing was changed" : undefined,
      run: () => void saved(place),
    },
  ]);
  if (count === 0 && draft.problems.length === 0 && draft.conflict === null) return null;
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-0 z-10 flex flex-col gap-2 border-t border-line bg-panel px-6 py-3 shadow-float"
    >
      {draft.conflict === null ? null : <ConflictPanel settings={settings} conflict={draft.conflict} />}
      {draft.problems.length === 0 ? null : (
        <div role="alert" className="text-sm text-bad">
          {draft.problems.slice(0, 6).map(({ path, message }) => (
            <p key={`${path} ${message}`}>{path === "" ? message : `${labelAt(path)}: ${message}`}</p>
          ))}
        </div>
      )}
      {count === 0 || draft.conflict !== null ? null : (
        <div className="flex flex-wrap items-center gap-2">
          <Button acts look="main" disabled={draft.saving} onClick={() => void saved(place)} title={settings.file.file}>
            {draft.saving ? "Saving…" : "Save"}
          </Button>
          <Button onClick={settings.discard} title="Restore the saved value">
            Discard
          </Button>
          <p className="text-sm">
            {counted(count, "change")} to the {place.scope} settings not saved.{" "}
            <span className="text-muted">New loops use them.</span>
          </p>
        </div>
      )}
    </section>
  );
}

async function saved(place: SettingsTarget): Promise<void> {
  if (await save(place)) toast.success(`The ${place.scope} settings are saved.`);
}
