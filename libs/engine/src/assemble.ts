export { initRepo, openRepo, type Repo } from "@anneal/git";
export { systemClock } from "@anneal/system/clock";
export { REVIEWERS } from "./cast/reviewers.ts";

import type { Agent, Fixer, Reviewer } from "@anneal/adapters";
import { POLICIES } from "@anneal/core";
import type { Repo } from "@anneal/git";
import { systemClock } from "@anneal/system/clock";
import type { Policy } from "@anneal/types";
import type { AgentTerms } from "./cast/fitted.ts";
import { agentNamed, type Part } from "./cast/named.ts";
import type { ProviderGates } from "./cast/providers/gate.ts";
import type { LimitedOptions } from "./cast/providers/limited.ts";
import { checkReviewer, type RoundReviewer, roundReviewer } from "./cast/reviewers.ts";
import { UsageError } from "./errors/errors.ts";
import { type Recorder, recordedAgent } from "./loop/recorder.ts";
import type { ReviewCopies } from "./review/review-copies.ts";
import type { ReviewBrief } from "./review/reviewers/index.ts";
import type { Players } from "./work/loop-work.ts";

/** Everything that a reviewer may need to know before it is made. */
export interface ReviewerContext extends ProviderTerms {
  policy: Policy;
  repo: Repo;
  brief: ReviewBrief;
  agents?: AgentTerms;
  model?: string;
  /** Patterns of paths that may go unread, asked for only where one would help; those of the agents' terms unless told. */
  waived?: () => Promise<readonly string[]>;
}

/** Makes the reviewer that a person named, for one review outside of loops. It reads in a tree of its own. */
export async function reviewerNamed(named: string, context: ReviewerContext): Promise<Reviewer> {
  const { policy, repo, brief, agents = {}, model, waived, ...terms } = context;
  const [{ temporaryCopies }, { copiesFor }] = await Promise.all([
    import("./review/review-copies.ts"),
    import("./review/squashed-copies.ts"),
  ]);
  // The embedded reviewer starts nobody who could look at them.
  if (named !== "builtin") await noteWorkspaces(repo);
  const { workItem, branch = "change", baseBranch } = brief;
  const place = copiesFor(policy, temporaryCopies(repo), { title: workItem.title, branch, baseBranch });
  const through = (agent: Agent) => limitedAgent(agent, terms);
  const reviewer = await roundReviewer(named, { policy, place, terms: agents, model, through, waived });
  return reviewer(brief);
}

/** From then on this process knows where the workspaces are, which no reader may see. */
async function noteWorkspaces(repo: Repo): Promise<void> {
  const [{ loadSettings }, { workspacesOf }] = await Promise.all([
    import("@anneal/adapters/files"),
    import("@anneal/workspace"),
  ]);
  const { global } = await loadSettings(repo.root);
  workspacesOf(repo, global.worktree?.home);
}

/** How agents may use their providers; without gates of its own a run shares those of the process. */
export interface ProviderTerms extends LimitedOptions {
  gates?: ProviderGates;
}

let sharedGates: ProviderGates | undefined;

/** Every agent that is made goes through here: all loops of the process share what a provider allows. */
export async function limitedAgent(agent: Agent, { gates, ...options }: ProviderTerms = {}): Promise<Agent> {
  const [{ providerGates }, { limited }] = await Promise.all([
    import("./cast/providers/gate.ts"),
    import("./cast/providers/limited.ts"),
  ]);
  sharedGates ??= providerGates({ clock: systemClock, random: Math.random });
  return limited(agent, gates ?? sharedGates, options);
}

/** Who plays which part, by name; `{id}` stands for the work item's id. */
export interface Cast {
  implementer: string;
  reviewer: string;
  fixer: string;
}

/** What a cast is made for. */
export interface CastArgs extends MissingReviewer {
  id: string;
  policy: Policy;
  agents?: AgentTerms | undefined;
  /** The work item's model. */
  model?: string | undefined;
}

/** Refuses a cast that cannot play: unknown agents, missing files, a reviewer that does not fit. Nothing outside changes. */
export async function checkCast(
  cast: Cast,
  { id, policy, missingReviewer, agents: terms = {}, model }: CastArgs,
): Promise<void> {
  const { implementer, reviewer, fixer } = namesOf(cast, id);
  if (implementer !== NOBODY) await agentNamed(implementer, "implementer", terms, model);
  if (missingReviewer !== "breaks") await checkReviewer(reviewer, { policy, terms, model });
  if (fixer !== "builtin") await agentNamed(fixer, "fixer", terms, model);
}

/** A reviewer that is not there is refused before anything starts, unless its review may break and the work goes on. */
export interface MissingReviewer {
  missingReviewer?: "refused" | "breaks" | undefined;
}

export interface PlayersArgs extends ProviderTerms, CastArgs {
  trees: ReviewCopies;
  /** Hears the agents while they work. */
  recorder?: Pick<Recorder, "hear"> | undefined;
}

/** Makes the players of one loop. */
export async function playersOf(
  cast: Cast,
  { id, policy, trees, model, missingReviewer, recorder, agents = {}, ...terms }: PlayersArgs,
): Promise<Players> {
  const { implementer, reviewer, fixer } = namesOf(cast, id);
  const through = async (agent: Agent) => {
    const held = await limitedAgent(agent, terms);
    return recorder === undefined ? held : recordedAgent(held, recorder);
  };
  const made = async (named: string, part: Part) => through(await agentNamed(named, part, agents, model));
  const [{ agentImplementer }, { agentFixer }] = await Promise.all([
    import("./work/agent-implementer.ts"),
    import("./work/agent-fixer.ts"),
  ]);
  const reviewerParts = { policy, place: trees, terms: agents, model, through };
  return {
    implementer: implementer === NOBODY ? nobody : agentImplementer(await made(implementer, "implementer"), model),
    reviewer: await roundReviewer(reviewer, reviewerParts).catch((error: unknown): RoundReviewer => {
      if (missingReviewer !== "breaks" || !(error instanceof UsageError)) throw error;
      return () => missing(reviewer, error);
    }),
    fixer: fixer === "builtin" ? await builtinFixer() : agentFixer(await made(fixer, "fixer"), model),
  };
}

function namesOf(cast: Cast, id: string): Cast {
  const named = (part: keyof Cast) => cast[part].replaceAll("{id}", id);
  return { implementer: named("implementer"), reviewer: named("reviewer"), fixer: named("fixer") };
}

/** Plays the implementer where a loop starts with its review. */
export const NOBODY = "nobody";

const nobody: Players["implementer"] = {
  name: NOBODY,
  implement: async () => {
    throw new Error("a loop on a branch starts with its review");
  },
};

/** Stands where a reviewer should be: its turn comes, and breaks. */
function missing(name: string, cause: UsageError): Reviewer {
  return {
    name,
    requirements: "not-judged",
    review: async () => {
      throw new Error(`the reviewer is missing: ${cause.message}`, { cause });
    },
  };
}

/** The policy that a person named: one of the five, or a JSON file with one of their own. */
export async function policyNamed(name: string): Promise<Policy> {
  if (Object.hasOwn(POLICIES, name)) return POLICIES[name as keyof typeof POLICIES];
  if (name.endsWith(".json")) return (await import("./loop/own-policy.ts")).ownPolicy(name);
  throw new UsageError(
    `unknown policy "${name}"; known: ${Object.keys(POLICIES).join(", ")}, or a .json file of your own`,
  );
}

export async function builtinFixer(): Promise<Fixer> {
  return (await import("@anneal/adapters/builtin/fixer")).builtinFixer;
}
