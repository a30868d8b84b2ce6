import { resolve } from "node:path";
import type { Settings } from "@anneal/adapters/files";
import type { Caps, Policy } from "@anneal/types";
import { policyNamed } from "../assemble.ts";
import { UsageError } from "../errors.ts";

const DEFAULT = "gate";

/** The policy that an item runs under: one of the user's own in the settings, one of the five, or a file. */
export async function policyOf(
  name: string | undefined,
  { policies, budgets }: Pick<Settings, "policies" | "budgets">,
  root: string,
): Promise<{ policy: Policy; because: string }> {
  const because = name === undefined ? "the default for features" : "the feature names it";
  const own = policies.find((policy) => policy.name === name);
  const policy = own ?? (await named(name ?? DEFAULT, policies, root));
  return { policy: { ...policy, caps: tighter(policy.caps, budgets) }, because };
}

async function named(name: string, own: readonly Policy[], root: string): Promise<Policy> {
  try {
    return await policyNamed(name.endsWith(".json") ? resolve(root, name) : name);
  } catch (error) {
    if (!(error instanceof UsageError) || own.length === 0) throw error;
    throw new UsageError(`${error.message}; in the settings: ${own.map((policy) => policy.name).join(", ")}`);
  }
}

/** Of two caps the smaller holds: a budget in the settings can only make a policy stricter. */
function tighter(caps: Caps, budgets: Caps): Caps {
  const both = { ...caps };
  for (const key of ["wallMs", "tokens", "costUsd"] as const) {
    const budget = budgets[key];
    if (budget !== undefined) both[key] = Math.min(caps[key] ?? budget, budget);
  }
  return both;
}
