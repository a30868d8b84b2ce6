import { join, resolve } from "node:path";
import { featureFolders } from "../features/folder.ts";
import { type FieldValue, setFields } from "../stories/front-matter/set-fields.ts";
import { updateText } from "../stories/front-matter/text-file.ts";
import { PLAN_FILE } from "./read-unit.ts";

/** The fields of a unit's plan that the tool manages. Null is written where something is no longer known. */
export interface ManagedFields {
  orch_status?: string;
  orch_branch?: string | null;
  orch_worktree?: string | null;
  orch_pr_number?: number | null;
  /** ISO 8601. */
  orch_started_at?: string | null;
  orch_completed_at?: string | null;
}

/** Writes managed fields into a unit's plan. Only those values change in the file; says whether any did. */
export function writePlan(root: string, dir: string, fields: ManagedFields): Promise<boolean> {
  return write(root, join(dir, PLAN_FILE), { ...fields });
}

/** Writes a task's status into its file. Only that value changes; says whether it did. */
export function writeTaskStatus(root: string, file: string, status: string): Promise<boolean> {
  return write(root, file, { status });
}

async function write(root: string, file: string, fields: Record<string, FieldValue | undefined>): Promise<boolean> {
  const known = Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const options = { lock: featureFolders(root).lock, jail: root };
  const { changed } = await updateText(resolve(root, file), (text) => setFields(file, text, known), options);
  return changed;
}
