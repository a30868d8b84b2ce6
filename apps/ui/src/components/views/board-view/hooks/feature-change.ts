import type { ApiFeature } from "@anneal/types";

/** What a person writes about a feature. */
export interface FeatureDraft {
  title: string;
  description: string;
  model: string;
  skipTests: boolean;
}

export type FieldName = keyof FeatureDraft;

const NAMES = ["title", "description", "model", "skipTests"] as const satisfies readonly FieldName[];

export const FIELD_LABELS: Readonly<Record<FieldName, string>> = {
  title: "Title",
  description: "What should be done",
  model: "Model",
  skipTests: "I approve it myself after the review passes",
};

export function fieldsOf({ title, description, model, skipTests }: ApiFeature): FeatureDraft {
  return { title: title ?? "", description, model: model ?? "", skipTests: skipTests ?? false };
}

/** What has to be sent, and no more: fields that nobody touched belong to whoever writes them next. */
export function changeOf(from: FeatureDraft, to: FeatureDraft): Record<string, string | boolean | null> {
  const changed = NAMES.filter((name) => from[name] !== to[name]);
  return Object.fromEntries(changed.map((name) => [name, name === "model" && to.model === "" ? null : to[name]]));
}

export interface Met {
  /** Mine, with what only others have changed. */
  fields: FeatureDraft;
  taken: FieldName[];
  /** Both have changed them, to different words. */
  contested: FieldName[];
}

/** Brings together what two people made of the same text. */
export function meet(start: FeatureDraft, mine: FeatureDraft, theirs: FeatureDraft): Met {
  const differ = NAMES.filter((name) => theirs[name] !== start[name] && theirs[name] !== mine[name]);
  const taken = differ.filter((name) => mine[name] === start[name]);
  const contested = differ.filter((name) => mine[name] !== start[name]);
  return { fields: { ...mine, ...pick(theirs, taken) }, taken, contested };
}

export function pick(fields: FeatureDraft, names: readonly FieldName[]): Partial<FeatureDraft> {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}
