import type { Setting } from "./setting.ts";

const MINUTES = 60_000;

export const RUNNING: readonly Setting[] = [
  {
    path: "maxConcurrency",
    label: "Concurrent loops",
    help: "Further loops wait for a free slot.",
    control: { kind: "number", min: 1, max: 64, isWhole: true, unit: "loops" },
    fallback: 3,
  },
  {
    path: "defaultModel",
    label: "Model",
    help: "For features without a model of their own.",
    control: { kind: "text", example: "sonnet" },
  },
  {
    path: "useWorktrees",
    label: "Work in separate workspaces",
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
    help: 'Run on every change before it is committed. A command line, or a JSON list such as ["npm", "test"]. Empty: no checks run.',
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
    help: "Such as .env, one per line.",
    control: { kind: "lines", example: ".env" },
  },
  {
    path: "worktree.setup",
    label: "Set-up commands for a new workspace",
    help: "Run in order, one per line.",
    control: { kind: "lines", example: "npm ci" },
  },
];

export const CAST: readonly Setting[] = [
  {
    path: "agents.implementer",
    label: "Implementer",
    help: "Writes the code: an agent, or agent:model.",
    control: { kind: "text", example: "claude" },
  },
  {
    path: "agents.reviewer",
    label: "Reviewer",
    help: "Reviews the code; join several with +, as in claude+codex.",
    control: { kind: "text", example: "codex" },
  },
  {
    path: "agents.fixer",
    label: "Fixer",
    help: "Fixes the findings.",
    control: { kind: "text", example: "claude" },
  },
];

const caps = (at: string, of: string): Setting[] => [
  {
    path: `${at}.costUsd`,
    label: `Cost of ${of}`,
    help: "At this amount the loop stops and asks you.",
    control: { kind: "number", min: 0.01, isWhole: false, unit: "US dollars" },
  },
  {
    path: `${at}.tokens`,
    label: `Tokens of ${of}`,
    help: "At this number the loop stops and asks you.",
    control: { kind: "number", min: 1, isWhole: true, unit: "tokens" },
  },
  {
    path: `${at}.wallMs`,
    label: `Time of ${of}`,
    help: "After this time the loop stops and asks you.",
    control: { kind: "number", min: 0.1, isWhole: false, unit: "minutes", per: MINUTES },
  },
];

export const BUDGETS: readonly Setting[] = [...caps("budgets", "one loop"), ...caps("budgets.perDay", "a day")];
