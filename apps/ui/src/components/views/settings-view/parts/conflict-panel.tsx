import { toast } from "sonner";
import { Button } from "../../../ui/button.tsx";
import { controlAt, labelAt } from "../model/all-settings.ts";
import { type Draft, rawOf, tryAgain } from "../model/drafts.ts";
import { inWords, read } from "../model/read.ts";
import { isWithin } from "../model/values.ts";
import type { SettingsForm } from "./use-settings.ts";

const MOST_ROWS = 8;

/** Somebody else has written the file meanwhile: what changed, and the two ways on. */
export function ConflictPanel({
  settings,
  conflict,
}: {
  settings: SettingsForm;
  conflict: NonNullable<Draft["conflict"]>;
}) {
  const { edits } = settings.draft;
  const mine = (path: string) => Object.keys(edits).find((one) => isWithin(path, one) || isWithin(one, path));
  const again = async () => {
    if (await tryAgain(settings.place)) toast.success("Your changes are saved in the newer file.");
  };
  return (
    <div role="alert" className="rounded-md border border-warn bg-warn-soft p-3 text-sm">
      <p className="font-medium text-warn">The file changed while you edited. Nothing was saved.</p>
      {conflict.changes.length === 0 ? (
        <p>The values are the same; only the text differs.</p>
      ) : (
        <div className="my-2">
          <table className="w-full text-left">
            <thead className="text-xs text-muted">
              <tr>
                <th className="pr-4 font-medium">Setting</th>
                <th className="pr-4 font-medium">Was</th>
                <th className="pr-4 font-medium">Is now</th>
                <th className="font-medium">Yours</th>
              </tr>
            </thead>
            <tbody>
              {conflict.changes.slice(0, MOST_ROWS).map(({ path, was, now }) => {
                const edited = mine(path);
                return (
                  <tr key={path}>
                    <td className="pr-4">{labelAt(path)}</td>
                    <td className="pr-4 text-muted">{inWords(controlAt(path), was)}</td>
                    <td className="pr-4">{inWords(controlAt(path), now)}</td>
                    <td>{edited === undefined ? "not touched" : yours(edited, edits)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          {conflict.changes.length > MOST_ROWS ? <p>and {conflict.changes.length - MOST_ROWS} more</p> : null}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={settings.discard} title="Discard your changes and show the newer file">
          Use the newer file
        </Button>
        <Button
          acts
          look="main"
          onClick={() => void again()}
          title="Apply your changes to the newer file; its other values stay"
        >
          Apply my changes
        </Button>
      </div>
    </div>
  );
}

function yours(path: string, edits: Draft["edits"]): string {
  const control = controlAt(path);
  const one = edits[path];
  if (one === "give-back" || control === null) return "taken out";
  const value = read(control, rawOf(one));
  return value.ok ? inWords(control, value.value) : "not readable";
}
