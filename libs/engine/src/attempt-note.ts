import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BranchesThen, Repo } from "@anneal/adapters/git";
import { writeDurably } from "./embedded/durable-file.ts";

/** What an agent began with: on disk while it works, so that what it did to branches is undone also where we are killed meanwhile. */
export interface AttemptNote {
  /** Whose loop, as people name it. */
  item: string;
  /** The folder of refs where things are kept. */
  under: string;
  then: BranchesThen;
}

/** In git's own folder that all work trees share: it outlives the worktree. */
const FOLDER = "anneal/attempts";

export function noteAttempt(repo: Repo, note: AttemptNote): void {
  mkdirSync(join(repo.commonDir, FOLDER), { recursive: true });
  writeDurably(fileOf(repo, note.then.root), `${JSON.stringify(note)}\n`, { area: "attempt" });
}

export function forgetAttempt(repo: Repo, root: string): void {
  rmSync(fileOf(repo, root), { force: true });
}

/** The attempts that nobody saw the end of, or the one in a folder. */
export function leftAttempts(repo: Repo, root?: string): AttemptNote[] {
  const notes = filesIn(join(repo.commonDir, FOLDER)).flatMap(read);
  return root === undefined ? notes : notes.filter(({ then }) => then.root === root);
}

function fileOf({ commonDir }: Repo, root: string): string {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  return join(commonDir, FOLDER, `${name}.json`);
}

function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return names.map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function read(path: string): AttemptNote[] {
  try {
    const { item, under, then }: Partial<AttemptNote> = JSON.parse(readFileSync(path, "utf8"));
    const isWhole = typeof item === "string" && typeof under === "string" && typeof then?.root === "string";
    return isWhole ? [{ item, under, then }] : [];
  } catch {
    return [];
  }
}
