import type { LoadedSettings } from "@anneal/adapters/files";
import { DEFAULT_FORMULA } from "@anneal/core/analytics";
import { type ApiEffectiveSetting, GlobalSettings, ProjectSettings } from "@anneal/types";
import { isRecord } from "@anneal/types/unknown";
import { masked } from "./secrets.ts";

/** How deep the two files are merged, as the code that reads them does it; everything else goes over as a whole. */
const DEPTH: Record<string, number> = {
  reviewLoop: 1,
  agents: 1,
  agentSetup: 1,
  modelAgents: 1,
  modelContextTokens: 1,
  prices: 1,
  worktree: 1,
  pullRequests: 1,
  notifications: 2,
  analytics: 1,
  budgets: 1,
  "budgets.perDay": 1,
  providers: 2,
  promptCustomization: 1,
  "promptCustomization.codeReview": 1,
};

/** Each value that holds for a project, and where it comes from. Keys of other tools are theirs. */
export function effectiveSettings({ settings, project, global }: LoadedSettings): ApiEffectiveSetting[] {
  const { maxConcurrency, useWorktrees, reviewLoop } = settings;
  const levels = [
    { from: "default", values: { maxConcurrency, useWorktrees, reviewLoop, analytics: DEFAULT_FORMULA } },
    { from: "global", values: known(global, GlobalSettings.shape) },
    { from: "project", values: known(project, ProjectSettings.shape) },
  ] as const;
  const byPath = new Map<string, ApiEffectiveSetting>();
  for (const { from, values } of levels) {
    for (const [path, value] of leaves(values)) {
      const further = byPath.get(path)?.value;
      // A value that both say is the nearer one, but a project does not lift what the user allows.
      const isLifted = path.startsWith("budgets.") && typeof further === "number" && Number(value) > further;
      if (!isLifted) byPath.set(path, { path, value, from });
    }
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function known(values: Readonly<Record<string, unknown>>, shape: object): Record<string, unknown> {
  const { policies, version: _, ...rest } = values;
  const own = Object.fromEntries(Object.entries(rest).filter(([key]) => Object.hasOwn(shape, key)));
  return policies === undefined ? own : { ...own, policies };
}

function leaves(values: Record<string, unknown>): [string, unknown][] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (key === "policies" && Array.isArray(value)) return value.map((one) => named(one));
    return expanded(key, value, DEPTH[key] ?? 0, [key]);
  });
}

function named(policy: unknown): [string, unknown] {
  return [`policies.${isRecord(policy) ? String(policy.name) : ""}`, policy];
}

function expanded(path: string, value: unknown, depth: number, keys: readonly string[]): [string, unknown][] {
  if (value === undefined) return [];
  if (depth === 0 || !isRecord(value)) return [[path, masked(value, keys)]];
  return Object.entries(value).flatMap(([key, one]) => {
    const inner = `${path}.${key}`;
    return expanded(inner, one, DEPTH[inner] ?? depth - 1, [...keys, key]);
  });
}
