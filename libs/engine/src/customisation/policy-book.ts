import type { LoadedSettings } from "@anneal/adapters/files";
import { POLICIES } from "@anneal/core";
import type { ApiPolicies, ApiPolicy, Policy } from "@anneal/types";
import { policyOf } from "../items/policy-of.ts";

/** Every policy that an item can name, as loops would run under it now: caps and the review loop's settings included. */
export async function policyBook(loaded: LoadedSettings, root: string): Promise<ApiPolicies> {
  const { project, global, settings } = loaded;
  const named: { name: string; from: ApiPolicy["from"]; own: Policy[] }[] = [
    ...(project.policies ?? []).map((policy) => ({ name: policy.name, from: "project" as const, own: [policy] })),
    ...(global.policies ?? []).map((policy) => ({ name: policy.name, from: "global" as const, own: [policy] })),
    ...Object.keys(POLICIES).map((name) => ({ name, from: "built-in" as const, own: [] })),
  ];
  const policies = await Promise.all(
    named.map(async ({ name, from, own }, index) => ({
      name,
      from,
      shadowed: named.findIndex((other) => other.name === name) < index,
      policy: (await policyOf({ name, because: "" }, { ...settings, policies: own }, root)).policy,
    })),
  );
  return { policies, problems: loaded.problems.filter((problem) => /: policies\b/.test(problem)) };
}
