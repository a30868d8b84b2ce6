import type { AgentRequest, Clock, Fixer, Reviewer } from "@anneal/adapters";
import { type FixAccount, leftBy, openFindings, redTests, refusedByHook } from "@anneal/core";
import { GitError, type Recorded, type Repo } from "@anneal/git";
import type { ProjectContext, WorkItemText } from "@anneal/prompts";
import type { BoundChecks, CommitPlan, Finding, LoopState, PlayedBy, Policy, TestTotals, Usage } from "@anneal/types";
import { playedBy } from "../cast/providers/provider-of.ts";
import { AgentFailed, LastingError } from "../errors/errors.ts";
import type { StageWork } from "../loop/driver.ts";
import { withoutNonce } from "../review/nonce.ts";
import type { ReviewBrief } from "../review/reviewers/index.ts";
import { asNamed } from "./as-named.ts";
import { worstFirst } from "./findings-order.ts";
import { scopeOf } from "./fix-scope.ts";
import { accountOf } from "./fix-touches.ts";
import { gitDate } from "./git-date.ts";
import { fixerPrompt, implementerPrompt, type PromptSource, stepPrompt } from "./loop-prompts.ts";
import { reviewRound } from "./loop-review.ts";
import { lostTests } from "./lost-tests.ts";
import { movedSince, removedSince } from "./moved-since.ts";

/** Who plays the parts of a loop. */
export interface Players {
  implementer: Implementer;
  /** A reviewer for one round: its prompt depends on the rounds before. */
  reviewer(round: ReviewRound): Reviewer;
  fixer: Fixer;
}

export type ReviewRound = ReviewBrief & { turn: number };

/** What a reviewer gets beyond the item and the change; the policy decides what of it is shown. */
export type ReviewExtras = Pick<
  ReviewBrief,
  "custom" | "epicCoordination" | "validationResult" | "previousFeedback" | "branch" | "baseBranch" | "reviewedAt"
>;

/** The stages in which a change leaves the loop. */
export type Delivery = Pick<StageWork, "opening-pr" | "merging">;

/** Works on the item itself, or on a step of the custom pipeline. */
export interface Implementer {
  name: string;
  implement(
    request: { worktree: string; prompt: string; turn: number } & Pick<AgentRequest, "restore">,
    signal: AbortSignal,
  ): Promise<{ text: string; usage: Usage; by: PlayedBy }>;
}

/** The project's own checks on what stands in the worktree. */
export type RunChecks = (
  signal: AbortSignal,
  state: LoopState,
) => Promise<{
  result: "passed" | "failed" | "not-configured";
  findings: Finding[];
  tests?: TestsSeen;
}>;

/** What checks said of the tests they ran, where that could be read, and which of them failed before the change. */
interface TestsSeen {
  totals: TestTotals;
  preexisting: readonly string[];
}

/** For a project that has none. */
export const NO_CHECKS: RunChecks = async () => ({ result: "not-configured", findings: [] });

export interface LoopWorkArgs {
  policy: Policy;
  /** The loop's workspace. */
  repo: Repo;
  /** Whether the workspace was just made for this loop and holds nothing but the commit that it begins at. */
  isFresh?: boolean;
  /** The user's repository, which has what was published; where it is not given, the loop works there. */
  main?: Repo;
  branch: string;
  workItem: WorkItemText;
  context?: ProjectContext;
  /** Reviews that the item had before this loop. */
  earlierReviews?: PromptSource["earlierReviews"];
  /** What the epic asks of all its tickets, for whoever builds and mends one. */
  epicCoordination?: string;
  steps: Readonly<Record<string, { name: string; instructions: string }>>;
  players: Players;
  /** Names of those who play a part that the loop is bound to give to another. */
  instead?: { [P in keyof Players]?: string };
  checks: RunChecks;
  /** What those are, for a loop that is not bound to any yet. */
  bound?: BoundChecks;
  /** Words go in as text, and files as bytes, which stay as they are. */
  blobs: { put(content: string | Uint8Array): string; getText(hash: string): string };
  /** Takes out of a text what nobody may read: so the words of findings are kept. */
  clean?: (text: string) => string;
  commitMessage(state: LoopState, fix: FixAccount): string | Promise<string>;
  /** Read anew for every review. */
  extras?: (state: LoopState) => Promise<ReviewExtras>;
  /** Where changes are delivered to; without it nothing leaves the machine. */
  delivery?: Partial<Delivery>;
  /** Paths that are not the work's to change: whatever an agent does there is undone. */
  frozen?: readonly string[];
  /** Whether what a fixer said is worth checking anew, though it changed nothing. */
  answers?: (text: string) => boolean;
  /** Puts the reviews into the worktree as documents, for the commit that ends a loop; gives their paths. */
  documents?: (state: LoopState) => Promise<readonly string[]>;
  /** What has to follow a commit before it counts; repeated after a crash, with the same commit. */
  afterCommit?: (plan: CommitPlan, commit: string, state: LoopState) => Promise<void>;
  /** Tells the person at the machine something that no event holds. */
  tell?: (message: string) => void;
  /** The ref under which git keeps a tree that is recorded but not committed yet. */
  treesRef?: string;
  clock: Clock;
}

