import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { ApiProblem, api } from "../../../api/api.ts";
import { at, featureQuery } from "../../../api/queries.ts";
import { queries } from "../../../api/query-client.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Failed, Loading } from "../../ui/state.tsx";
import { type FeatureFields, FeatureForm } from "./feature-form.tsx";

/** What people own of a feature; what its log owns is not here. Somebody else's change in between is told, not lost. */
export function EditDialog({ project, id, onClose }: { project: string; id: string; onClose: () => void }) {
  const { data, error } = useQuery({ ...featureQuery(project, id), staleTime: 0 });
  const save = async ({ title, description, model, skipTests }: FeatureFields): Promise<ApiProblem | null> => {
    try {
      const change = { title, description, model: model === "" ? null : model, skipTests };
      await api.send("PATCH", at(project, `features/${encodeURIComponent(id)}`), change, { ifMatch: data?.etag });
    } catch (problem) {
      if (problem instanceof ApiProblem) return problem;
      throw problem;
    }
    toast.success("Saved. A loop that runs keeps what it began with; the next review reads this.");
    await queries.invalidateQueries({ queryKey: ["items", project] });
    await queries.invalidateQueries(featureQuery(project, id));
    return null;
  };
  return (
    <Dialog title="Edit the feature" open onClose={onClose}>
      {error === null ? null : <Failed what="the feature" error={error} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="the feature" />
        ) : null
      ) : (
        <FeatureForm
          start={{
            title: data.body.title ?? "",
            description: data.body.description,
            model: data.body.model ?? "",
            skipTests: data.body.skipTests ?? false,
          }}
          verb="Save"
          onSave={save}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
