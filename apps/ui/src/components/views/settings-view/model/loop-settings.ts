import type { Setting } from "./setting.ts";

/** The review loop of pull requests, as seed 001 has it. */
export const REVIEW_LOOP: readonly Setting[] = [
  {
    path: "reviewLoop.enabled",
    label: "Pull-request loop",
    help: "On: a reviewed feature gets a pull request, which is followed until it is merged; this needs a forge. Off: features are reviewed, but no pull request is opened.",
    control: { kind: "switch" },
    fallback: true,
  },
  {
    path: "reviewLoop.maxIterations",
    label: "Maximum rounds",
    help: "Number of reviews before the loop stops fixing and opens the pull request with its open findings listed.",
    control: { kind: "number", min: 1, max: 50, isWhole: true, unit: "rounds" },
    fallback: 3,
  },
  {
    path: "reviewLoop.severityThreshold",
    label: "Blocking severity",
    help: "Findings of this severity or worse block the pull request; others are only listed.",
    control: {
      kind: "choice",
      options: [
        { value: "critical", label: "critical" },
        { value: "high", label: "high" },
        { value: "medium", label: "medium" },
        { value: "low", label: "low" },
        { value: "suggestion", label: "suggestion: everything blocks" },
      ],
    },
    fallback: "medium",
  },
  {
    path: "reviewLoop.selfReviewBeforePR",
    label: "Review before the pull request opens",
    help: "Off: the pull request opens at once as an unreviewed draft, and only a person can mark it ready.",
    control: { kind: "switch" },
    fallback: true,
  },
  {
    path: "reviewLoop.autoAddressReviewComments",
    label: "Answer review comments",
    help: "On: comments, reviews and failing checks of the pull request go to the fixer. Off: they wait for you.",
    control: { kind: "switch" },
    fallback: true,
  },
  {
    path: "reviewLoop.notifyOnReady",
    label: "Notify when a pull request is ready",
    help: "The message goes to each channel that is chosen below.",
    control: { kind: "switch" },
    fallback: true,
  },
  {
    path: "reviewLoop.notificationChannels",
    label: "Channels",
    help: "Slack and e-mail are set up in the Notifications tab; one that is not set up cannot be chosen.",
    control: {
      kind: "several",
      options: [
        { value: "github", label: "GitHub" },
        { value: "slack", label: "Slack" },
        { value: "email", label: "E-mail" },
      ],
    },
    fallback: ["github"],
  },
];

const MINUTES = 60_000;

export const PULL_REQUESTS: readonly Setting[] = [
  {
    path: "pullRequests.base",
    label: "Branch to merge into",
    help: "Empty: the project's default branch.",
    control: { kind: "text", example: "main" },
  },
  {
    path: "pullRequests.remote",
    label: "Remote to push to",
    help: "Nothing is pushed until you allow it once for this address.",
    control: { kind: "text", example: "origin" },
    fallback: "origin",
  },
  {
    path: "pullRequests.mergeMethod",
    label: "How to merge",
    help: "How an approved pull request is merged from this page.",
    control: {
      kind: "choice",
      options: [
        { value: "merge", label: "merge commit" },
        { value: "squash", label: "squash" },
        { value: "rebase", label: "rebase" },
      ],
    },
  },
  {
    path: "pullRequests.labels",
    label: "Labels",
    help: "Added to every pull request, one per line.",
    control: { kind: "lines", example: "agent-written" },
  },
  {
    path: "pullRequests.reviewers",
    label: "Reviewers",
    help: "Accounts to request reviews from, one per line.",
    control: { kind: "lines" },
  },
  {
    path: "pullRequests.allow",
    label: "Whose comments count, besides members",
    help: "Accounts, including bots, one per line. Comments of others never reach the fixer.",
    control: { kind: "lines" },
  },
  {
    path: "pullRequests.requiredChecks",
    label: "Checks to wait for",
    help: "Names of checks that must have run, one per line.",
    control: { kind: "lines" },
  },
  {
    path: "pullRequests.quietMs",
    label: "Quiet time",
    help: "A pull request counts as ready for human review after this time without activity.",
    control: { kind: "number", min: 0, max: 1_440, isWhole: false, unit: "minutes", per: MINUTES },
  },
  {
    path: "pullRequests.pollMs",
    label: "Poll the forge every",
    help: "How often to look for comments and checks.",
    control: { kind: "number", min: 1, max: 86_400, isWhole: false, unit: "seconds", per: 1_000 },
  },
];
