export { systemClock } from "@anneal/adapters/clock";
export { initRepo, openRepo, type Repo } from "@anneal/adapters/git";

import type { Agent, Fixer, Reviewer } from "@anneal/adapters";
import { systemClock } from "@anneal/adapters/clock";
import type { Repo } from "@anneal/adapters/git";
import { POLICIES } from "@anneal/core";
import type { Policy } from "@anneal/types";
import type { ReviewBrief } from "./agent-reviewer.ts";
import { UsageError } from "./errors.ts";
import type { Players } from "./loop-work.ts";
import type { ProviderGates } from "./providers/gate.ts";
import type { LimitedOptions } from "./providers/limited.ts";
import type { ReviewPlace } from "./review-trees.ts";

/** Everything that a reviewer may need to know before it is made. */
export interface ReviewerContext {
  policy: Policy;
  repo: Repo;
  brief: ReviewBrief;
}

interface ReviewerEntry {
  /** One line for help texts. */
  about: string;
  make(argument: string | undefined, context: ReviewerContext): Promise<Reviewer>;
}

/** The reviewers that `--reviewer` knows. Each loads what it needs when it is chosen. */
export const REVIEWERS: Record<string, ReviewerEntry> = {
  builtin: {
    about: "hygiene, security and test integrity on the changed lines; needs no key (default)",
    make: async (argument) => {
      if (argument !== undefined) throw new UsageError("builtin takes no argument: --reviewer builtin");
      return (await import("@anneal/adapters/builtin/reviewer")).builtinReviewer;
    },
  },
  scripted: {
    about: "plays the answers of a script file: scripted:FILE, or $ANNEAL_SCRIPT",
    make: async (argument, context) => {
      const file = argument || process.env.ANNEAL_SCRIPT;
      if (!file) throw new UsageError("scripted needs a script: --reviewer scripted:FILE, or set ANNEAL_SCRIPT");
      return await reviewerOf(await limitedAgent(await AGENTS.scripted(file)), context);
    },
  },
  replay: {
    about: "plays back a recorded run: replay:FILE",
    make: async (argument, context) => {
      if (!argument) throw new UsageError("replay needs a cassette: --reviewer replay:FILE");
      return await reviewerOf(await limitedAgent(await AGENTS.replay(argument)), context);
    },
  },
};

/** Makes the reviewer that a person named, as `name` or `name:argument`. */
export async function reviewerNamed(named: string, context: ReviewerContext): Promise<Reviewer> {
  const colon = named.indexOf(":");
  const name = colon < 0 ? named : named.slice(0, colon);
  const entry = Object.hasOwn(REVIEWERS, name) ? REVIEWERS[name] : undefined;
  if (entry === undefined)
    throw new UsageError(`unknown reviewer "${name}"; known: ${Object.keys(REVIEWERS).join(", ")}`);
  if (name === "builtin") refuseWithoutScores(context.policy);
  return await entry.make(colon < 0 ? undefined : named.slice(colon + 1), context);
}

function refuseWithoutScores({ name, pass }: Policy): void {
  if (pass.scorecard === undefined) return;
  throw new UsageError(
    `the builtin reviewer gives no scores, so it cannot work under the policy ${name}; choose another --policy or --reviewer`,
  );
}

/** The agents that play parts in loops, each named with a file; reviewers and fixers that are no agents are not here. */
const AGENTS = {
  scripted: async (file: string): Promise<Agent> => {
    const { loadScript, scriptedAgent } = await import("@anneal/adapters/scripted");
    return scriptedAgent(await usable(loadScript(file)));
  },
  replay: async (file: string): Promise<Agent> => {
    const { loadCassette, replayAgent } = await import("@anneal/adapters/replay");
    await usable(loadCassette(file));
    return replayAgent(file);
  },
} satisfies Record<string, (file: string) => Promise<Agent>>;

const isAgent = (name: string): name is keyof typeof AGENTS => Object.hasOwn(AGENTS, name);

/** Loads what the agent of a part needs; nothing outside changes. */
async function agentNamed(named: string, part: keyof Cast): Promise<Agent> {
  const [name = "", ...rest] = named.split(":");
  const file = rest.join(":");
  if (isAgent(name) && file !== "") return await AGENTS[name](file);
  if (isAgent(name)) throw new UsageError(`the ${part} ${name} needs a file: ${name}:FILE`);
  const known = [...(part === "implementer" ? [] : ["builtin"]), ...Object.keys(AGENTS).map((one) => `${one}:FILE`)];
  throw new UsageError(`unknown agent "${named}" for the ${part}; known: ${known.join(", ")}`);
}

