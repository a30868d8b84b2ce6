import { resolve } from "node:path";
import type { Settings } from "@anneal/adapters/files";
import { pullRequestWith, readSeverity, tighter } from "@anneal/core";
import type { Policy } from "@anneal/types";
import { policyNamed } from "../assemble.ts";
import { UsageError } from "../errors/errors.ts";

/** Which policy was named and why, from the strongest word to the weakest. */
export interface PolicyChoice {
  name: string;
  because: string;
}

export const FEATURE_DEFAULT: PolicyChoice = { name: "gate", because: "the default for features" };

/** The policy that an item runs under: one of the user's own in the settings, one of the five, or a file. */
export async function policyOf(
  { name, because }: PolicyChoice,
  { policies, budgets, reviewLoop }: Shaping,
  root: string,
): Promise<{ policy: Policy; because: string }> {
  const own = policies.find((policy) => policy.name === name);
  const shaped = reviewLoop === undefined || !Object.hasOwn(SHAPED, name) ? undefined : SHAPED[name]?.(reviewLoop);
  const policy = own ?? shaped ?? (await named(name, policies, root));
  // A budget in the settings can only make a policy stricter.
  return { policy: { ...policy, caps: { ...policy.caps, ...tighter(policy.caps, budgets) } }, because };
}

type Shaping = Pick<Settings, "policies" | "budgets"> & Partial<Pick<Settings, "reviewLoop">>;

/** Those of the five whose numbers are a part of the settings, by name. */
const SHAPED: Record<string, (config: Settings["reviewLoop"]) => Policy> = {
  "pull-request": (config) => {
    const severityThreshold = readSeverity("pull-request", config.severityThreshold) ?? "medium";
    return pullRequestWith({ ...config, severityThreshold });
  },
};

async function named(name: string, own: readonly Policy[], root: string): Promise<Policy> {
  try {
    return await policyNamed(name.endsWith(".json") ? resolve(root, name) : name);
  } catch (error) {
    if (!(error instanceof UsageError) || own.length === 0) throw error;
    throw new UsageError(`${error.message}; in the settings: ${own.map((policy) => policy.name).join(", ")}`);
  }
}
