import type { Choo, UnitFile } from "@anneal/adapters/units";
import { policyFromChoo, reviewerFromChoo, type UnitReviewer } from "@anneal/core/units";
import type { Repo } from "@anneal/git";
import type { ItemRef } from "@anneal/types";
import { NOBODY } from "../../assemble.ts";
import { chooCommands, type NamedCommand, taskCommands } from "../../consent/programs.ts";
import { UsageError } from "../../errors/errors.ts";
import { keyOf } from "../../history/item-key.ts";
import type { Prepared, PrepareRequest } from "../../items/kind.ts";
import { bonds, equip, type LoopTerms, type ProjectParts, termsOf } from "../../items/prepare.ts";
import { asItStands } from "../../workspaces/free-branch.ts";
import { itemWorkspace, takePersonsCommits } from "../../workspaces/item-workspace.ts";
import { refuseWithoutNeeded } from "./built-on.ts";
import { unitChecks } from "./checks.ts";
import { allComplete, openTasks, readableChoo, readableUnit, refuseOwnTarget, unitBranch } from "./files.ts";
import { unitBranchStart } from "./refused.ts";
import { resolutions } from "./resolved.ts";
import { unitWork } from "./work.ts";

const CHOICE = { name: "advisory", because: "the default for units" };

/** Makes a loop of a unit: a workspace and a branch of its own, from where the feature branch stands. */
export async function prepareUnit(parts: ProjectParts, id: string, request: PrepareRequest): Promise<Prepared> {
  const { repo: main, trees, workspaces } = parts;
  const item = { kind: "unit", id } as const;
  const unit = await readableUnit(main.root, id);
  const choo = await readableChoo(main.root);
  const commands = [...chooCommands(choo), ...taskCommands(unit.tasks)];
  const terms = await unitTerms(parts, request, item, { choo, commands });
  const branch = unitBranch(id);
  await takePersonsCommits(parts, { item, branch, before: request.before });
  const { into, base, head } = await startOf(parts, unit, request);
  // What a person took over and changed is the whole of it.
  const tasks = head === null ? tasksOf(unit, request) : [];
  const repo = await itemWorkspace(parts, { item, branch, start: head ?? base, request });
  const resolved = resolutions(repo, request);
  const names = { title: unit.title, branch, baseBranch: into };
  const bounds = { base, head };
  const equipped = await equip(parts, terms, { item, repo, request, names, bounds });
  const { settings, policy } = terms;
  const checks = unitChecks({ ...unit, ...choo, repo, main, workspaces, trees, base, settings });
  const bound = { ...bonds(terms), base, head, needsApproval: false, steps: [], tasks, into };
  const work = unitWork({ equipped, unit, branch, into, main, checks, resolved });
  return { title: unit.title, branch, policy, bound, work };
}

/**
 * Tasks are played by the agents of the run or the settings, the review by whom `.choo.yaml` names, unless this run says otherwise.
 * A reviewer that `.choo.yaml` names and that is not there breaks its review, which holds nothing up.
 */
async function unitTerms(
  parts: ProjectParts,
  request: PrepareRequest,
  item: ItemRef,
  { choo, commands }: { choo: Choo; commands: readonly NamedCommand[] },
): Promise<LoopTerms> {
  const { overrides, before } = request;
  const named = reviewerFromChoo(choo.codeReview);
  const bound = "started" in before ? before.started.agents.reviewer : undefined;
  const chosen = overrides.cast?.reviewer ?? bound;
  const missingReviewer = [undefined, NOBODY, named?.agent].includes(chosen) ? "breaks" : "refused";
  if ("started" in before) {
    return startedBy(named, await termsOf(parts, request, item, { choice: CHOICE, missingReviewer, commands }));
  }
  const reviewer = named?.agent ?? NOBODY;
  const withReviewer = { ...overrides, cast: { reviewer, ...overrides.cast } };
  const terms = await termsOf(parts, { ...request, overrides: withReviewer }, item, {
    choice: CHOICE,
    missingReviewer,
    commands,
  });
  return { ...startedBy(named, terms), policy: policyFromChoo(choo.codeReview, terms.policy) };
}

/** The program that `.choo.yaml` names for its reviewer, over the one of the settings. */
function startedBy(reviewer: UnitReviewer | null, terms: LoopTerms): LoopTerms {
  const { provider, command } = reviewer ?? {};
  if (provider === undefined || command === undefined) return terms;
  const { setups } = terms.agents;
  return {
    ...terms,
    agents: { ...terms.agents, setups: { ...setups, [provider]: { ...setups?.[provider], command: [command] } } },
  };
}

async function startOf(parts: ProjectParts, unit: UnitFile, request: PrepareRequest) {
  const item = { kind: "unit", id: unit.unit.plan.unit } as const;
  const { into, base } = await target(parts.repo, request);
  if ("started" in request.before) return { into, base, head: request.before.started.head };
  refuseOwnTarget([item.id], into);
  await refuseWithoutNeeded(parts, { into, unit });
  const start = await unitBranchStart(parts, item, base);
  if (start.head !== null) parts.tell?.(keyOf(item), asItStands(item, unitBranch(item.id)));
  return { into, ...start };
}

/** The branch that takes the unit in, and where the unit starts: there, with everything that was merged before. */
async function target(main: Repo, { overrides, before }: PrepareRequest): Promise<{ into: string; base: string }> {
  if ("started" in before) return { into: before.started.into ?? "", base: before.started.base };
  const into = overrides.into ?? (await main.branchName());
  if (into === null) throw new UsageError("no branch is checked out: name the branch to merge into with --into");
  const base = await main.resolve(`refs/heads/${into}`).catch((cause: unknown) => {
    throw new UsageError(`there is no branch ${into} to merge into; create it with git branch ${into}`, { cause });
  });
  return { into, base };
}

function tasksOf(unit: UnitFile, { before }: PrepareRequest): string[] {
  const {
    tasks: files,
    unit: { plan },
  } = unit;
  if ("state" in before) {
    const gone = before.state.tasks.find((one) => !files.some(({ task }) => String(task.task) === one));
    if (gone === undefined) return before.state.tasks;
    throw new UsageError(`task ${gone} of unit ${plan.unit} is gone; restore its file, or stop the unit`);
  }
  const open = openTasks(unit, before.earlierLoops);
  if (open.length === 0) throw new UsageError(allComplete(plan.unit));
  return open;
}
