import { createHash } from "node:crypto";
import type { Clock } from "@anneal/adapters";
import { type FeatureStore, loadProjectContext } from "@anneal/adapters/features";
import type { LoadedSettings } from "@anneal/adapters/files";
import { GitError, type Repo } from "@anneal/git";
import { carryAnswers } from "@anneal/git/read/settings/known-settings";
import { DEFAULT_PROMPTS } from "@anneal/prompts";
import type { BoundChecks, ItemRef, Policy, ProjectSettings } from "@anneal/types";
import type { Workspaces } from "@anneal/workspace";
import { type Cast, checkCast, type MissingReviewer, playersOf } from "../assemble.ts";
import type { AgentTerms } from "../cast/fitted.ts";
import { refuseForeignNames } from "../cast/foreign-names.ts";
import { resolveModelString } from "../cast/model-provider.ts";
import { providersOf } from "../cast/providers/limits.ts";
import { agentTermsOf } from "../cast/settings.ts";
import { refuseCommands, refuseSetup } from "../consent/consent.ts";
import type { NamedCommand } from "../consent/programs.ts";
import { settingsCommands } from "../consent/programs-here.ts";
import { LastingError, UsageError } from "../errors/errors.ts";
import { keyOf, treesRefOf } from "../history/item-key.ts";
import type { ProjectStore } from "../history/store-log.ts";
import type { BlobStore } from "../log/index.ts";
import type { SecretMask } from "../log/secret-mask.ts";
import { refuseDamaged } from "../repository/settings-damage.ts";
import { refuseTestCommand } from "../repository/test-command.ts";
import { type Judged, type JudgingSettings, judgingSettings } from "../review/judging-settings.ts";
import type { ReviewCopies } from "../review/review-copies.ts";
import type { ChangeNames } from "../review/squashed-copies.ts";
import type { LoopWorkArgs } from "../work/loop-work.ts";
import { movedMeanwhile } from "../work/moved-since.ts";
import { projectChecks } from "../work/project-checks.ts";
import { changedSince, checkedBy, checksFor } from "./bound-checks.ts";
import { castFor, castOfSettings, insteadOf, ownCast } from "./cast.ts";
import type { PrepareRequest } from "./kind.ts";
import { type PolicyChoice, policyOf } from "./policy-of.ts";

/** What the kinds of work items share: the project that they are in. */
export interface ProjectParts {
  /** The main work tree. */
  repo: Repo;
  features: FeatureStore;
  store: ProjectStore;
  blobs: BlobStore;
  /** Takes out what nobody may read. */
  mask?: Pick<SecretMask, "text">;
  /** Where loops work. */
  workspaces: Workspaces;
  /** Where reviewers read. */
  trees: ReviewCopies;
  clock: Clock;
  /** Tells the person at the machine something about an item that no event holds. */
  tell?: (item: string, message: string) => void;
}

/** What a loop runs under, from the log where it goes on, else from this run's overrides, the item and the settings. */
export interface LoopTerms extends MissingReviewer {
  policy: Policy;
  because: string;
  cast: Cast;
  instead: NonNullable<LoopWorkArgs["instead"]>;
  agents: AgentTerms;
  settings: Pick<ProjectSettings, "worktree" | "defaultModel" | "testCommand" | "testTimeoutMs" | "providers">;
  checks: BoundChecks;
  /** What it runs of the repository's, by the settings and by the item's own files. */
  commands: readonly NamedCommand[];
  /** The settings as they are by now. */
  settingsNow(): Promise<JudgingSettings>;
}

export interface TermsArgs extends MissingReviewer {
  choice: PolicyChoice;
  /** Players that the item itself names. */
  cast?: Partial<Cast>;
  /** The item's own model. */
  model?: string | undefined;
  /** What the item runs in addition to what the settings name. */
  commands?: readonly NamedCommand[];
  /** The change by now, where it can stand in the main work tree, from which settings are read. */
  judged?: () => Promise<Judged>;
}

