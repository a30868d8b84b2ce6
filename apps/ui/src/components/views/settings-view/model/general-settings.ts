import type { Setting } from "./setting.ts";

const MINUTES = 60_000;

export const RUNNING: readonly Setting[] = [
  {
    path: "maxConcurrency",
    label: "Loops at the same time",
    help: "More wait in line.",
    control: { kind: "number", min: 1, max: 64, isWhole: true, unit: "loops" },
    fallback: 3,
  },
  {
    path: "defaultModel",
    label: "Model",
    help: "Used by features that name none.",
    control: { kind: "text", example: "sonnet" },
  },
  {
    path: "useWorktrees",
    label: "Work in separate trees",
    help: "Each feature is built in a workspace of its own, so that your checkout stays as it is.",
    control: { kind: "switch" },
    fallback: true,
    only: "global",
  },
];

export const CHECKS: readonly Setting[] = [
  {
    path: "testCommand",
    label: "Test command",
    help: 'Run on every change before it is committed. A line of words, or a JSON list such as ["npm", "test"]. Empty: nothing is run.',
    control: { kind: "command" },
  },
  {
    path: "testTimeoutMs",
    label: "Stop the tests after",
    help: "Tests that take longer count as failed.",
    control: { kind: "number", min: 0.1, isWhole: false, unit: "minutes", per: MINUTES },
  },
  {
    path: "worktree.copy",
    label: "Files to copy into a new workspace",
    help: "Such as .env, one a line.",
    control: { kind: "lines", example: ".env" },
  },
  {
    path: "worktree.setup",
    label: "Commands that make a new workspace ready",
    help: "Run in order, one a line.",
    control: { kind: "lines", example: "npm ci" },
  },
];

export const CAST: readonly Setting[] = [
  {
    path: "agents.implementer",
    label: "Implementer",
    help: "Who writes the code: an agent, or agent:model.",
    control: { kind: "text", example: "claude" },
  },
  {
    path: "agents.reviewer",
    label: "Reviewer",
    help: "Who judges it; several joined by + review together, as in claude+codex.",
    control: { kind: "text", example: "codex" },
  },
  {
    path: "agents.fixer",
    label: "Fixer",
    help: "Who answers the findings.",
    control: { kind: "text", example: "claude" },
  },
];

const caps = (at: string, of: string): Setting[] => [
  {
    path: `${at}.costUsd`,
    label: `Cost of ${of}`,
    help: "At this sum it stops and asks you.",
    control: { kind: "number", min: 0.01, isWhole: false, unit: "US dollars" },
  },
  {
    path: `${at}.tokens`,
    label: `Tokens of ${of}`,
    help: "At this number it stops and asks you.",
    control: { kind: "number", min: 1, isWhole: true, unit: "tokens" },
  },
  {
    path: `${at}.wallMs`,
    label: `Time of ${of}`,
    help: "After so long it stops and asks you.",
    control: { kind: "number", min: 0.1, isWhole: false, unit: "minutes", per: MINUTES },
  },
];

export const BUDGETS: readonly Setting[] = [...caps("budgets", "one loop"), ...caps("budgets.perDay", "a day")];