/** The work of a loop in its workspace. Every piece can be repeated: what a crash left behind is reset or recognised first. */
export function loopWork(args: LoopWorkArgs): StageWork {
  const { repo, clock, blobs, policy, players } = args;
  const at = () => clock.now();
  let isFresh = args.isFresh === true;
  const source: PromptSource = {
    policy,
    workItem: args.workItem,
    branch: args.branch,
    text: (blob) => blobs.getText(blob),
    earlierReviews: args.earlierReviews ?? [],
    ...(args.context === undefined ? {} : { context: args.context }),
    ...(args.epicCoordination === undefined ? {} : { epicCoordination: args.epicCoordination }),
  };
  const promptRef = (prompt: string) => ({ prompt: blobs.put(withoutNonce(prompt)) });

  return {
    implementing: async (state, signal, turn) => {
      if (!isFresh) await putBack(args, state);
      isFresh = false;
      const step = state.step === null ? undefined : args.steps[state.step];
      const prompt = step === undefined ? implementerPrompt(source, state.notes) : stepPrompt(source, step);
      const request = { worktree: repo.root, prompt, turn, restore: () => putBack(args, state) };
      const answer = await players.implementer.implement(request, signal);
      const { usage } = answer;
      const by = asNamed(answer.by, args.instead?.implementer);
      return { type: "implemented", at: at(), usage, ...(await left(args, state, answer)), by, ...promptRef(prompt) };
    },

    validating: async (state, signal) => {
      // Without checks nobody looks at the files until they are committed, and that makes sure of them itself.
      if (args.checks !== NO_CHECKS) {
        await repo.ensure(recorded(state));
      }
      const settles = state.checks === undefined && args.bound !== undefined ? { checks: args.bound } : {};
      const { tests: seen, ...checked } = await args.checks(signal, state);
      const tests = seen && named(seen, args.clean);
      if (checked.result === "failed" && tests !== undefined) {
        const red = redTests(tests.totals, tests.preexisting);
        return { type: "validated", at: at(), ...checked, tests: red, ...settles };
      }
      const lost = checked.result === "passed" ? await lostTests(repo, state, tests?.totals ?? null, signal) : [];
      const result = lost.length === 0 ? checked : { result: "failed" as const, findings: lost };
      return { type: "validated", at: at(), ...result, ...settles };
    },

    committing: async (state, signal) => {
      if (state.plan !== null) {
        const { commit: head } = await repo.carryOut(state.plan);
        await args.afterCommit?.(state.plan, head, state);
        const regions = await repo.touchedRegions(state.plan.parent ?? (await repo.emptyTree()), head);
        const scope = await scopeOf(repo, state, args.workItem, { head, headKind: "commit" });
        return { type: "committed", at: at(), head, regions, ...(scope === undefined ? {} : { scope }) };
      }
      const documents = state.of === "documents" ? await documentsIn(args, state) : null;
      const hooks = hookTerms(args, state);
      const request = {
        message: await args.commitMessage(state, await accountOf(repo, state, args.workItem)),
        date: gitDate(clock.now()),
        hooks,
        signal,
      };
      const prepared = await repo.prepareCommit(
        documents === null ? { ...request, recorded: recorded(state) } : request,
      );
      if (prepared === "nothing") return { type: "nothing-to-commit", at: at() };
      if ("refused" in prepared)
        return { type: "commit-refused", at: at(), findings: [refusedByHook(prepared.refused)] };
      if (documents !== null) await refuseOthers(repo, prepared, documents);
      return { type: "commit-prepared", at: at(), plan: prepared };
    },

    reviewing: async (state, signal, turn) => {
      const event = await reviewRound(args, state, signal, turn);
      await refuseMoved(args, state);
      return event;
    },

    fixing: async (state, signal, turn) => {
      await putBack(args, state);
      const findings = openFindings(state.findings).sort(worstFirst);
      const prompt = fixerPrompt(source, state);
      const request = { worktree: repo.root, findings, prompt, turn, restore: () => putBack(args, state) };
      const answer = await players.fixer.fix(request, signal);
      const { refutations, addressed, usage, text, model } = answer;
      const by = asNamed(playedBy(players.fixer.name, model), args.instead?.fixer);
      const answered = state.cause === "validation" && args.answers?.(text) === true;
      const after = await left(args, state, answer, answered);
      const said = addressed === undefined ? {} : { addressed };
      return { type: "fixed", at: at(), usage, ...after, by, refutations, ...said, ...promptRef(prompt) };
    },

    ...nowhere(args),
    ...args.delivery,
  };
}

