import { type FormEvent, type ReactNode, useState } from "react";
import { useDraft } from "../../../../store/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field, INPUT } from "../../../ui/field.tsx";
import { useBusy } from "../../../ui/use-busy.ts";

interface WordProps {
  title: string;
  consequence: string;
  /** What is asked for; without it there is nothing to write. */
  field: { label: string; required: boolean } | null;
  verb: string;
  /** What it is about: what is written waits under this name until it is said or discarded. */
  draft: string;
  danger?: boolean;
  /** What goes along without being written here. */
  along?: ReactNode;
  /** Why it cannot be said any more. */
  whyNot?: string | null;
  /** Gives what the server refused, or null. */
  onSay: (text: string) => Promise<string | null>;
  onClose: () => void;
}

/** Says what will happen and asks for the words that go along; what is refused is told, and nothing written is lost. */
export function WordDialog({
  title,
  consequence,
  field,
  verb,
  draft,
  danger = false,
  along,
  whyNot = null,
  onSay,
  onClose,
}: WordProps) {
  const { value: text, isDirty, set: setText, forget } = useDraft<string>(draft, "");
  const [problem, setProblem] = useState<string | undefined>();
  const { busy, run } = useBusy();
  const submit = async () => {
    const refused = await onSay(text.trim());
    if (refused !== null) return setProblem(refused);
    forget();
    onClose();
  };
  const discard = () => {
    forget();
    onClose();
  };
  return (
    <Dialog title={title} description={consequence} open onClose={onClose} isDirty={isDirty}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (whyNot === null) void run(submit);
        }}
      >
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
        {whyNot === null ? null : (
          <p role="alert" className="text-sm wrap-anywhere text-bad">
            {whyNot}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={discard}>{isDirty ? "Discard" : "Cancel"}</Button>
          <Button acts look={danger ? "danger" : "main"} type="submit" disabled={busy || whyNot !== null}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