export async function termsOf(
  { repo, tell }: ProjectParts,
  { overrides, before }: PrepareRequest,
  item: ItemRef,
  { choice, cast: players = {}, missingReviewer, model, judged, commands: own = [] }: TermsArgs,
): Promise<LoopTerms> {
  const started = "started" in before ? before.started : undefined;
  const settingsNow = async () => await judgingSettings(repo, await judged?.());
  const loaded = await settingsNow();
  for (const note of loaded.notes) tell?.(keyOf(item), note);
  refuseDamaged(loaded, repo.root);
  const settings = settingsFor(loaded);
  const checks = checksFor(before, settings);
  // A loop that goes on is not turned away for good: its next checks say what is wrong, and how it is put right.
  const isSettled = "state" in before && before.state.checks !== undefined && checks.testCommand !== null;
  if (!isSettled) await refuseTestCommand({ kind: item.kind, root: repo.root, loaded, command: checks.testCommand });
  const changed = changedSince(checks, settings);
  if (changed !== null) tell?.(keyOf(item), changed);
  const named = overrides.policy === undefined ? choice : { name: overrides.policy, because: "this run names it" };
  const { policy, because } = started ?? (await policyOf(named, loaded.settings, repo.root));
  refuseForeignNames(loaded, {
    besides: { ...started?.agents, ...overrides.cast },
    policy: started === undefined ? policy : null,
    policyFile: overrides.policy === undefined && choice.name.endsWith(".json") ? choice.name : undefined,
  });
  const cast = castFor(overrides.cast ?? {}, started?.agents, { ...players, ...castOfSettings(loaded, repo.root) });
  const agents = agentTermsOf(loaded);
  const checking = checkCast(cast, {
    id: item.id,
    policy,
    missingReviewer,
    agents,
    model: resolveModelString(model, settings.defaultModel),
  });
  await ownCast(checking, { overrides, before }, item);
  const checked = checkedBy(checks, settings);
  const instead = insteadOf(started?.agents ?? { ...cast }, cast);
  const commands = [...settingsCommands(loaded, checked), ...own];
  return { policy, because, cast, instead, agents, settings: checked, checks, commands, missingReviewer, settingsNow };
}

/** What the settings say about the work of a loop: the project's word over the global one. */
export function settingsFor(loaded: LoadedSettings): LoopTerms["settings"] {
  const { global, project } = loaded;
  const worktree = { ...global.worktree, ...project.worktree };
  return { ...global, ...project, worktree, providers: providersOf(loaded) };
}

/** The part of a loop's first event that says who plays and by which words. */
export function bonds({ because, cast, checks }: LoopTerms): {
  checks: BoundChecks;
  because: string;
  agents: Record<string, string>;
  promptsHash: string;
} {
  const promptsHash = createHash("sha256").update(JSON.stringify(DEFAULT_PROMPTS)).digest("hex").slice(0, 16);
  return { because, agents: { ...cast }, promptsHash, checks };
}

/** The workspace of a loop. Fresh: just made for it, and nobody has worked there yet. Untouched: no loop has worked there yet. */
export type ItemWorkspace = Repo & { isFresh?: boolean; isUntouched?: boolean };

/** Makes a loop's workspace ready to work in, and gathers its players, checks and context. */
export async function equip(
  parts: ProjectParts,
  { policy, cast, instead, agents, settings, checks: bound, commands, missingReviewer, settingsNow }: LoopTerms,
  { item, repo, model, request, names, bounds: { base, head } }: EquipArgs,
): Promise<
  Pick<
    LoopWorkArgs,
    | "policy"
    | "repo"
    | "isFresh"
    | "main"
    | "tell"
    | "afterCommit"
    | "players"
    | "instead"
    | "checks"
    | "bound"
    | "context"
    | "blobs"
    | "clean"
    | "treesRef"
    | "extras"
    | "clock"
  >
