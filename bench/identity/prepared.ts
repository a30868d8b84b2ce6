import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openRepo } from "@anneal/git";
import type { FileMoves, Finding } from "@anneal/types";
import { withSnippets } from "../../libs/engine/src/review/snippets.ts";
import { git } from "../scratch.ts";
import { findingOf, type Scenario } from "./scenario.ts";

/** A scenario as the engine would hand it to core: findings with the code that stands there, and what became of the lines. */
export interface Prepared {
  scenario: Scenario;
  earlier: Finding[];
  later: Finding[];
  moves: FileMoves[];
  renames: Record<string, string>;
}

/** Each scenario is two commits in one repository, so that the product's own git tells what moved. */
export async function prepared(dir: string, scenarios: readonly Scenario[]): Promise<Prepared[]> {
  mkdirSync(dir, { recursive: true });
  git(dir, "init", "--quiet", "--initial-branch=main");
  const repo = await openRepo(dir);
  const all: Prepared[] = [];
  for (const scenario of scenarios) {
    const before = commit(dir, scenario.before);
    const after = commit(dir, scenario.after);
    const { moves, renames } = await repo.moves(before, after, () => true);
    const earlier = await withSnippets(scenario.earlier.map(findingOf), showing(scenario.before));
    const later = await withSnippets(scenario.later.map(findingOf), showing(scenario.after));
    all.push({ scenario, earlier, later, moves, renames });
  }
  return all;
}

function commit(dir: string, files: Record<string, string>): string {
  git(dir, "rm", "-r", "--quiet", "--force", "--ignore-unmatch", ".");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  git(dir, "add", "--all");
  git(dir, "commit", "--quiet", "--allow-empty", "--message", "state");
  return git(dir, "rev-parse", "HEAD").trim();
}

function showing(files: Record<string, string>) {
  return { blobOf: (file: string) => file, content: async (file: string) => files[file] ?? null };
}
