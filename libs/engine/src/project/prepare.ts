import { createHash } from "node:crypto";
import type { Clock } from "@anneal/adapters";
import { type FeatureStore, loadProjectContext } from "@anneal/adapters/features";
import { type LoadedSettings, loadSettings } from "@anneal/adapters/files";
import type { Repo } from "@anneal/adapters/git";
import { DEFAULT_PROMPTS } from "@anneal/prompts";
import type { ItemRef, Policy, ProjectSettings } from "@anneal/types";
import { type Cast, checkCast, type MissingReviewer, playersOf } from "../assemble.ts";
import type { Blobs } from "../embedded/index.ts";
import { UsageError } from "../errors.ts";
import type { LoopWorkArgs } from "../loop-work.ts";
import { projectChecks } from "../project-checks.ts";
import { providersOf } from "../providers/limits.ts";
import type { ReviewPlace } from "../review-trees.ts";
import { castFor, castOfSettings } from "./cast.ts";
import { keyOf, treesRefOf } from "./item-key.ts";
import type { PrepareRequest } from "./kind.ts";
import { type Choice, policyOf } from "./policy-of.ts";
import type { ProjectStore } from "./store-log.ts";

/** What the kinds of work items share: the project that they are in. */
export interface ProjectParts {
  /** The main work tree. */
  repo: Repo;
  features: FeatureStore;
  store: ProjectStore;
  blobs: Blobs;
  /** Where reviewers read. */
  trees: ReviewPlace;
  clock: Clock;
}

/** What a loop runs under, from the log where it goes on, else from this run's wish, the item and the settings. */
export interface Terms extends MissingReviewer {
  policy: Policy;
  because: string;
  cast: Cast;
  settings: Pick<ProjectSettings, "worktree" | "defaultModel" | "testCommand" | "testTimeoutMs" | "providers">;
}

export async function termsOf(
  { repo }: ProjectParts,
  { wish, before }: PrepareRequest,
  { id }: ItemRef,
  { choice, cast: players = {}, missingReviewer }: { choice: Choice; cast?: Partial<Cast> } & MissingReviewer,
): Promise<Terms> {
  const started = "started" in before ? before.started : undefined;
  const loaded = await loadSettings(repo.root);
  // A cap or a test command that cannot be read would be none.
  const unreadable = loaded.problems.find((problem) => !HARMLESS.test(problem));
  if (unreadable !== undefined) throw new UsageError(`${unreadable}; nothing runs until that is mended`);
  await refuseBadCommand(settingsFor(loaded).testCommand);
  const named = wish.policy === undefined ? choice : { name: wish.policy, because: "this run names it" };
  const { policy, because } = started ?? (await policyOf(named, loaded.settings, repo.root));
  const cast = castFor(wish.cast ?? {}, started?.agents, { ...players, ...castOfSettings(loaded, repo.root) });
  await checkCast(cast, { id, policy, missingReviewer });
  return { policy, because, cast, settings: settingsFor(loaded), missingReviewer };
}

/** Settings that neither judge, nor spend, nor decide who plays. */
const HARMLESS = /: (maxConcurrency|useWorktrees|phaseModels|projects)\b/;

/** A command that cannot be run is told before anybody works for it. */
async function refuseBadCommand(command: string | string[] | undefined): Promise<void> {
  if (typeof command !== "string") return;
  const { splitArgv } = await import("@anneal/adapters/checks");
  try {
    splitArgv(command);
  } catch (error) {
    throw new UsageError(`testCommand in the settings: ${error instanceof Error ? error.message : error}`);
  }
}

/** What the settings say about the work of a loop: the project's word over the global one. */
export function settingsFor(loaded: LoadedSettings): Terms["settings"] {
  const { global, project } = loaded;
  const worktree = { ...global.worktree, ...project.worktree };
  return { ...global, ...project, worktree, providers: providersOf(loaded) };
}

/** The part of a loop's first event that says who plays and by which words. */
export function bonds({ because, cast }: Terms): {
  because: string;
  agents: Record<string, string>;
  promptsHash: string;
} {
  const promptsHash = createHash("sha256").update(JSON.stringify(DEFAULT_PROMPTS)).digest("hex").slice(0, 16);
  return { because, agents: { ...cast }, promptsHash };
}

/** Makes a loop's worktree ready to work in, and gathers its players, checks and context. */
export async function equip(
  { repo: main, blobs, trees, clock }: ProjectParts,
  { policy, cast, settings, missingReviewer }: Terms,
  { item, repo, base, model, request }: EquipArgs,
): Promise<
  Pick<LoopWorkArgs, "policy" | "repo" | "players" | "checks" | "context" | "blobs" | "treesRef" | "extras" | "clock">
> {
  await asTheLogSays(repo, request);
  await makeReady(repo, settings.worktree ?? {}, request.signal);
  const chosen = model ?? settings.defaultModel;
  const { providers } = settings;
  const { context } = await loadProjectContext(main.root);
  return {
    policy,
    repo,
    players: await playersOf(cast, {
      id: item.id,
      policy,
      repo,
      trees,
      missingReviewer,
      ...(providers === undefined ? {} : { providers }),
      ...(chosen === undefined ? {} : { model: chosen }),
    }),
    checks: projectChecks(repo, settings, { main, base }),
    blobs,
    treesRef: treesRefOf(item),
    // Changed words hold for the next review already.
    extras: async () => ({ custom: (await loadSettings(main.root)).settings.promptCustomization }),
    clock,
    ...(context === undefined ? {} : { context }),
  };
}

export interface EquipArgs {
  item: ItemRef;
  /** The loop's own worktree. */
  repo: Repo;
  base: string;
  model?: string | undefined;
  request: PrepareRequest;
}

/** Where a loop goes on after a crash, or was killed before it began, nothing of what was cut off may still run or lie about. */
async function asTheLogSays(repo: Repo, { before }: PrepareRequest): Promise<void> {
  const { endLeftovers } = await import("@anneal/adapters/sandbox");
  endLeftovers(repo.root);
  if (!("state" in before)) return;
  const { head, base, tree } = before.state;
  // A commit that is decided may be made already; carrying it out finds out by itself.
  if (before.state.stage === "committing" && before.state.plan !== null) return;
  await repo.restore({ head: head ?? base, tree });
}

/** Copies files into a fresh worktree and runs the project's set-up commands there, as the settings say. */
export async function makeReady(
  repo: Repo,
  { setup = [], copy = [] }: NonNullable<ProjectSettings["worktree"]>,
  signal: AbortSignal,
): Promise<void> {
  if (setup.length === 0 && copy.length === 0) return;
  const { runSetup } = await import("@anneal/adapters/checks");
  const done = await runSetup(repo, { setup, copy, signal });
  if (done.result !== "failed") return;
  const last = done.output.trim().split("\n").at(-1) ?? "";
  throw new UsageError(`the set-up of its worktree fails at ${done.failed}: ${last}`);
}

/** The item's loop from which a new one must be told apart. */
export function loopIdOf(item: ItemRef, earlierLoops: number): string {
  return `${keyOf(item)}~${earlierLoops + 1}`;
}
