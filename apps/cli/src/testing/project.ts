import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { signOff } from "../../../../libs/core/src/read/testing/sign-off.ts";
import { makeRepo, type TestRepo } from "../../../../libs/git/src/testing/make-repo.ts";
import { anneal, type Run, type Running, start } from "./anneal.ts";
import { appearance } from "./stuck-git.ts";

export const APPROVED = `**[APPROVED]**\n\n### Issues Found\nNone\n\n### Summary\nDoes what was asked.\n\n${signOff()}\nEND OF REVIEW\n`;

export const REJECTED = `**[REJECTED]**

### Issues Found
- **[COMPLIANCE]** - error: Empty passwords are accepted
  - Description: the validator returns true for an empty string
  - File: auth.js
  - Line: 1
  - Suggestion: demand eight characters

### Summary
Empty passwords get in.

Demand at least eight characters.

END OF REVIEW
`;

export const approve = { role: "reviewer", answer: APPROVED, usage: { outputTokens: 10, costUsd: 0.25 } };
export const reject = { role: "reviewer", answer: REJECTED };

/** A rejection for another defect on the same line. */
export function rejects(title: string, description: string): typeof reject {
  const answer = REJECTED.replace("Empty passwords are accepted", title)
    .replace("the validator returns true for an empty string", description)
    .replace("Suggestion: demand eight characters", "Suggestion: change that");
  return { ...reject, answer };
}

/** An implementer or fixer that writes one file. */
export function writes(role: "implementer" | "fixer", content: string, path = "auth.js"): object {
  return { role, answer: `Wrote ${path}.`, edits: [{ path, content }] };
}

/** An agent that says by a file in its worktree that it is at work, and then waits for ever. */
export function hangs(role: string): object {
  return { role, edits: [{ path: "at-work", content: "" }], end: "hang" };
}

/** Settles when the hanging agent of a feature is at work. Call it before the run starts. */
export async function atWork(here: Project, id: string): Promise<void> {
  const home = dirname(here.worktree(id));
  mkdirSync(home, { recursive: true });
  // The whole workspace comes at once.
  await appearance(home, id);
  await appearance(here.worktree(id), "at-work");
}

export interface Project extends TestRepo {
  /** Runs `anneal ARGS…` in the project. */
  anneal(...args: string[]): Promise<Run>;
  start(...args: string[]): Running;
  /** What feature.json holds now. */
  feature(id: string): Record<string, never> & { status: string };
  filesOf(id: string): string[];
  /** Whole messages of the commits on a feature's branch, the first one first. */
  commits(id: string): string[];
  worktree(id: string): string;
}

/** A project whose features are played by scripts, one per feature. */
export function project(
  features: Record<string, { steps: object[] } & Record<string, unknown>>,
  { settings = {}, env = {} }: { settings?: object; env?: NodeJS.ProcessEnv } = {},
): Project {
  const repo = makeRepo({ "README.md": "hello\n", ".gitignore": ".automaker/\nat-work\n" });
  const at = (...parts: string[]) => join(repo.dir, ".automaker", ...parts);
  mkdirSync(at("scripts"), { recursive: true });
  for (const [id, { steps, ...rest }] of Object.entries(features)) {
    mkdirSync(at("features", id), { recursive: true });
    const feature = { id, title: `Add ${id}`, description: `Wants ${id}.`, status: "backlog", ...rest };
    writeFileSync(at("features", id, "feature.json"), `${JSON.stringify(feature, null, 2)}\n`);
    writeFileSync(at("scripts", `${id}.json`), JSON.stringify({ name: "scripted", model: "m-1", steps }));
  }
  const player = "scripted:.automaker/scripts/{id}.json";
  const agents = { implementer: player, reviewer: player, fixer: player };
  writeFileSync(at("settings.json"), JSON.stringify({ version: 1, agents, ...settings }));
  return {
    ...repo,
    anneal: (...args) => anneal(repo.dir, args, { USER: "ada", ...env }),
    start: (...args) => start(repo.dir, args, { USER: "ada", ...env }),
    feature: (id) => JSON.parse(readFileSync(at("features", id, "feature.json"), "utf8")),
    filesOf: (id) => readdirSync(at("features", id)).sort(),
    commits: (id) =>
      repo
        .git("log", "--reverse", "--format=%B%x00", `feature/${id}`, "--not", "main")
        .split("\0")
        .map((message) => message.trim())
        .filter(Boolean),
    worktree: (id) => join(`${repo.dir}.anneal`, id),
  };
}
