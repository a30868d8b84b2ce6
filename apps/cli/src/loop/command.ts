import { parseArgs } from "node:util";
import { UsageError } from "@anneal/engine";
import { keyOf, projectAt } from "@anneal/engine/project";
import type { LoopState } from "@anneal/types";
import { playersHelp } from "../run/players-help.ts";
import { castOf, RUNNING, runHere } from "../run/running.ts";

const help = `anneal loop: review the current branch and fix what is found until it is clean

  anneal loop                    against the default branch, under the policy adversarial
  anneal loop --base REF         against another base
  anneal loop --policy NAME      gate, pull-request, scored, adversarial, advisory, one of your own, or a .json file

  --reviewer NAME                the reviewer (default: builtin)
  --fixer NAME                   the fixer (default: builtin)
  --agent NAME                   the agent for both
  --json                         one line of JSON per event on standard output

${playersHelp()}

It works in a workspace of its own (a private clone) and moves the branch after each fix. Your files follow
as in a fast-forward; untracked files are never touched. Ctrl-C stops it; the next anneal loop continues.
Signals and anneal show take the name that is printed, such as branch:topic, or any unique ending of it.
Exit code: 0 the last review of the branch passed, 1 it failed, 2 usage, 3 no verdict.
`;

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      base: { type: "string" },
      policy: { type: "string" },
      agent: RUNNING.agent,
      reviewer: RUNNING.reviewer,
      fixer: RUNNING.fixer,
      trust: RUNNING.trust,
      json: { type: "boolean", default: false },
    },
  });
  const { root, branch } = await currentBranch();
  const key = keyOf({ kind: "branch", id: branch });
  const { implementer: _, ...cast } = castOf(values);
  const { base, policy, json, trust } = values;
  const overrides = { ...(base === undefined ? {} : { base }), ...(policy === undefined ? {} : { policy }) };
  const result = await runHere({
    command: "loop",
    root,
    limit: 1,
    only: [key],
    cast,
    overrides,
    json,
    trust,
    hint: null,
  });
  const state = result.settled.get(key);
  return state === undefined ? 1 : exitCode(state);
}

/** The project here and the branch that is checked out in this very folder. */
async function currentBranch(): Promise<{ root: string; branch: string }> {
  const { openRepo } = await import("@anneal/engine");
  const here = await openRepo(process.cwd());
  const branch = await here.branchName();
  if (branch === null)
    throw new UsageError("no branch is checked out here: use git switch BRANCH, or git switch -c BRANCH for a new one");
  if ((await here.headCommit()) === null)
    throw new UsageError(`there is no commit on ${branch} yet, so there is nothing to review: make a first commit`);
  const { root } = await projectAt(process.cwd());
  return { root, branch };
}

function exitCode(state: LoopState): number {
  const { verdict, head } = state;
  if (verdict === null || verdict.head !== head) return 3;
  // Nothing blocks, but what the policy wants judged nobody has judged: the same as for one review.
  if (state.stage === "waiting-for-human" && state.reason === "requirements-not-judged") return 3;
  return verdict.verdict.result === "pass" ? 0 : 1;
}

export const command = { help, run };
