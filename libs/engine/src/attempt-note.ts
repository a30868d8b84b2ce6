import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { BranchesThen, Repo } from "@anneal/adapters/git";
import { writeDurably } from "./embedded/durable-file.ts";

/** What an agent began with: on disk while it works, so that what it did to refs is undone also where we are killed meanwhile. */
export interface AttemptNote {
  /** Whose loop, as people name it. */
  item: string;
  /** The folder of refs where things are kept. */
  under: string;
  /** The root of the project: several may share git's folder, and a copy of one brings the notes along. */
  project: string;
  /** The process whose agent it is. */
  owner: string;
  then: BranchesThen;
}

/** What a folder of notes holds. */
export interface LeftAttempts {
  notes: AttemptNote[];
  /** Files that were no whole note, by the paths to which they were put aside. */
  damaged: string[];
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

/** The attempts whose notes are there, or the one in a folder. */
export function leftAttempts(repo: Repo, root?: string): LeftAttempts {
  const left: LeftAttempts = { notes: [], damaged: [] };
  for (const path of root === undefined ? filesIn(join(repo.commonDir, FOLDER)) : [fileOf(repo, root)]) {
    const text = textOf(path);
    if (text === null) continue;
    const note = parsed(text);
    if (isNote(note)) left.notes.push(note);
    else left.damaged.push(putAside(path));
  }
  return left;
}

function fileOf({ commonDir }: Repo, root: string): string {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  return join(commonDir, FOLDER, `${name}.json`);
}

const NAME = /^[0-9a-f]{16}\.json$/;

function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => NAME.test(name));
    return names.map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Null where it is gone: another process has dealt with it. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A person may want to see what is left of it. */
function putAside(path: string): string {
  const aside = join(dirname(path), `damaged-${basename(path)}`);
  try {
    renameSync(path, aside);
    return aside;
  } catch {
    // Whoever cannot is told about it again.
    return path;
  }
}

/** All of it, by hand: a note that is half there would undo half, or what was never done. */
function isNote(value: unknown): value is AttemptNote {
  if (!isRecord(value) || !isRecord(value.then)) return false;
  const { item, under, project, owner } = value;
  const { root, agent, own, head, refs, logs, stash } = value.then;
  return (
    [item, project, owner, root, agent].every(isText) &&
    isText(under) &&
    KEPT.test(under) &&
    [own, head].every((one) => one === null || isText(one)) &&
    isRecord(refs) &&
    Object.entries(refs).every(([ref, id]) => ref.startsWith("refs/") && isId(id)) &&
    isRecord(logs) &&
    Object.values(logs).every((end) => isRecord(end) && typeof end.size === "number" && isText(end.digest)) &&
    Array.isArray(stash) &&
    stash.every((entry) => isRecord(entry) && isId(entry.commit) && isText(entry.why))
  );
}

const KEPT = /^refs\/anneal\/kept(\/|$)/;
const isText = (value: unknown): value is string => typeof value === "string";
const isId = (value: unknown) => isText(value) && /^[0-9a-f]{40,64}$/.test(value);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
