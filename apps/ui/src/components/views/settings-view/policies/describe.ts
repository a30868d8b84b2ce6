import type { Policy } from "@anneal/types";
import { counted, money } from "../../../ui/numbers.ts";

type Exit = Policy["exits"]["passed"];

export interface Facet {
  name: string;
  about: (policy: Policy) => string;
}

const PLURALS: Record<Policy["workItem"], string> = {
  feature: "features",
  ticket: "tickets",
  story: "stories",
  unit: "units",
};

/** What a policy does, a line for each question that people ask of it. */
export const FACETS: readonly Facet[] = [
  { name: "Work", about: ({ workItem }) => PLURALS[workItem] },
  { name: "Reviews at most", about: reviews },
  { name: "Fixes at most", about: ({ limits }) => `${limits.fixes} per cycle` },
  { name: "Passes when", about: passes },
  {
    name: "Earlier findings",
    about: ({ pass }) =>
      pass.earlierFindings === "carried" ? "keep blocking until ruled on" : "ignored: each review is fresh",
  },
  { name: "Reviewer sees", about: ({ reviewer }) => words(reviewer.sees) },
  { name: "Fixer gets", about: ({ fixer }) => words(fixer.gets) },
  { name: "When it passes", about: ({ exits }) => exit(exits.passed) },
  { name: "Rounds run out", about: ({ exits }) => exit(exits.roundsRunOut) },
  {
    name: "A review fails",
    about: ({ limits, exits }) =>
      `${limits.retries === 0 ? "no retry" : `${limits.retries} retries`}, then ${exit(exits.broke)}`,
  },
  {
    name: "Checks fail",
    about: ({ limits, exits }) => `${limits.repairs} repairs, then ${exit(exits.validationFailed)}`,
  },
  { name: "At a limit", about: ({ exits }) => exit(exits.capped) },
  { name: "Pushes", about: ({ push }) => (push === "never" ? "never" : "when the pull request opens") },
  {
    name: "Review can be skipped",
    about: ({ skip }) => (skip === "refused" ? "no" : "yes: opens a draft marked NOT REVIEWED"),
  },
  { name: "Limits", about: caps },
];

function reviews({ limits: { reviews, hardReviews } }: Policy): string {
  return hardReviews === undefined ? `${reviews} per cycle` : `${reviews}, or ${hardReviews} if a person allows more`;
}

function passes({ pass }: Policy): string {
  const parts = [
    pass.claim === "required" ? reviewerSays(pass) : "",
    pass.blocksAt === "info" ? "no finding at all" : `no finding of ${pass.blocksAt} or worse`,
    pass.requirements === "judged" ? "requirements judged" : "",
    ...scores(pass.scorecard),
  ];
  return parts.filter((part) => part !== "").join("; ");
}

function reviewerSays({ mildRejection }: Policy["pass"]): string {
  return mildRejection === "passes"
    ? "the reviewer approves, or rejects only for milder findings"
    : "the reviewer approves";
}

function scores(rule: Policy["pass"]["scorecard"]): string[] {
  if (rule === undefined) return [];
  const needed = Object.entries(rule.dimensions).flatMap(([name, { atLeast }]) =>
    atLeast === undefined ? [] : [`${plain(name)} ≥ ${atLeast}`],
  );
  return [...needed, `overall ≥ ${rule.overallAtLeast}`];
}

export function exit(to: Exit): string {
  switch (to.to) {
    case "ended":
      return `ends as ${to.outcome}`;
    case "waiting-for-human":
      return `asks a person: ${words(to.options)}`;
    case "opening-pr":
      return "opens a pull request";
    case "merging":
      return "merges";
  }
}

function caps({ caps: { wallMs, tokens, costUsd } }: Policy): string {
  const parts = [
    wallMs === undefined ? "" : counted(Math.round(wallMs / 60_000), "minute"),
    tokens === undefined ? "" : counted(tokens, "token"),
    costUsd === undefined ? "" : money(costUsd),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "none" : parts.join(", ");
}

function words(names: readonly string[]): string {
  return names.map(plain).join(", ");
}

function plain(name: string): string {
  return name.replaceAll(/[-_]/g, " ");
}
