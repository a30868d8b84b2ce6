import { Field, INPUT } from "../../../ui/field.tsx";
import type { SettingField, SettingsForm } from "../parts/use-settings.ts";

/** Policies of one's own, as the settings file keeps them. */
export function OwnPolicies({ settings, field }: { settings: SettingsForm; field: SettingField }) {
  const { scope } = settings.place;
  return (
    <section aria-label="Own policies" className="mt-6">
      <h2 className="font-semibold">Your own, in the {scope} settings</h2>
      <p className="mt-0.5 mb-2 text-sm text-muted">
        A JSON list. To start, show one of the policies above as JSON and copy it here; a feature names the one it uses.
        The server validates it when you save.
      </p>
      <Field label="Policies as JSON" problem={field.problem}>
        {(labels) => (
          <textarea
            {...labels}
            className={`${INPUT} min-h-48 w-full resize-y font-mono text-xs`}
            rows={Math.min(30, String(field.raw).split("\n").length)}
            placeholder="[]"
            spellCheck={false}
            disabled={settings.locked !== null}
            value={field.isOwn || field.isEdited ? String(field.raw) : ""}
            onChange={({ target }) => field.set(target.value)}
          />
        )}
      </Field>
      <div className="mt-1 flex gap-3 text-xs">
        {field.isEdited ? (
          <button type="button" className="text-muted underline-offset-2 hover:underline" onClick={field.undo}>
            Undo<span className="sr-only"> the changes to the policies</span>
          </button>
        ) : null}
        {field.isOwn && settings.locked === null ? (
          <button type="button" className="text-accent underline-offset-2 hover:underline" onClick={field.giveBack}>
            Remove all
          </button>
        ) : null}
      </div>
    </section>
  );
}
