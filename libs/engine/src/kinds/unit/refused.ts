import { type FileProblem, problemText, type UnitFile } from "@anneal/adapters/units";
import { GitError } from "@anneal/git";
import type { ItemRef } from "@anneal/types";
import { UsageError } from "../../errors/errors.ts";
import { loopsOf } from "../../history/loop-history.ts";
import type { ProjectParts } from "../../items/prepare.ts";
import { type BranchStart, branchStart } from "../../workspaces/free-branch.ts";
import { missingIn } from "./built-on.ts";
import { allComplete, openTasks, readableUnit, unitBranch } from "./files.ts";

type Place = Pick<ProjectParts, "repo" | "tell"> & { store: ProjectParts["store"] | null };

/** Where a new loop of a unit begins on its branch; what somebody else committed there is refused. */
export async function unitBranchStart(place: Place, item: ItemRef, base: string): Promise<BranchStart> {
  const branch = unitBranch(item.id);
  return await branchStart(place, { item, branch, base, instead: `rename it with git branch -m ${branch} NAME` });
}

/** Refuses units of which a run could not begin one: nothing starts, as with a mistake in a file. */
export async function refuseUnits(place: Place, { into, ids }: { into: string; ids: readonly string[] }) {
  const units = await Promise.all(ids.map((id) => readableUnit(place.repo.root, id)));
  const problems = await unitRefusals(place, { into, units });
  if (problems.length > 0) throw new UsageError(problems.map(problemText).join("; "));
}

/** Why a run would refuse to begin units into a branch, at their plans. Nothing is changed. */
export async function unitRefusals(
  { repo, store }: Pick<Place, "repo" | "store">,
  { into, units }: { into: string; units: readonly UnitFile[] },
): Promise<FileProblem[]> {
  const loops = (id: string) => (store === null ? [] : loopsOf(store, { kind: "unit", id }));
  const fresh = units.filter(({ unit: { plan } }) => {
    return plan.orch_status !== "complete" && loops(plan.unit).every(({ stage }) => stage === "ended");
  });
  const first = fresh.map(({ unit }) => unit.plan.unit);
  const looking = { repo: { ...repo, keepTree: async () => {} }, store };
  const base = await repo.resolve(`refs/heads/${into}`).catch(() => null);
  // Without a branch that takes them in no unit can begin, which is reported as that.
  if (base === null) return [];
  const problems: FileProblem[] = [];
  for (const one of fresh) {
    const { file, lines, unit } = one;
    const id = unit.plan.unit;
    const tell = (message: string) => problems.push({ file, line: lines.unit, message });
    if (openTasks(one, loops(id).length).length === 0) tell(allComplete(id));
    problems.push(...(await missingIn({ repo, store }, one, { into, first })));
    await unitBranchStart(looking, { kind: "unit", id }, base).catch((error: unknown) => {
      if (!(error instanceof UsageError || error instanceof GitError)) throw error;
      tell(error.message);
    });
  }
  return problems;
}
