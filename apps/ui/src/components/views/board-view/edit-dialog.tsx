import type { ApiFeature } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Tagged } from "../../../api/api.ts";
import { featureQuery } from "../../../api/queries.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Failed, Loading } from "../../ui/state.tsx";
import { FeatureForm } from "./feature-form.tsx";
import { useFeatureEdit } from "./hooks/use-feature-edit.ts";
import { MetPanel } from "./met-panel.tsx";

interface EditProps {
  project: string;
  id: string;
  onClose: () => void;
}

/** What people own of a feature; what its log owns is not here. Somebody else's change in between is told, not lost. */
export function EditDialog({ project, id, onClose }: EditProps) {
  const { data, error, isFetchedAfterMount } = useQuery({ ...featureQuery(project, id), staleTime: 0 });
  const [isDirty, setDirty] = useState(false);
  return (
    <Dialog title="Edit the feature" open onClose={onClose} isDirty={isDirty}>
      {error === null ? null : <Failed what="the feature" error={error} />}
      {data !== undefined && isFetchedAfterMount ? (
        <EditForm project={project} id={id} read={data} onDirty={setDirty} onClose={onClose} />
      ) : error === null ? (
        <Loading what="the feature" />
      ) : null}
    </Dialog>
  );
}

interface FormProps extends EditProps {
  /** As it was when the form was opened; what is read later is not what the person saw. */
  read: Tagged<ApiFeature>;
  onDirty: (isDirty: boolean) => void;
}

function EditForm({ project, id, read, onDirty, onClose }: FormProps) {
  const edit = useFeatureEdit(project, id, read, onClose);
  const { fields, isDirty, busy, problem, met } = edit;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  return (
    <FeatureForm
      fields={fields}
      onFields={edit.setFields}
      isDirty={isDirty}
      verb={met === null ? "Save" : met.contested.length === 0 ? "Save mine as well" : "Save mine over it"}
      busy={busy}
      problem={problem}
      onSave={edit.save}
      onDiscard={edit.discard}
    >
      {met === null ? null : <MetPanel met={met} onTake={edit.takeTheirs} />}
    </FeatureForm>
  );
}
