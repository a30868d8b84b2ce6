import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dataDirectory, readJson, updateJson } from "@anneal/adapters/files";
import type { Repo } from "@anneal/git";
import {
  type AskedProgram,
  type Consent,
  ConsentFile,
  type NamedProgram,
  type PushConsent,
  type RepositoryConsent,
} from "@anneal/types";

const EMPTY: ConsentFile = { version: 1, repositories: {} };
const NOTHING: RepositoryConsent = { agreed: [], asked: [] };

/** Next to the user's own settings, out of reach of repositories and sandboxed agents. */
function consentFile(): string {
  return join(dataDirectory(), "consent.json");
}

type Repository = Pick<Repo, "commonDir">;

/** What a person has said about a repository's programs. A file that cannot be read is no consent. */
export async function consentFor({ commonDir }: Repository): Promise<RepositoryConsent> {
  const read = await readJson(consentFile(), ConsentFile);
  if (read.ok)
    return Object.hasOwn(read.value.repositories, commonDir)
      ? (read.value.repositories[commonDir] ?? NOTHING)
      : NOTHING;
  if (read.reason === "missing") return NOTHING;
  throw read.cause;
}

export async function agree(
  repo: Repository,
  programs: readonly NamedProgram[],
  { by, at, through }: Pick<Consent, "by" | "at" | "through">,
): Promise<void> {
  const hashes = new Set(programs.map(({ hash }) => hash));
  const given = programs.map(({ use, place, command, files, hash }): Consent => {
    return { use, place, command, files, hash, by, at, through };
  });
  await change(repo, ({ agreed, asked, ...rest }) => ({
    ...rest,
    agreed: [...agreed.filter(({ hash }) => !hashes.has(hash)), ...given],
    asked: asked.filter(({ hash }) => !hashes.has(hash)),
  }));
}

/** Stores a person's word that branches of the repository may be pushed to one address. */
export async function agreeToPush(repo: Repository, push: PushConsent): Promise<void> {
  await change(repo, (before) => ({ ...before, push }));
}

/** Takes consent back; of all programs and of pushing, or of those programs with these hashes. */
export async function revoke(repo: Repository, hashes: readonly string[] | "all"): Promise<void> {
  const goes = (hash: string) => hashes === "all" || hashes.includes(hash);
  await change(repo, ({ agreed, asked, push }) => ({
    agreed: agreed.filter(({ hash }) => !goes(hash)),
    asked,
    ...(push === undefined || hashes === "all" ? {} : { push }),
  }));
}

/** Remembers what was to run, so that a person can be shown it whatever is checked out by then. */
export async function ask(repo: Repository, programs: readonly AskedProgram[]): Promise<void> {
  const isAbout = (one: NamedProgram) =>
    programs.some(({ use, command }) => one.use === use && one.command === command);
  await change(repo, ({ asked, ...rest }) => ({
    ...rest,
    asked: [...asked.filter((one) => !isAbout(one)), ...programs],
  }));
}

async function change({ commonDir }: Repository, to: (before: RepositoryConsent) => RepositoryConsent): Promise<void> {
  const path = consentFile();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await updateJson(
    path,
    ConsentFile,
    ({ repositories, ...rest }) => {
      const before = Object.hasOwn(repositories, commonDir) ? (repositories[commonDir] ?? NOTHING) : NOTHING;
      return { ...rest, repositories: { ...repositories, [commonDir]: to(before) } };
    },
    { whenMissing: EMPTY, mode: 0o600 },
  );
}
