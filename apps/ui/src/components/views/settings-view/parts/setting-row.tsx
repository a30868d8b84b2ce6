import { Badge } from "../../../ui/badge.tsx";
import { Field } from "../../../ui/field.tsx";
import { inWords } from "../model/read.ts";
import type { Control, Setting } from "../model/setting.ts";
import { SettingControl } from "./setting-control.tsx";
import type { SettingField, SettingsForm } from "./use-settings.ts";

/** One value: its control, where it comes from, and the way back to the level below. */
export function SettingRow({ setting, settings }: { setting: Setting; settings: SettingsForm }) {
  const field = settings.field(setting);
  const isElsewhere = setting.only !== undefined && setting.only !== settings.place.scope;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_fit-content(7rem)] gap-x-6 border-b sm:grid-cols-[minmax(0,1fr)_11rem] border-line py-3 last:border-0">
      <Field
        label={setting.label}
        help={isElsewhere ? `${setting.help} Only the ${setting.only} settings can set it.` : setting.help}
        problem={field.problem}
      >
        {(labels) => (
          <SettingControl
            label={setting.label}
            control={setting.control}
            raw={field.raw}
            disabled={isElsewhere || settings.locked !== null}
            labels={labels}
            onChange={field.set}
          />
        )}
      </Field>
      <Source label={setting.label} control={setting.control} field={field} locked={settings.locked !== null} />
    </div>
  );
}

/** Whose word a value is, and how to take it away. */
export function Source({
  label,
  control,
  field,
  locked,
}: {
  label: string;
  control: Control | null;
  field: SettingField;
  locked: boolean;
}) {
  const { held, below, isOwn, isEdited } = field;
  const lower = below.value === undefined ? "nothing set" : inWords(control, below.value);
  return (
    <div className="flex flex-col items-end gap-1 text-right text-xs">
      <div className="flex gap-1">
        {isEdited ? <Badge tone="warn">not saved</Badge> : null}
        <Badge tone={isOwn ? "accent" : "neutral"} title="Where this value comes from">
          {held.value === undefined ? "not set" : held.from}
        </Badge>
      </div>
      {isOwn ? (
        <button
          type="button"
          disabled={locked}
          onClick={field.giveBack}
          className="text-accent underline-offset-2 hover:underline disabled:text-muted"
          title={`Remove this setting from the file and use ${below.from === "global" ? "the global value" : "the default"}`}
        >
          Use {below.from}
          <span className="sr-only"> for {label}</span>
          {control?.kind === "prompt" || control?.kind === "json" ? null : <> ({lower})</>}
        </button>
      ) : null}
      {isEdited ? (
        <button
          type="button"
          onClick={field.undo}
          className="text-muted underline-offset-2 hover:underline"
          title="Restore the saved value"
        >
          Undo<span className="sr-only"> {label}</span>
        </button>
      ) : null}
    </div>
  );
}
