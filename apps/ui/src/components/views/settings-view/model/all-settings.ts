import { BUDGETS, CAST, CHECKS, RUNNING } from "./general-settings.ts";
import { PULL_REQUESTS, REVIEW_LOOP } from "./loop-settings.ts";
import { OTHER_CHANNELS, SLACK, WHEN } from "./notification-settings.ts";
import type { Control, Setting } from "./setting.ts";

export const POLICIES: Setting = {
  path: "policies",
  label: "Own policies",
  help: "A JSON list of policies.",
  control: { kind: "json" },
};

const OTHERS: readonly Setting[] = [
  POLICIES,
  ...["reviewSystemPrompt", "reviewPromptTemplate"].map((key) => ({
    path: promptPath(key),
    label: key === "reviewSystemPrompt" ? "System prompt" : "Review request",
    help: "",
    control: { kind: "prompt" as const },
  })),
  ...["minutesPerFinding", "minutesPerRound"].map((key) => ({
    path: `analytics.${key}`,
    label: key === "minutesPerFinding" ? "Minutes for a finding" : "Minutes for a review",
    help: "",
    control: { kind: "number" as const, min: 0, max: 10_000, isWhole: false, unit: "min" },
  })),
];

export function promptPath(key: string): string {
  return `promptCustomization.codeReview.${key}`;
}

const BY_PATH: ReadonlyMap<string, Setting> = new Map(
  [
    ...RUNNING,
    ...CHECKS,
    ...CAST,
    ...BUDGETS,
    ...REVIEW_LOOP,
    ...PULL_REQUESTS,
    ...WHEN,
    ...SLACK,
    ...OTHER_CHANNELS,
    ...OTHERS,
  ].map((one) => [one.path, one]),
);

export function controlAt(path: string): Control | null {
  return BY_PATH.get(path)?.control ?? null;
}

/** What a path is called on the page; the path itself where it is not on it. */
export function labelAt(path: string): string {
  return BY_PATH.get(path)?.label ?? path;
}
