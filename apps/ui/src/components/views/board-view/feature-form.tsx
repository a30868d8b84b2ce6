import type { ReactNode } from "react";
import type { ApiProblem } from "../../../api/api.ts";
import { Button } from "../../ui/button.tsx";
import { Field, INPUT } from "../../ui/field.tsx";
import { type FeatureDraft, FIELD_LABELS } from "./hooks/feature-change.ts";

interface FormProps {
  fields: FeatureDraft;
  onFields: (fields: FeatureDraft) => void;
  isDirty: boolean;
  verb: string;
  busy: boolean;
  /** What the server refused. */
  problem: ApiProblem | null;
  /** What has to be decided before it can be saved. */
  children?: ReactNode;
  onSave: () => void;
  onDiscard: () => void;
}

/** What the server does not take is said beside its field, and nothing typed is lost. */
export function FeatureForm(props: FormProps) {
  const { fields, onFields, isDirty, verb, busy, problem, children, onSave, onDiscard } = props;
  const set = (change: Partial<FeatureDraft>) => onFields({ ...fields, ...change });
  const of = (path: string) =>
    problem?.problems.find((one) => one.path === path || one.path.endsWith(`.${path}`))?.message;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <Field label={FIELD_LABELS.title} problem={of("title")}>
        {(props) => (
          <input
            {...props}
            className={`${INPUT} w-full`}
            value={fields.title}
            onChange={({ target }) => set({ title: target.value })}
            required
          />
        )}
      </Field>
      <Field
        label={FIELD_LABELS.description}
        help="The agent and the reviewer read this: describe what must be true when it is done."
        problem={of("description")}
      >
        {(props) => (
          <textarea
            {...props}
            className={`${INPUT} min-h-28 w-full`}
            value={fields.description}
            onChange={({ target }) => set({ description: target.value })}
          />
        )}
      </Field>
      <Field label={FIELD_LABELS.model} help="Leave empty to use the one in the settings." problem={of("model")}>
        {(props) => (
          <input
            {...props}
            className={`${INPUT} w-full`}
            value={fields.model}
            onChange={({ target }) => set({ model: target.value })}
          />
        )}
      </Field>
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={fields.skipTests}
          onChange={({ target }) => set({ skipTests: target.checked })}
        />
        {FIELD_LABELS.skipTests}
      </label>
      {problem === null || problem.problems.length > 0 ? null : (
        <p role="alert" className="text-sm text-bad">
          {problem.message}
        </p>
      )}
      {children}
      <div className="flex justify-end gap-2">
        <Button onClick={onDiscard}>{isDirty ? "Discard" : "Cancel"}</Button>
        <Button acts look="main" type="submit" disabled={busy}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
