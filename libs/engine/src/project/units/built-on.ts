import type { Repo } from "@anneal/adapters/git";
import { type Problem, problemText, type UnitFile } from "@anneal/adapters/units";
import { UsageError } from "../../errors.ts";
import { wasHeldBy } from "../../part-of.ts";
import { historyOf, loopsOf } from "../loop-history.ts";
import type { ProjectStore } from "../store-log.ts";
import { readableUnit } from "./files.ts";

interface Reading {
  repo: Repo;
  /** Null where nothing has run yet. */
  store: ProjectStore | null;
}

/** Units as they are about to begin, and the branch that takes them in. */
interface Beginning {
  into: string;
  ids: readonly string[];
  /** Those that are built anew before. */
  first?: readonly string[];
}

/** Refuses to build units on a branch that does not hold what the units made that they depend on. */
export async function refuseWithoutNeeded(reading: Reading, { into, ids, first = [] }: Beginning): Promise<void> {
  const problems: Problem[] = [];
  for (const id of ids) {
    const unit = await readableUnit(reading.repo.root, id);
    problems.push(...(await missingIn(reading, unit, { into, first })));
  }
  if (problems.length > 0) throw new UsageError(problems.map(problemText).join("; "));
}

async function missingIn(
  { repo, store }: Reading,
  { file, lines, unit: { plan } }: UnitFile,
  { into, first }: { into: string; first: readonly string[] },
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [at, on] of (plan.depends_on ?? []).entries()) {
    const merged = first.includes(on) ? null : mergedBy(store, on);
    if (merged === null || (await wasHeldBy(repo, merged.head, `refs/heads/${into}`))) continue;
    const commit = merged.head.slice(0, 12);
    const ways = `git merge ${commit} there, name the branch that has it with --into, or write orch_status: pending into the plan of ${on} to have it built anew`;
    const message = `depends_on: ${on} was merged into ${merged.into}, and ${into} does not hold what it made (${commit}): ${ways}`;
    problems.push({ file, line: lines.dependsOn[at] ?? 1, message });
  }
  return problems;
}

/** What the last loop of a unit has merged, and where; null also for what somebody else called complete. */
function mergedBy(store: ProjectStore | null, id: string): { head: string; into: string } | null {
  const last = store === null ? undefined : loopsOf(store, { kind: "unit", id }).at(-1);
  if (store === null || last === undefined) return null;
  const { state, started } = historyOf(store, last);
  if (state.stage !== "ended" || state.outcome !== "merged" || state.head === null) return null;
  return { head: state.head, into: started.into ?? "" };
}
