import type { ApiSettings } from "@anneal/types";
import { isRecord } from "@anneal/types/unknown";
import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import { ApiProblem, api } from "../../../../api/api.ts";
import { at, globalSettingsQuery, projectSettingsQuery } from "../../../../api/queries.ts";
import { queries } from "../../../../api/query-client.ts";
import { controlAt } from "./all-settings.ts";
import { read } from "./read.ts";
import type { Scope } from "./setting.ts";
import { type Changed, changedBetween, patchOf } from "./values.ts";

/** What a person means to write: something typed, or that this file shall say nothing. */
export type Edit = { raw: unknown } | "give-back";

export interface Draft {
  /** The file as it was when the first edit was made. */
  base: ApiSettings | null;
  edits: Readonly<Record<string, Edit>>;
  /** What keeps it from being saved, by path. */
  problems: readonly { path: string; message: string }[];
  /** What others have written since; the draft waits for a decision. */
  conflict: { now: ApiSettings; changes: Changed[] } | null;
  saving: boolean;
}

export interface SettingsTarget {
  scope: Scope;
  project: string;
}

const EMPTY: Draft = { base: null, edits: {}, problems: [], conflict: null, saving: false };

type ByFile = Readonly<Record<string, Draft>>;

/**
 * What was typed and not saved, by file. It outlives the screen and a reload, with the file as it was when typing began,
 * and stays with its tab: what is typed in another one is somebody else's.
 */
export const useDrafts = create<{ byFile: ByFile }>()(
  persist((): { byFile: ByFile } => ({ byFile: {} }), {
    name: "anneal-settings-drafts",
    storage: createJSONStorage(() => sessionStorage),
    partialize: ({ byFile }) => ({ byFile: keptOf(byFile) }),
  }),
);

/** What outlives the page; how the server felt about it is asked anew. */
export function keptOf(byFile: ByFile): ByFile {
  const begun = Object.entries(byFile).filter(([, { edits }]) => Object.keys(edits).length > 0);
  return Object.fromEntries(begun.map(([file, { base, edits }]) => [file, { ...EMPTY, base, edits }]));
}

export function useDraft(place: SettingsTarget): Draft {
  return useDrafts(({ byFile }) => byFile[fileOf(place)] ?? EMPTY);
}

export function edit(place: SettingsTarget, file: ApiSettings, path: string, raw: unknown): void {
  change(place, ({ base, edits, problems, ...rest }) => ({
    ...rest,
    base: base ?? file,
    edits: { ...edits, [path]: { raw } },
    problems: problems.filter((one) => !one.path.startsWith(path)),
  }));
}

export function giveBack(place: SettingsTarget, file: ApiSettings, path: string): void {
  change(place, ({ base, edits, problems, ...rest }) => ({
    ...rest,
    base: base ?? file,
    edits: { ...edits, [path]: "give-back" },
    problems: problems.filter((one) => !one.path.startsWith(path)),
  }));
}

export function undo(place: SettingsTarget, path: string): void {
  change(place, (draft) => {
    const { [path]: _, ...edits } = draft.edits;
    if (Object.keys(edits).length === 0) return EMPTY;
    return { ...draft, edits, problems: draft.problems.filter((one) => !one.path.startsWith(path)) };
  });
}

export function discard(place: SettingsTarget): void {
  change(place, () => EMPTY);
}

/** Writes the draft. False where it was not taken; then the draft says why, and nothing typed is lost. */
export async function save(place: SettingsTarget): Promise<boolean> {
  const draft = draftOf(place);
  if (draft.base === null || draft.saving) return false;
  const { values, problems } = valuesOf(draft.edits);
  if (problems.length > 0) {
    change(place, (now) => ({ ...now, problems }));
    return false;
  }
  return await write(place, draft.base, values);
}

/** Writes some paths at once, apart from what is being typed elsewhere. */
export async function writeNow(
  place: SettingsTarget,
  file: ApiSettings,
  values: ReadonlyMap<string, unknown>,
): Promise<boolean> {
  return await write(place, draftOf(place).base ?? file, values);
}

