import { type FormEvent, useState } from "react";
import type { ApiProblem } from "../../../api/api.ts";
import { Button } from "../../ui/button.tsx";
import { Field, INPUT } from "../../ui/field.tsx";

/** What a person writes about a feature. */
export interface FeatureFields {
  title: string;
  description: string;
  model: string;
  skipTests: boolean;
}

interface FormProps {
  start: FeatureFields;
  verb: string;
  /** Gives what the server refused, or null when it is done. */
  onSave: (fields: FeatureFields) => Promise<ApiProblem | null>;
  onClose: () => void;
}

/** What the server does not take is said beside its field, and nothing typed is lost. */
export function FeatureForm({ start, verb, onSave, onClose }: FormProps) {
  const [fields, setFields] = useState(start);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const set = (change: Partial<FeatureFields>) => setFields((before) => ({ ...before, ...change }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refused = await onSave(fields);
    if (refused === null) onClose();
    else setProblem(refused);
  };
  const of = (path: string) =>
    problem?.problems.find((one) => one.path === path || one.path.endsWith(`.${path}`))?.message;
  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      <Field label="Title" problem={of("title")}>
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
        label="What should be done"
        help="The agent and the reviewer read this: say what is right when it is done."
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
      <Field label="Model" help="Leave it empty for the one in the settings." problem={of("model")}>
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
        I approve it myself when the review has passed
      </label>
      {problem === null || problem.problems.length > 0 ? null : (
        <p role="alert" className="text-sm text-bad">
          {problem.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="main" type="submit">
          {verb}
        </Button>
      </div>
    </form>
  );
}
