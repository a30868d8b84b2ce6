import type { AnalyticsSummary, ApiSettings, TimeSavedFormula } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { toast } from "sonner";
import { api } from "../../../api/api.ts";
import { at, projectSettingsQuery } from "../../../api/queries.ts";
import { queries } from "../../../api/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, INPUT } from "../../ui/field.tsx";
import { useBusy } from "../../ui/use-busy.ts";
import { worktime } from "./charts/format.ts";
import { Tile } from "./tile.tsx";

/** An estimate, so the sum behind it is always there to be seen and to be changed. */
export function TimeSaved({ project, saved }: { project: string; saved: AnalyticsSummary["timeSaved"] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Tile
        name="Time saved (estimate)"
        value={worktime(saved.minutes)}
        note={
          <>
            {saved.text}.{" "}
            <button
              type="button"
              className="text-accent underline-offset-2 hover:underline"
              onClick={() => setOpen(true)}
            >
              Change the formula
            </button>
          </>
        }
      />
      {isOpen ? <FormulaDialog project={project} formula={saved.formula} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const PARTS = [
  { key: "minutesPerFinding", label: "Minutes for each finding that was fixed automatically" },
  { key: "minutesPerRound", label: "Minutes for each review" },
] as const;

function FormulaDialog({
  project,
  formula,
  onClose,
}: {
  project: string;
  formula: TimeSavedFormula;
  onClose: () => void;
}) {
  const file = useQuery(projectSettingsQuery(project));
  const [typed, setTyped] = useState({
    minutesPerFinding: String(formula.minutesPerFinding),
    minutesPerRound: String(formula.minutesPerRound),
  });
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { busy, run } = useBusy();
  const submit = async () => {
    const analytics = Object.fromEntries(PARTS.map(({ key }) => [key, Number(typed[key])]));
    if (Object.values(typed).some((text) => text.trim() === "" || Number.isNaN(Number(text))))
      return setProblem("both have to be numbers");
    try {
      const options = { ifMatch: `"${file.data?.version ?? ""}"` };
      const next = await api.send<ApiSettings>("PATCH", at(project, "settings"), { analytics }, options);
      queries.setQueryData(projectSettingsQuery(project).queryKey, next);
      await queries.invalidateQueries({ queryKey: ["analytics", project] });
      toast.success("Formula saved in the project's settings.");
      onClose();
    } catch (error) {
      setProblem(errorMessage(error));
      await file.refetch();
    }
  };
  return (
    <Dialog
      title="How time saved is estimated"
      description="The sum of each number of minutes times how often it happened. Saved in the project's settings."
      open
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void run(submit);
        }}
      >
        {PARTS.map(({ key, label }) => (
          <Field key={key} label={label}>
            {(labels) => (
              <input
                {...labels}
                inputMode="decimal"
                className={`${INPUT} w-28`}
                value={typed[key]}
                onChange={({ target }) => setTyped({ ...typed, [key]: target.value })}
              />
            )}
          </Field>
        ))}
        {problem === undefined ? null : (
          <p role="alert" className="text-sm text-bad">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button acts look="main" type="submit" disabled={file.data === undefined || busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
