import type { ApiSettings } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { globalSettingsQuery, projectSettingsQuery } from "../../../../api/queries.ts";
import { type Draft, discard, edit, giveBack, type SettingsTarget, undo, useDraft } from "../model/drafts.ts";
import { read, shown } from "../model/read.ts";
import type { Setting, Values } from "../model/setting.ts";
import { type Held, held, heldBelow, problemAt } from "../model/values.ts";

/** One settings file on the screen: what it says, what holds below it, and what was typed over it. */
export interface SettingsForm {
  place: SettingsTarget;
  file: ApiSettings;
  below: Values;
  draft: Draft;
  /** Why nothing can be typed now. */
  locked: string | null;
  field(setting: Setting): SettingField;
  discard(): void;
}

export interface TabProps {
  settings: SettingsForm;
}

export interface SettingField {
  /** As the control shows it, typed or saved. */
  raw: unknown;
  /** Whose word it is once the draft is saved. */
  held: Held;
  /** What holds if this file says nothing. */
  below: Held;
  isEdited: boolean;
  isOwn: boolean;
  problem: string | undefined;
  set(raw: unknown): void;
  giveBack(): void;
  undo(): void;
}

export interface SettingsFormState {
  settings: SettingsForm | null;
  error: unknown;
  retry(): void;
}

export function useSettings(place: SettingsTarget): SettingsFormState {
  const everywhere = useQuery(globalSettingsQuery);
  const own = useQuery({ ...projectSettingsQuery(place.project), enabled: place.scope === "project" });
  const draft = useDraft(place);
  const chosen = place.scope === "global" ? everywhere : own;
  const retry = () => void Promise.all([everywhere.refetch(), chosen.refetch()]);
  if (chosen.data === undefined || everywhere.data === undefined)
    return { settings: null, error: chosen.error ?? everywhere.error, retry };
  return { settings: settingsOf(place, chosen.data, everywhere.data.inForce, draft), error: null, retry };
}

function settingsOf(place: SettingsTarget, file: ApiSettings, everywhere: Values, draft: Draft): SettingsForm {
  const below = place.scope === "project" ? everywhere : {};
  const own = (file.problem === null ? file.settings : null) ?? file.inForce;
  const levels = { scope: place.scope, own, below };
  const locked = file.problem === null ? null : "fix the file first";
  return {
    place,
    file,
    below,
    draft,
    locked,
    field: (setting) => {
      const { path, control } = setting;
      const one = draft.edits[path];
      const saved = held(setting, levels);
      const lower = heldBelow(setting, levels);
      const typed = one === undefined || one === "give-back" ? null : read(control, one.raw);
      const isGiven = one === "give-back" || (typed?.ok === true && typed.value === null);
      const after: Held =
        one === undefined ? saved : isGiven ? lower : { value: typed?.ok ? typed.value : null, from: place.scope };
      return {
        raw: one !== undefined && one !== "give-back" ? one.raw : shown(control, after.value),
        held: after,
        below: lower,
        isEdited: one !== undefined,
        isOwn: after.from === place.scope,
        problem: typed?.ok === false ? typed.problem : problemAt(draft.problems, path),
        set: (raw) => edit(place, file, path, raw),
        giveBack: () => (saved.from === place.scope ? giveBack(place, file, path) : undo(place, path)),
        undo: () => undo(place, path),
      };
    },
    discard: () => discard(place),
  };
}
