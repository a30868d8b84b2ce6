export { systemClock } from "@anneal/adapters/clock";
export { initRepo, openRepo, type Repo } from "@anneal/adapters/git";

import type { Agent, Fixer, Reviewer } from "@anneal/adapters";
import type { Repo } from "@anneal/adapters/git";
import { POLICIES } from "@anneal/core";
import type { Policy } from "@anneal/types";
import type { ReviewBrief } from "./agent-reviewer.ts";
import { UsageError } from "./errors.ts";
import type { Players } from "./loop-work.ts";

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
      const { loadScript, scriptedAgent } = await import("@anneal/adapters/scripted");
      return await reviewerOf(scriptedAgent(await usable(loadScript(file))), context);
    },
  },
  replay: {
    about: "plays back a recorded run: replay:FILE",
    make: async (argument, context) => {
      if (!argument) throw new UsageError("replay needs a cassette: --reviewer replay:FILE");
      const { loadCassette, replayAgent } = await import("@anneal/adapters/replay");
      await usable(loadCassette(argument));
      return await reviewerOf(replayAgent(argument), context);
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
  if (name === "builtin" && context.policy.pass.scorecard !== undefined) {
    throw new UsageError(
      `the builtin reviewer gives no scores, so it cannot work under the policy ${context.policy.name}; choose another --policy or --reviewer`,
    );
  }
  return await entry.make(colon < 0 ? undefined : named.slice(colon + 1), context);
}

/** The agents that play parts in loops; reviewers that are no agents are in REVIEWERS. */
async function agentNamed(named: string): Promise<Agent> {
  const [name = "", ...rest] = named.split(":");
  const argument = rest.join(":");
  if (name === "scripted" && argument !== "") {
    const { loadScript, scriptedAgent } = await import("@anneal/adapters/scripted");
    return scriptedAgent(await usable(loadScript(argument)));
  }
  if (name === "replay" && argument !== "") {
    const { loadCassette, replayAgent } = await import("@anneal/adapters/replay");
    await usable(loadCassette(argument));
    return replayAgent(argument);
  }
  throw new UsageError(`unknown agent "${named}"; known: scripted:FILE, replay:FILE`);
}

/** Who plays which part, by name; `{id}` stands for the work item's id. */
export interface Cast {
  implementer: string;
  reviewer: string;
  fixer: string;
}

/** Makes the players of one loop. */
export async function playersOf(
  cast: Cast,
  { id, policy, repo, model }: { id: string; policy: Policy; repo: Repo; model?: string },
): Promise<Players> {
  const nameOf = (part: keyof Cast) => cast[part].replaceAll("{id}", id);
  const [{ agentImplementer }, { agentFixer }] = await Promise.all([
    import("./agent-implementer.ts"),
    import("./agent-fixer.ts"),
  ]);
  const fixer =
    nameOf("fixer") === "builtin" ? await builtinFixer() : agentFixer(await agentNamed(nameOf("fixer")), model);
  return {
    implementer: agentImplementer(await agentNamed(nameOf("implementer")), model),
    reviewer: await reviewerOfRounds(nameOf("reviewer"), policy, repo),
    fixer,
  };
}

async function reviewerOfRounds(named: string, policy: Policy, repo: Repo): Promise<Players["reviewer"]> {
  if (named === "builtin") {
    const brief = { workItem: { title: "", description: "" }, round: 1, earlierFindings: [] };
    const builtin = await reviewerNamed(named, { policy, repo, brief });
    return () => builtin;
  }
  const agent = await agentNamed(named);
  const { agentReviewer } = await import("./agent-reviewer.ts");
  return (round) => agentReviewer(agent, policy, repo, round);
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
  const { agentReviewer } = await import("./agent-reviewer.ts");
  return agentReviewer(agent, policy, repo, brief);
}

/** A script or cassette that cannot be read is the user's to mend. */
async function usable<T>(loading: T | Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
