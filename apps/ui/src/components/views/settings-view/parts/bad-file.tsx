import type { ApiSettings } from "@anneal/types";
import { useState } from "react";
import { toast } from "sonner";
import { api } from "../../../../api/api.ts";
import { queries } from "../../../../api/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, INPUT } from "../../../ui/field.tsx";
import { useBusy } from "../../../ui/use-busy.ts";
import { problemsOf, queryOf, urlOf, written } from "../model/drafts.ts";
import { read } from "../model/read.ts";
import type { SettingsForm } from "./use-settings.ts";

/** A settings file that does not hold: what is wrong with it, and the ways out. Nothing of it is ever overwritten unasked. */
export function BadFile({ settings: { place, file } }: { settings: SettingsForm }) {
  const [text, setText] = useState(() => JSON.stringify(file.settings ?? file.inForce, null, 2));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isOpen, setOpen] = useState(false);
  const { busy, run } = useBusy();
  const replace = async () => {
    const values = read({ kind: "json" }, text);
    if (!values.ok) return setProblem(values.problem);
    try {
      written(place, await api.send<ApiSettings>("PUT", urlOf(place), values.value, { ifMatch: `"${file.version}"` }));
      toast.success("The file is fixed. The old one is backed up next to it.");
    } catch (error) {
      setProblem(
        problemsOf(error)
          .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
          .join(" · "),
      );
    }
  };
  return (
    <div role="alert" className="mb-6 flex flex-col gap-3 rounded-md border border-bad bg-bad-soft p-4 text-sm">
      <p className="font-medium text-bad">
        {file.stopsLoops
          ? "The settings file cannot be read. No new loop starts until you fix it."
          : "The settings file has an invalid value. The last valid one is used instead."}
      </p>
      <p className="font-mono text-xs break-all">{file.file}</p>
      <ul className="list-disc pl-5">
        {(file.problems.length > 0 ? file.problems : [{ path: "", message: file.problem ?? "" }]).map((one) => (
          <li key={`${one.path} ${one.message}`}>
            {one.path === "" || one.path === "(whole)" ? null : <code>{one.path}: </code>}
            {one.message}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void queries.invalidateQueries(queryOf(place))} title="Reads the file again">
          I fixed it: reload
        </Button>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Fix it here
        </Button>
      </div>
      {isOpen ? (
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void run(replace);
          }}
        >
          <Field
            label="The whole file"
            help={
              file.settings === null
                ? "The file is not JSON. Below are the values in use. Saving them replaces the file; the damaged one is backed up under another name."
                : "Correct and save it. The current file is backed up under another name."
            }
            problem={problem}
          >
            {(labels) => (
              <textarea
                {...labels}
                className={`${INPUT} min-h-64 w-full font-mono text-xs`}
                spellCheck={false}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            )}
          </Field>
          <Button
            acts
            look="main"
            type="submit"
            className="self-end"
            disabled={busy}
            title="Replaces the file with this text"
          >
            Replace the file
          </Button>
        </form>
      ) : null}
    </div>
  );
}
