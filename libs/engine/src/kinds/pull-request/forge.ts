import type { Clock } from "@anneal/adapters";
import { loadSettings, projectSettings, updateSettings } from "@anneal/adapters/files";
import { type Forge, ForgeError, forgeFor, redact } from "@anneal/adapters/forges";
import { GitError, openRepo, type Repo } from "@anneal/git";
import type { ProjectSettings, PullRequestSettings, PushConsent, Speaker } from "@anneal/types";
import { agreeToPush, consentFor } from "../../consent/store.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import { FEATURE_DEFAULT, type PolicyChoice } from "../../items/policy-of.ts";
import { areOfRepository, SETTINGS_FILE } from "../../review/judging-settings.ts";
import { defaultBranchOf } from "../../workspaces/default-branch.ts";

/** Where a project's pull requests live. */
export interface ForgeConnection {
  forge: Forge;
  remote: string;
  /** The remote's address, without passwords. */
  url: string;
  terms: PullRequestSettings;
  consent: PushConsent | null;
  /** Why what the settings say is no consent. */
  noConsent?: string;
}

export interface NoForge {
  /** Why there is none, as the end of a sentence. */
  none: string;
  /** There is a remote, and nobody said that it is no forge: it may be one that is out of reach. */
  isLost?: true;
}

const REMOTE = "origin";

/** The forge of a project as its settings and its remote say; a missing forge is returned with its reason, trouble with one is thrown. */
export async function connect(repo: Repo, clock: Clock): Promise<ForgeConnection | NoForge> {
  const { project, global } = await loadSettings(repo.root);
  const terms = termsIn({ project, global });
  const { remote = REMOTE } = terms;
  const address = await repo.remoteUrl(remote);
  const named = project.forge ?? global.forge;
  if (named === "none") return { none: 'the settings say "forge": "none"' };
  if (address === null) return { none: `the project has no remote called ${remote}` };
  const forge = await forgeFor(address, { forge: named }, { root: repo.root, clock });
  if (forge === null) return { none: `${remote} is not on a known forge`, isLost: true };
  return { forge, remote, url: redact(address), terms, ...(await consentOf(repo, project)) };
}

/** Committed settings are the repository's word, not a person's: where git tracks them, the word lies in the user's data folder. */
async function consentOf(
  repo: Repo,
  { pushConsent }: Pick<ProjectSettings, "pushConsent">,
): Promise<Pick<ForgeConnection, "consent" | "noConsent">> {
  if (!(await areOfRepository(repo))) return { consent: pushConsent ?? null };
  const { push = null } = await consentFor(repo);
  if (pushConsent === undefined) return { consent: push };
  return { consent: push, noConsent: `pushConsent in ${SETTINGS_FILE} comes with the repository and does not count` };
}

/** What the settings say about pull requests. */
export async function pullRequestTerms(root: string): Promise<PullRequestSettings> {
  return termsIn(await loadSettings(root));
}

function termsIn({ project, global }: Pick<Awaited<ReturnType<typeof loadSettings>>, "project" | "global">) {
  return { ...global.pullRequests, ...project.pullRequests };
}

/** The branch on the forge that takes the work in: as the settings say, as the loop was begun with, or the default branch. */
export async function targetOf(
  { repo, store = null }: { repo: Repo; store?: ProjectStore | null },
  { remote, terms }: Pick<ForgeConnection, "remote" | "terms">,
  known?: string,
): Promise<string> {
  const named = terms.base ?? known;
  if (named !== undefined) return named;
  try {
    return shortName(await defaultBranchOf({ repo, store }), remote);
  } catch (error) {
    if (!(error instanceof GitError) || error.kind !== "no-default-branch") throw error;
    const where = 'name it as "pullRequests": {"base": "…"} in .automaker/settings.json, then retry';
    throw new GitError(error.kind, `no base branch for pull requests is known: ${where}`, { cause: error });
  }
}

/** Whether a person has agreed to push to this very address. */
export function mayPush({ consent, url }: Pick<ForgeConnection, "consent" | "url">): boolean {
  return consent?.url === url;
}

/** Stores a person's consent that branches of this project may be pushed to an address. */
export async function allowPush(
  root: string,
  { url, at, ...speaker }: Speaker & { url: string; at: number },
): Promise<void> {
  const pushConsent = { url, ...speaker, at: new Date(at).toISOString() };
  const repo = await openRepo(root);
  if (await areOfRepository(repo)) await agreeToPush(repo, pushConsent);
  else await updateSettings(projectSettings(root), (settings) => ({ ...settings, pushConsent }));
}

/** What a feature runs under where nobody names a policy: pull-request where there is a forge that knows us, else gate. */
export async function featureChoice(repo: Repo, clock: Clock): Promise<PolicyChoice> {
  const { settings } = await loadSettings(repo.root);
  const gate = (why: string) => ({ ...FEATURE_DEFAULT, because: `${FEATURE_DEFAULT.because}: ${why}` });
  if (!settings.reviewLoop.enabled) return gate("the review loop is off in the settings");
  try {
    const place = await connect(repo, clock);
    if ("none" in place) return gate(place.none);
    const because = `the review loop is on, and ${place.remote} is a forge where you are signed in as ${await place.forge.me()}`;
    return { name: "pull-request", because };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    // One that is only out of reach will be there when the pull request is opened.
    const outOfReach = error.kind === "rate-limited" || error.kind === "unavailable";
    if (!outOfReach) return gate(`the forge cannot be used: ${error.message}`);
    return { name: "pull-request", because: `the review loop is on, and the project has a forge (${error.message})` };
  }
}

/** `origin/main` is a name on this side only. */
function shortName(branch: string, remote: string): string {
  return branch.startsWith(`${remote}/`) ? branch.slice(remote.length + 1) : branch;
}
