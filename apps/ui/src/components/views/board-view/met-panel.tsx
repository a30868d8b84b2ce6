import { Button } from "../../ui/button.tsx";
import { FIELD_LABELS, type FieldName } from "./hooks/feature-change.ts";
import type { MetMeanwhile } from "./hooks/use-feature-edit.ts";

/** Somebody else has saved the feature meanwhile: what they wrote, and the ways on. */
export function MetPanel({ met, onTake }: { met: MetMeanwhile; onTake: () => void }) {
  const { taken, contested, theirs } = met;
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md border border-warn bg-warn-soft p-3 text-sm">
      <p className="font-medium text-warn">Someone else changed it meanwhile. Nothing is saved yet.</p>
      {contested.map((name) => (
        <div key={name}>
          <p className="text-xs text-muted">{FIELD_LABELS[name]}, as they wrote it:</p>
          <p className="max-h-32 overflow-auto break-words whitespace-pre-wrap">{shown(theirs[name])}</p>
        </div>
      ))}
      {taken.length === 0 ? null : (
        <p>
          Taken from their version, since you did not change it:{" "}
          {taken.map((name: FieldName) => FIELD_LABELS[name]).join(", ")}.
        </p>
      )}
      {contested.length === 0 ? null : (
        <Button className="self-start" onClick={onTake}>
          Take theirs
        </Button>
      )}
    </div>
  );
}

function shown(value: string | boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === "" ? "(empty)" : value;
}
