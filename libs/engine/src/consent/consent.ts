import { type LoadedSettings, loadSettings } from "@anneal/adapters/files";
import type { Repo } from "@anneal/git";
import type { NamedProgram, RepositoryConsent } from "@anneal/types";
import { NeedsConsent } from "../errors/errors.ts";
import { SETTINGS_FILE } from "../review/judging-settings.ts";
import type { ReadFiles } from "./files-named.ts";
import { hookPrograms } from "./hook-programs.ts";
import { programText, SHORT } from "./named-program.ts";
import { inCommit, lineOf, type NamedCommand, onDisk, programOf } from "./programs.ts";
import { ask, consentFor } from "./store.ts";

/** By which automation agrees: hashes, or `all`. It comes from whoever starts us, never from a file of the repository. */
export const TRUST_VARIABLE = "ANNEAL_TRUST";

/** How a program stands with the person whose machine this is. */
export type ConsentState = "agreed" | "changed" | "new";

/** Knows of each program whether it may run. */
export async function consentStates(repo: Repo): Promise<(program: NamedProgram) => ConsentState> {
  const [said, { global }] = await Promise.all([consentFor(repo), loadSettings(repo.root)]);
  const given = (process.env[TRUST_VARIABLE] ?? "").split(",").map((word) => word.trim());
  const own = ownLines(global);
  return (program) => {
    // The user's own words; what they name in the tree is the repository's all the same.
    if (program.files.length === 0 && own.has(program.command)) return "agreed";
    if (given.some((word) => word === "all" || isHash(word, program))) return "agreed";
    return consentStateOf(program, said);
  };
}

function consentStateOf({ hash, use, command }: NamedProgram, { agreed }: RepositoryConsent): ConsentState {
  if (agreed.some((one) => one.hash === hash)) return "agreed";
  return agreed.some((one) => one.use === use && one.command === command) ? "changed" : "new";
}

function isHash(word: string, { hash }: NamedProgram): boolean {
  return word.length >= SHORT && hash.startsWith(word);
}

function ownLines({ testCommand, worktree }: LoadedSettings["global"]): Set<string> {
  return new Set([...(testCommand === undefined ? [] : [lineOf(testCommand)]), ...(worktree?.setup ?? [])]);
}

/** The same for what a loop runs in the trees that it begins with, hooks included. */
export async function refuseCommands(
  repo: Repo,
  commands: readonly NamedCommand[],
  commits: readonly string[],
): Promise<void> {
  for (const commit of new Set(commits)) {
    const read = inCommit(repo, commit);
    const named = await Promise.all(commands.map((command) => programOf(command, read)));
    await refuseUnagreed(repo, [...named, ...(await hookPrograms(repo, read))], commit);
  }
}

/** The same for set-up, right before it runs: what a loop made of its files counts as well. */
export function refuseSetup(repo: Repo, lines: readonly string[]): (worktree: Repo) => Promise<void> {
  return async (worktree) => {
    const { root } = worktree;
    const read = await changedOf(worktree);
    const named = lines.map((command) => programOf({ use: "set-up", place: SETTINGS_FILE, command }, read));
    await refuseUnagreed(repo, await Promise.all(named), root);
  };
}

/** Reads as the disk has them the files that the last commit holds; what set-up makes is none of them. */
async function changedOf(worktree: Repo): Promise<ReadFiles> {
  const head = await worktree.headCommit();
  const [here, committed] = [onDisk(worktree.root), head === null ? null : inCommit(worktree, head)];
  return async (paths) => {
    const [now, before] = [await here(paths), await committed?.(paths)];
    return now.map((content, at) => (before?.[at] == null ? null : content));
  };
}

/**
 * Lets nothing begin that needs programs of the repository which nobody has agreed to, and remembers them for `anneal trust`.
 * `at` is the commit or the folder whose content they have.
 */
export async function refuseUnagreed(repo: Repo, programs: readonly NamedProgram[], at: string): Promise<void> {
  if (programs.length === 0) return;
  const standing = await consentStates(repo);
  const missing = programs.filter((program) => standing(program) !== "agreed");
  if (missing.length === 0) return;
  const changed = missing.some((program) => standing(program) === "changed");
  // Whoever may not write there gets the same message.
  await ask(
    repo,
    missing.map((program) => ({ ...program, at })),
  ).catch(() => {});
  throw new NeedsConsent(messageOf(missing, changed), missing);
}

const NAMED_AT_MOST = 3;

function messageOf(missing: readonly NamedProgram[], changed: boolean): string {
  const named = missing.slice(0, NAMED_AT_MOST).map(programText).join(", ");
  const more = missing.length > NAMED_AT_MOST ? ` and ${missing.length - NAMED_AT_MOST} more` : "";
  const why = changed
    ? "programs have changed since you allowed them"
    : "programs of this repository need your consent";
  return `${why}, so nothing ran: ${named}${more}. Review and allow them with anneal trust`;
}
