import { join } from "node:path";
import type { ChooRead, FileProblem, TaskFile, UnitFile } from "@anneal/adapters/units";
import { notFound } from "../../repository/test-command.ts";
import { isToBegin } from "./files.ts";

/** Programs of checks that are not there or cannot be executed, where a unit that is to begin would build for them in vain. */
export async function missingPrograms(
  root: string,
  units: readonly UnitFile[],
  choo: ChooRead,
): Promise<FileProblem[]> {
  const fresh = units.filter(({ unit }) => isToBegin(unit.plan.orch_status));
  if (fresh.length === 0) return [];
  const tasks = fresh.flatMap((unit) => unit.tasks.filter(({ task }) => task.status !== "complete"));
  const own = tasks.map(({ file, checkLine: line, steps }) => ({ file, line, steps, what: "backpressure" }));
  const shared = (choo.ok ? choo.baselineChecks : []).map(({ name, line, steps }) => ({
    file: ".choo.yaml",
    line,
    steps,
    what: `baseline check ${name}`,
  }));
  const problems: FileProblem[] = [];
  for (const { file, line, steps, what } of [...shared, ...own]) {
    const why = await firstMissing(root, steps);
    if (why !== null) problems.push({ file, line, message: `${what}: ${why}` });
  }
  return problems;
}

async function firstMissing(root: string, steps: TaskFile["steps"]): Promise<string | null> {
  for (const { argv, folder } of steps) {
    const why = await notFound(argv[0], join(root, folder));
    if (why !== null) return why;
  }
  return null;
}
