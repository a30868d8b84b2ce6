import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { builtinFixer, initRepo, policyNamed, type Repo, reviewerNamed, systemClock } from "@anneal/engine";
import { branchWork, drive, LoopEngine, memoryBlobs, memoryLog, projectChecks } from "@anneal/engine/loop";
import type { LoopEvent, LoopState } from "@anneal/types";
import { interruptible } from "../interruptible.ts";
import { painter } from "../style.ts";
import { narrator } from "./narrator.ts";
import { emptyFolder, FEATURE, lay, MAIN } from "./project.ts";

const help = `anneal demo: watch a whole loop on a small project with real flaws

  anneal demo           make the project in a temporary folder, run the loop, clean up
  anneal demo --keep    leave the project on disk and say where

The loop is real: the embedded reviewer and fixer, real git commits, the project's real tests. Only the project is made up.
Exit code: 0 when the loop converged, 1 when it did not.
`;

const IDENTITY = { name: "Anneal demo", email: "demo@anneal.invalid" };

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { keep: { type: "boolean", default: false } } });
  const root = emptyFolder();
  const say = narrator(painter(process.stdout), (text) => process.stdout.write(`${text}\n`));
  try {
    const state = await interruptible(async (signal) => {
      const repo = await makeProject(root);
      say.opening(root);
      return await loop(repo, say, signal);
    });
    say.closing(state, values.keep ? root : null);
    return state.stage === "ended" && state.outcome === "passed" ? 0 : 1;
  } finally {
    if (!values.keep) rmSync(root, { recursive: true, force: true });
  }
}

async function makeProject(root: string): Promise<Repo> {
  const repo = await initRepo(root, IDENTITY);
  lay(root, MAIN);
  await repo.commitAll("feat: a cart with a total");
  await repo.switchToNew("add-discounts");
  lay(root, FEATURE);
  await repo.commitAll("feat: add discounts");
  return repo;
}

async function loop(repo: Repo, say: ReturnType<typeof narrator>, signal: AbortSignal): Promise<LoopState> {
  const policy = await policyNamed("adversarial");
  const workItem = { title: "Add discounts", description: "A cart can be discounted by a percentage." };
  const reviewer = await reviewerNamed("builtin", { policy, repo, brief: { workItem, round: 1, earlierFindings: [] } });
  const fixer = await builtinFixer();
  const onEvent = (event: LoopEvent, _before: LoopState | null, after: LoopState) => say.step(event, after);
  const engine = new LoopEngine({ policy, log: memoryLog(), clock: systemClock, shutdown: signal, onEvent });
  const state = engine.begin({
    type: "loop-started",
    at: systemClock.now(),
    loopId: "demo",
    item: { kind: "branch", id: "add-discounts" },
    policy,
    because: "the default for a branch",
    agents: { reviewer: reviewer.name, fixer: fixer.name },
    promptsHash: "none",
    base: await repo.resolve("main"),
    head: await repo.resolve("HEAD"),
    needsApproval: false,
    steps: [],
  });
  const work = branchWork({
    policy,
    repo,
    branch: "add-discounts",
    workItem,
    players: { reviewer: () => reviewer, fixer },
    checks: projectChecks(repo, { testCommand: [process.execPath, "--test"] }),
    blobs: memoryBlobs(),
    clock: systemClock,
  });
  return await drive(engine, state, work);
}

export const command = { help, run };
