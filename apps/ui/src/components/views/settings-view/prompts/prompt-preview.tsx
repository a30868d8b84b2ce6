import type { ApiPromptKey } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { itemsQuery } from "../../../../api/queries.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field, INPUT } from "../../../ui/field.tsx";
import { Failed, Loading } from "../../../ui/state.tsx";
import { promptPreviewQuery } from "./prompt-queries.ts";

/** The text as a reviewer would read it, filled in with a feature of this project. */
export function PromptPreview({
  project,
  promptKey,
  title,
  text,
  onClose,
}: {
  project: string;
  promptKey: ApiPromptKey;
  title: string;
  text: string;
  onClose: () => void;
}) {
  const { data: items = [] } = useQuery(itemsQuery(project));
  const features = items.filter(({ kind, damaged }) => kind === "feature" && damaged === null);
  const reviewed = features.find(({ loop }) => (loop?.round ?? 0) > 0);
  const [chosen, setChosen] = useState<string | null>(null);
  const itemId = chosen ?? reviewed?.id ?? "";
  const preview = useQuery(promptPreviewQuery(project, promptKey, text, itemId === "" ? undefined : itemId));
  return (
    <Dialog
      title={`${title} as a reviewer reads it`}
      description="With everything around your text. Nothing is sent."
      open
      onClose={onClose}
      wide
    >
      <Field label="Filled in with">
        {(labels) => (
          <select
            {...labels}
            className={`${INPUT} w-full`}
            value={itemId}
            onChange={({ target }) => setChosen(target.value)}
          >
            <option value="">an example feature</option>
            {features.map(({ id, title: name, loop }) => (
              <option key={id} value={id}>
                {name} {loop === null || loop.round === 0 ? "(not reviewed yet: no diff)" : ""}
              </option>
            ))}
          </select>
        )}
      </Field>
      {preview.error === null ? null : (
        <Failed what="the preview" error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      {preview.data === undefined && preview.error === null ? <Loading what="the preview" /> : null}
      {preview.data === undefined ? null : (
        <>
          <p className="text-xs text-muted">{preview.data.characters.toLocaleString("en-US")} characters in all</p>
          <textarea
            aria-label="The whole prompt"
            className={`${INPUT} h-[40vh] w-full shrink-0 bg-raised font-mono text-xs`}
            readOnly
            value={preview.data.text}
          />
        </>
      )}
    </Dialog>
  );
}