/** Goes on from the newer file with the same edits. */
export async function tryAgain(place: SettingsTarget): Promise<boolean> {
  change(place, ({ conflict, ...rest }) => ({ ...rest, base: conflict?.now ?? rest.base, conflict: null }));
  return await save(place);
}

async function write(place: SettingsTarget, base: ApiSettings, values: ReadonlyMap<string, unknown>): Promise<boolean> {
  change(place, (now) => ({ ...now, saving: true, problems: [], conflict: null }));
  try {
    const next = await api.send<ApiSettings>("PATCH", urlOf(place), patchOf(values), { ifMatch: `"${base.version}"` });
    written(place, next);
    change(place, (now) => {
      const edits = Object.fromEntries(Object.entries(now.edits).filter(([path, one]) => !isSaved(path, one, values)));
      return Object.keys(edits).length === 0 ? EMPTY : { ...now, saving: false, base: next, edits };
    });
    return true;
  } catch (error) {
    await refused(place, base, error);
    return false;
  }
}

/** The file is shown as it is now, and what is made of it is asked for again. */
export function written(place: SettingsTarget, next: ApiSettings): void {
  queries.setQueryData(queryOf(place).queryKey, next);
  for (const what of ["effective-settings", "prompts", "policies", "analytics", "agents", "notifications"])
    void queries.invalidateQueries({ queryKey: [what] });
}

async function refused(place: SettingsTarget, base: ApiSettings, error: unknown): Promise<void> {
  if (!(error instanceof ApiProblem) || error.code !== "stale")
    return change(place, (now) => ({ ...now, saving: false, problems: problemsOf(error) }));
  try {
    const now = await queries.fetchQuery({ ...queryOf(place), staleTime: 0 });
    const conflict = { now, changes: changedBetween(base.settings ?? {}, now.settings ?? {}) };
    change(place, (draft) => ({ ...draft, saving: false, conflict }));
  } catch {
    change(place, (now) => ({ ...now, saving: false, problems: problemsOf(error) }));
  }
}

export function problemsOf(error: unknown): { path: string; message: string }[] {
  if (!(error instanceof ApiProblem)) return [{ path: "", message: String(error) }];
  return error.problems.length > 0 ? [...error.problems] : [{ path: "", message: error.message }];
}

function valuesOf(edits: Draft["edits"]) {
  const values = new Map<string, unknown>();
  const problems: { path: string; message: string }[] = [];
  for (const [path, one] of Object.entries(edits)) {
    const control = controlAt(path);
    const value = one === "give-back" || control === null ? null : read(control, one.raw);
    if (value === null) values.set(path, null);
    else if (value.ok) values.set(path, value.value);
    else problems.push({ path, message: value.problem });
  }
  return { values, problems };
}

/** Whether an edit is what was just written; what was typed meanwhile is not. */
function isSaved(path: string, one: Edit, values: ReadonlyMap<string, unknown>): boolean {
  if (!values.has(path)) return false;
  const now = valuesOf({ [path]: one }).values;
  return JSON.stringify(now.get(path)) === JSON.stringify(values.get(path)) || values.get(path) === null;
}

export function queryOf({ scope, project }: SettingsTarget) {
  return scope === "global" ? globalSettingsQuery : projectSettingsQuery(project);
}

export function urlOf({ scope, project }: SettingsTarget): string {
  return scope === "global" ? "/api/settings" : at(project, "settings");
}

function fileOf({ scope, project }: SettingsTarget): string {
  return scope === "global" ? "global" : `project ${project}`;
}

function draftOf(place: SettingsTarget): Draft {
  return useDrafts.getState().byFile[fileOf(place)] ?? EMPTY;
}

function change(place: SettingsTarget, next: (draft: Draft) => Draft): void {
  const draft = next(draftOf(place));
  useDrafts.setState(({ byFile }) => ({ byFile: { ...byFile, [fileOf(place)]: draft } }));
}

export function rawOf(one: Edit | undefined): unknown {
  return isRecord(one) ? one.raw : undefined;
}
