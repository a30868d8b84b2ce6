import type { ApiFeature } from "@anneal/types";
import { useState } from "react";
import { toast } from "sonner";
import { ApiProblem, api, type Tagged } from "../../../../api/api.ts";
import { at, featureQuery } from "../../../../api/queries.ts";
import { queries } from "../../../../api/query-client.ts";
import { useDraft } from "../../../../store/use-draft.ts";
import { useBusy } from "../../../ui/use-busy.ts";
import { changeOf, type FeatureDraft, fieldsOf, type Met, meet, pick } from "./feature-change.ts";

/** What was read, and what a person has made of it. It is kept as one, so that a draft never goes over a version that nobody has seen. */
interface Edit {
  etag: string;
  start: FeatureDraft;
  fields: FeatureDraft;
}

/** What others made of the fields meanwhile. */
export type MetMeanwhile = Met & { theirs: FeatureDraft };

/** How often a file is read again that changes under the hand, as a loop at work does with its own part of it. */
const MOST_TRIES = 5;

export function useFeatureEdit(project: string, id: string, read: Tagged<ApiFeature>, onClose: () => void) {
  const seen = fieldsOf(read.body);
  const draft = useDraft<Edit>(`${project}/${id}/edit`, { etag: read.etag, start: seen, fields: seen }, isUntouched);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [met, setMet] = useState<MetMeanwhile | null>(null);
  const { busy, run } = useBusy();
  const close = () => {
    draft.forget();
    onClose();
  };
  const setFields = (fields: FeatureDraft) => draft.set({ ...draft.value, fields });
  const save = async () => {
    setProblem(null);
    const told = await write(project, id, draft.value);
    if (told === "saved") {
      toast.success("Saved. A running loop keeps its settings; the next review reads the new text.");
      close();
      void queries.invalidateQueries({ queryKey: ["items", project] });
      void queries.invalidateQueries(featureQuery(project, id));
    } else if ("refused" in told) setProblem(told.refused);
    else {
      draft.set(told.next);
      setMet(told.met);
    }
  };
  return {
    fields: draft.value.fields,
    isDirty: draft.isDirty,
    busy,
    problem,
    met,
    setFields,
    takeTheirs() {
      if (met === null) return;
      setMet(null);
      setFields({ ...draft.value.fields, ...pick(met.theirs, met.contested) });
    },
    save: () => void run(save),
    discard: close,
  };
}

function isUntouched({ start, fields }: Edit): boolean {
  return Object.keys(changeOf(start, fields)).length === 0;
}

type Told = "saved" | { refused: ApiProblem } | { met: MetMeanwhile; next: Edit };

/** Sends what was changed over the version that the person has seen, and no other. */
async function write(project: string, id: string, edit: Edit): Promise<Told> {
  let now = edit;
  for (let tries = 1; ; tries += 1) {
    if (isUntouched(now)) return "saved";
    try {
      const path = at(project, `features/${encodeURIComponent(id)}`);
      await api.send("PATCH", path, changeOf(now.start, now.fields), { ifMatch: now.etag });
      return "saved";
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      if (problem.code !== "stale" || tries === MOST_TRIES) return { refused: problem };
    }
    try {
      const { etag, body } = await queries.fetchQuery({ ...featureQuery(project, id), staleTime: 0 });
      const theirs = fieldsOf(body);
      const met = meet(now.start, now.fields, theirs);
      now = { etag, start: theirs, fields: met.fields };
      // What the loop wrote into its part of the file is nothing to decide about.
      if (met.taken.length + met.contested.length > 0) return { met: { ...met, theirs }, next: now };
    } catch (problem) {
      if (problem instanceof ApiProblem) return { refused: problem };
      throw problem;
    }
  }
}
