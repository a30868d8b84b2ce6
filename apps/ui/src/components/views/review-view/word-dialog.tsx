import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, INPUT } from "../../ui/field.tsx";

interface WordProps {
  title: string;
  consequence: string;
  /** What is asked for; without it there is nothing to write. */
  field: { label: string; required: boolean } | null;
  verb: string;
  danger?: boolean;
  /** What goes along without being written here. */
  along?: ReactNode;
  /** Gives what the server refused, or null. */
  onSay: (text: string) => Promise<string | null>;
  onClose: () => void;
}

/** Says what will happen and asks for the words that go along; what is refused is told, and nothing written is lost. */
export function WordDialog({ title, consequence, field, verb, danger = false, along, onSay, onClose }: WordProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const refused = await onSay(text.trim());
    setBusy(false);
    if (refused === null) onClose();
    else setProblem(refused);
  };
  return (
    <Dialog title={title} description={consequence} open onClose={onClose}>
      <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
        {field === null ? (
          problem === undefined ? null : (
            <p role="alert" className="text-sm text-bad">
              {problem}
            </p>
          )
        ) : (
          <Field label={field.label} problem={problem}>
            {(props) => (
              <textarea
                {...props}
                className={`${INPUT} w-full min-h-24`}
                value={text}
                required={field.required}
                onChange={({ target }) => setText(target.value)}
                onKeyDown={(event) => {
                  if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
                    event.currentTarget.form?.requestSubmit();
                }}
              />
            )}
          </Field>
        )}
        {along}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look={danger ? "danger" : "main"} type="submit" disabled={busy}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