/** Names of tests as the log keeps them, or none would be known again. */
function named({ totals, preexisting }: TestsSeen, clean: (name: string) => string = (name) => name): TestsSeen {
  const [passed, failed] = [totals.passed.map(clean), totals.failed.map(clean)];
  return { totals: { ...totals, passed, failed }, preexisting: preexisting.map(clean) };
}

/** A change that has nowhere to go ends where it stands. */
function nowhere({ clock, branch }: LoopWorkArgs): Delivery {
  const skip = async () => ({
    type: "delivery-skipped" as const,
    at: clock.now(),
    reason: `the result is on the branch ${branch}; nothing is pushed or merged`,
  });
  return { "opening-pr": skip, merging: skip };
}

/** What the log says that the worktree holds, whatever an agent or a crash left there. */
function recorded({ head, base, tree }: LoopState): Recorded {
  return { head: head ?? base, tree };
}

async function putBack({ repo }: LoopWorkArgs, state: LoopState): Promise<void> {
  await repo.restore(recorded(state));
}

async function documentsIn(args: LoopWorkArgs, state: LoopState): Promise<readonly string[]> {
  await putBack(args, state);
  return (await args.documents?.(state)) ?? [];
}

/** What an agent left in the worktree: a tree that outlives the files, and its words. Commits of its own are undone: we commit. */
async function left(
  { repo, blobs, treesRef, frozen = [] }: LoopWorkArgs,
  state: LoopState,
  { text, usage }: { text: string; usage: Usage },
  answered: boolean = false,
) {
  const head = state.head ?? state.base;
  let tree = await repo.worktreeTree({ since: head }).catch((error: unknown) => {
    if (!(error instanceof GitError && error.kind === "beyond-reach")) throw error;
    throw new AgentFailed(error.message, { usage, lasting: true });
  });
  for (const path of frozen) tree = await repo.treeWith(tree, { path, from: head });
  if (!(await repo.isAt(head))) await repo.resetTo(head, { kind: "commit" });
  const changed = answered || tree !== (state.tree ?? (await repo.treeOf(head)));
  if (changed && treesRef !== undefined) await repo.keepTree(treesRef, tree);
  return { changed, tree: changed ? tree : null, output: text === "" ? null : blobs.put(text) };
}

/** Hooks mostly run what checks run, and may take as long. */
function hookTerms({ bound }: LoopWorkArgs, { checks = bound }: LoopState) {
  return { timeoutMs: checks?.testTimeoutMs };
}

/** What was judged must stay what it was: hooks may shape the documents, and nothing else. */
async function refuseOthers(repo: Repo, { tree, parent }: CommitPlan, documents: readonly string[]): Promise<void> {
  const bounds = { base: parent ?? (await repo.emptyTree()), head: tree, headKind: "tree" } as const;
  for await (const { path } of repo.changedFiles(bounds)) {
    if (!documents.includes(path))
      throw new Error(`a commit hook changed ${path}, but only review documents may be committed here`);
  }
}

/** A verdict holds for one head: commits that somebody made meanwhile must not pass with it. */
async function refuseMoved(
  { repo, main = repo, branch }: LoopWorkArgs,
  state: Extract<LoopState, { stage: "reviewing" }>,
): Promise<void> {
  const { head } = state;
  const tip = await main.resolve(`refs/heads/${branch}`).catch((error: unknown) => {
    if (error instanceof GitError && error.kind === "unknown-ref") throw new LastingError(removedSince(branch, head));
    throw error;
  });
  if (tip === head || tip === leftBy(state)) return;
  throw new LastingError(movedSince(branch, head, tip));
}
