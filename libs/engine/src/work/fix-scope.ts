import { type FixedFile, openStrays, outOfScope } from "@anneal/core";
import type { GitBlobs, Repo } from "@anneal/git";
import type { WorkItemText } from "@anneal/prompts";
import { type ChangedFile, type Finding, FixCause, type FixScope, type LoopState } from "@anneal/types";

/** What stands at the end of a fix: the tree that is about to be committed, or the commit. */
export interface FixEnd {
  head: string;
  headKind: "commit" | "tree";
}

/** Whether the work that is committed answers findings, and is not what they were about. */
export function isFix(state: LoopState): state is Extract<LoopState, { stage: "committing" }> & { head: string } {
  if (state.stage !== "committing" || state.rounds.length === 0 || state.step !== null || state.head === null)
    return false;
  return FixCause.safeParse(state.of).success;
}

/** What a fix touches beyond what it was to mend. */
export async function scopeOf(
  repo: Repo,
  state: LoopState,
  workItem: WorkItemText,
  end: FixEnd,
): Promise<FixScope | undefined> {
  if (!isFix(state)) return undefined;
  const from = state.head;
  const findings = toMend(state);
  const task = {
    findings,
    words: [...requirements(workItem), ...(state.claims?.notes ?? [])],
    changed: await pathsBetween(repo, state.base, from),
    texts: await textsOf(repo, from, findings),
    round: Math.max(1, state.earlierRounds + state.rounds.length),
    from,
  };
  const { strays, unnamed } = outOfScope(await filesOf(repo, { base: from, ...end }), task);
  const takenBack = await backAgain(repo, state, end.head);
  if (strays.length + unnamed.length + takenBack.length === 0) return undefined;
  return {
    ...(strays.length === 0 ? {} : { strays }),
    ...(takenBack.length === 0 ? {} : { takenBack }),
    ...(unnamed.length === 0 ? {} : { unnamed }),
  };
}

/** The open findings, and what no review lists: what checks and hooks refused, and what was asked for on the pull request. */
function toMend({ findings, refused, requested = [], verdict }: LoopState): Finding[] {
  const open = findings.filter(({ disposition }) => disposition.kind === "open").map(({ finding }) => finding);
  const judged = verdict?.verdict.result === "fail" ? verdict.verdict.blocking : [];
  return [...open, ...(refused?.problems ?? []), ...requested, ...judged];
}

function requirements({ title, description, spec = "", criteria = [] }: WorkItemText): string[] {
  return [title, description, spec, ...criteria];
}

async function pathsBetween(repo: Repo, base: string, head: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path, oldPath = path } of repo.changedFiles({ base, head, headKind: "commit" }))
    paths.push(path, oldPath);
  return paths;
}

const MOST_READ = 50;

async function textsOf(repo: Repo, commit: string, findings: readonly Finding[]) {
  const paths = [...new Set(findings.flatMap(({ file }) => file ?? []))].slice(0, MOST_READ);
  const contents = await repo.contentAt(commit, paths);
  return paths.map((path, at) => ({ path, text: contents[at]?.toString("utf8") ?? "" }));
}

async function filesOf(repo: Repo, ends: FixEnd & { base: string }): Promise<FixedFile[]> {
  const blobs = repo.blobs();
  try {
    const files: FixedFile[] = [];
    for await (const file of repo.changedFiles(ends)) files.push(await fixedFile(file, blobs));
    return files;
  } finally {
    blobs.close();
  }
}

const ABSENT = "000000";

async function fixedFile(file: ChangedFile, blobs: GitBlobs): Promise<FixedFile> {
  const { path, oldPath, status, mode, oldMode = mode, oldBlob, newBlob, hunks } = file;
  const isNew = status === "added" || status === "copied";
  return {
    path,
    oldPath: isNew ? undefined : oldPath,
    before: isNew ? { mode: ABSENT, text: null } : { mode: oldMode, text: await blobs.read(oldBlob) },
    after: { mode: status === "deleted" ? ABSENT : mode, text: await blobs.read(newBlob), blob: newBlob },
    removed: hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith("-")).length,
  };
}

/** Those whose files are as they were before the fix that touched them. */
async function backAgain(repo: Repo, { findings }: LoopState, head: string): Promise<string[]> {
  const back: string[] = [];
  for (const { fingerprint, strayed } of openStrays(findings))
    if (!(await repo.touches({ base: strayed.from, head }, strayed.path))) back.push(fingerprint);
  return back;
}