> {
  const { repo: main, workspaces, blobs, trees, clock } = parts;
  await refuseCommands(main, commands, [base, head ?? base]);
  // Before anybody is paid for work that could not be committed.
  await main.author().catch((error: GitError) => {
    throw new UsageError(error.message, { cause: error });
  });
  carryAnswers(main, repo);
  const { setup = [], copy = [] } = settings.worktree ?? {};
  const isAgreed = repo.isUntouched === true && (head === null || head === base);
  await makeReady(repo, { setup, copy }, { main, signal: request.signal, sandbox: isAgreed ? "off" : "auto" });
  const chosen = resolveModelString(model, settings.defaultModel);
  const { providers } = settings;
  const { context } = await loadProjectContext(main.root);
  const { copiesFor } = await import("../review/squashed-copies.ts");
  const playing = playersOf(cast, {
    id: item.id,
    policy,
    trees: copiesFor(policy, trees, names),
    missingReviewer,
    agents,
    recorder: request.recorder,
    ...(providers === undefined ? {} : { providers }),
    ...(chosen === undefined ? {} : { model: chosen }),
  });
  return {
    policy,
    repo,
    isFresh: repo.isFresh === true && setup.length === 0 && copy.length === 0,
    players: await ownCast(playing, request, item),
    instead,
    checks: projectChecks(repo, settings, { main, workspaces }),
    bound,
    main,
    tell: (message) => parts.tell?.(keyOf(item), message),
    afterCommit: async ({ parent }, commit) => {
      if (parent !== null) await published(workspaces, repo, { branch: names.branch, from: parent, to: commit });
    },
    blobs,
    ...(parts.mask === undefined ? {} : { clean: parts.mask.text }),
    treesRef: treesRefOf(item),
    // Changed words hold for the next review already.
    extras: async () => ({ custom: (await settingsNow()).settings.promptCustomization }),
    clock,
    ...(context === undefined ? {} : { context }),
  };
}

/** Brings a commit to the user's branch, or says why it is not there. */
export async function published(
  workspaces: Workspaces,
  repo: Repo,
  move: Parameters<Workspaces["publish"]>[1],
): Promise<void> {
  await workspaces.publish(repo, move).catch((error: unknown) => {
    if (!(error instanceof GitError && error.kind === "moved")) throw error;
    throw new LastingError(movedMeanwhile(move.branch, move.from, error.moved?.found ?? null), { cause: error });
  });
}

export interface EquipArgs {
  item: ItemRef;
  /** The loop's own workspace. */
  repo: ItemWorkspace;
  model?: string | undefined;
  request: PrepareRequest;
  /** By which a fresh reviewer knows the change. */
  names: ChangeNames;
  /** What the loop begins with: what it runs has the content of these. */
  bounds: { base: string; head: string | null };
}

/**
 * Copies files into a workspace and runs the project's set-up commands there, as the settings say, and as a person has agreed: out of
 * the sandbox only with the files that loops begin with, since set-up runs more of them than its lines name.
 */
export async function makeReady(
  repo: Repo,
  { setup = [], copy = [] }: NonNullable<ProjectSettings["worktree"]>,
  { main, signal, sandbox = "auto" }: { main: Repo; signal: AbortSignal; sandbox?: "auto" | "off" },
): Promise<void> {
  if (setup.length === 0 && copy.length === 0) return;
  const { CommandSyntaxError, OutsideJail, runSetup } = await import("@anneal/adapters/checks");
  const done = await runSetup(repo, { setup, copy, signal, sandbox, first: refuseSetup(main, setup) }).catch(
    (error: unknown) => {
      if (!(error instanceof CommandSyntaxError || error instanceof OutsideJail)) throw error;
      throw new UsageError(`"worktree" in the settings is not valid: ${error.message}`, { cause: error });
    },
  );
  if (done.result !== "failed") return;
  const last = done.output.trim().split("\n").at(-1) ?? "";
  throw new UsageError(`the set-up of the workspace failed at ${done.failed}${last === "" ? "" : `: ${last}`}`);
}

/** The item's loop from which a new one must differ. */
export function loopIdOf(item: ItemRef, earlierLoops: number): string {
  return `${keyOf(item)}~${earlierLoops + 1}`;
}
