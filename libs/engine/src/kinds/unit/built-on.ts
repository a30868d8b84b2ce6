import { type FileProblem, problemText, type UnitFile } from "@anneal/adapters/units";
import type { Repo } from "@anneal/git";
import { UsageError } from "../../errors/errors.ts";
import { historyOf, loopsOf } from "../../history/loop-history.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import { isMissing } from "../../work/part-of.ts";
import { unitFolder } from "./files.ts";

interface Reading {
  repo: Repo;
  /** Null where nothing has run yet. */
  store: ProjectStore | null;
}

/** Refuses to build a unit on a branch that does not hold what the units made that it depends on. */
export async function refuseWithoutNeeded(reading: Reading, { into, unit }: { into: string; unit: UnitFile }) {
  const problems = await missingIn(reading, unit, { into, first: [] });
  if (problems.length > 0) throw new UsageError(problems.map(problemText).join("; "));
}

/** What a branch does not hold of what a unit depends on; `first` are the units that are built anew before. */
export async function missingIn(
  { repo, store }: Reading,
  { file, lines, unit: { plan } }: UnitFile,
  { into, first }: { into: string; first: readonly string[] },
): Promise<FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const [at, on] of (plan.depends_on ?? []).entries()) {
    const merged = first.includes(on) ? undefined : await missing({ repo, store }, on, into);
    if (merged === undefined) continue;
    const commit = merged.head.slice(0, 12);
    const ways = `git merge ${commit} there (with -s ours if its work is there in another form), name the branch that has it with --into, write orch_status: pending into the plan of ${on} to rebuild it, or remove ${on} from depends_on`;
    const message = `depends_on: ${on} was merged into ${merged.into}, but ${into} does not contain its work (${commit}): ${ways}`;
    problems.push({ file, line: lines.dependsOn[at] ?? 1, message });
  }
  return problems;
}

interface Merged {
  head: string;
  into: string;
}

/** What a unit has merged last, where a branch has nothing of any of its merges. */
async function missing({ repo, store }: Reading, id: string, into: string): Promise<Merged | undefined> {
  const all = mergesOf(store, id);
  // Plans are where people and we write down how far it is, on any branch.
  const isIgnored = (path: string) => path.startsWith(`${unitFolder(id)}/`);
  for (const { head } of all) if (!(await isMissing(repo, head, `refs/heads/${into}`, { isIgnored }))) return undefined;
  return all.at(-1);
}

/** None for what somebody else called complete. */
function mergesOf(store: ProjectStore | null, id: string): Merged[] {
  if (store === null) return [];
  return loopsOf(store, { kind: "unit", id }).flatMap((row) => {
    const { state, started } = historyOf(store, row);
    if (state.stage !== "ended" || state.outcome !== "merged" || state.head === null) return [];
    return [{ head: state.head, into: started.into ?? "" }];
  });
}