/** How agents may use their providers; without gates of its own a run shares those of the process. */
export interface ProviderTerms extends LimitedOptions {
  gates?: ProviderGates;
}

let sharedGates: ProviderGates | undefined;

/** Every agent that is made goes through here: all loops of the process share what a provider allows. */
async function limitedAgent(agent: Agent, { gates, ...options }: ProviderTerms = {}): Promise<Agent> {
  const [{ providerGates }, { limited }] = await Promise.all([
    import("./providers/gate.ts"),
    import("./providers/limited.ts"),
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

/** Refuses a cast that cannot play: unknown agents, missing files, a reviewer that does not fit. Nothing outside changes. */
export async function checkCast(
  cast: Cast,
  { id, policy, missingReviewer }: { id: string; policy: Policy } & MissingReviewer,
): Promise<void> {
  const { implementer, reviewer, fixer } = namesOf(cast, id);
  if (implementer !== NOBODY) await agentNamed(implementer, "implementer");
  if (reviewer === "builtin") refuseWithoutScores(policy);
  else if (missingReviewer !== "breaks") await agentNamed(reviewer, "reviewer");
  if (fixer !== "builtin") await agentNamed(fixer, "fixer");
}

/** A reviewer that is not there is refused before anything starts, unless its review may break and the work goes on. */
export interface MissingReviewer {
  missingReviewer?: "refused" | "breaks" | undefined;
}

export interface PlayersArgs extends ProviderTerms, MissingReviewer {
  id: string;
  policy: Policy;
  repo: Repo;
  trees: ReviewPlace;
  model?: string;
}

/** Makes the players of one loop. */
export async function playersOf(
  cast: Cast,
  { id, policy, repo, trees, model, missingReviewer, ...terms }: PlayersArgs,
): Promise<Players> {
  const { implementer, reviewer, fixer } = namesOf(cast, id);
  const made = async (named: string, part: keyof Cast) => limitedAgent(await agentNamed(named, part), terms);
  const [{ agentImplementer }, { agentFixer }] = await Promise.all([
    import("./agent-implementer.ts"),
    import("./agent-fixer.ts"),
  ]);
  return {
    implementer: implementer === NOBODY ? nobody : agentImplementer(await made(implementer, "implementer"), model),
    reviewer: await reviewerOfRounds(reviewer, policy, { repo, trees, made, model }).catch((error: unknown) => {
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
    throw new Error("a loop over a branch starts with its review");
  },
};

async function reviewerOfRounds(
  named: string,
  policy: Policy,
  { repo, trees, made, model }: ReviewerParts,
): Promise<Players["reviewer"]> {
  if (named === "builtin") {
    const brief = { workItem: { title: "", description: "" }, round: 1, earlierFindings: [] };
    const builtin = await reviewerNamed(named, { policy, repo, brief });
    return () => builtin;
  }
  const agent = await made(named, "reviewer");
  const { agentReviewer } = await import("./agent-reviewer.ts");
  return (round) => agentReviewer(agent, policy, trees, { ...round, model });
}

interface ReviewerParts {
  repo: Repo;
  trees: ReviewPlace;
  made: (named: string, part: keyof Cast) => Promise<Agent>;
  model: string | undefined;
}

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
  if (name.endsWith(".json")) return (await import("./own-policy.ts")).ownPolicy(name);
  throw new UsageError(
    `unknown policy "${name}"; known: ${Object.keys(POLICIES).join(", ")}, or a .json file of your own`,
  );
}

export async function builtinFixer(): Promise<Fixer> {
  return (await import("@anneal/adapters/builtin/fixer")).builtinFixer;
}

async function reviewerOf(agent: Agent, { policy, repo, brief }: ReviewerContext): Promise<Reviewer> {
  const [{ agentReviewer }, { thisPlace }] = await Promise.all([
    import("./agent-reviewer.ts"),
    import("./review-trees.ts"),
  ]);
  return agentReviewer(agent, policy, thisPlace(repo), brief);
}

/** A script or cassette that cannot be read is the user's to mend. */
async function usable<T>(loading: T | Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
