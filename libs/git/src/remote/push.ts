import { join } from "node:path";
import { failpoint } from "@anneal/system/failpoint";
import { localBranch, resolveCommit } from "../read/refs/refs.ts";
import { complaint, GitError } from "../run/errors.ts";
import { Newest } from "../run/newest.ts";
import { serialised } from "../run/queue.ts";
import type { RepoLocation } from "../run/repo-location.ts";
import { type GitCall, type GitResult, runGit } from "../run/run.ts";
import { stampOf } from "../run/stamp.ts";

export interface PushRequest {
  /** The name of a configured remote. */
  remote: string;
  /** The full or short name, the same here and there. */
  branch: string;
  /** What is pushed; the head of the branch by default. */
  commit?: string;
  /**
   * Where the remote's branch has to stand for it to be replaced, null for nowhere, so that no commit of others is lost.
   * Without it the remote's branch only ever moves forward.
   */
  expected?: string | null;
  signal?: AbortSignal;
}

/** Pushes one branch and nothing else; one that is there already is fine. */
export function push(location: RepoLocation, request: PushRequest): Promise<{ commit: string }> {
  return serialised(location.commonDir, async () => {
    const { remote, expected, signal } = request;
    await requireRemote(location, remote);
    const ref = await localBranch(location, request.branch);
    const commit = await resolveCommit(location, request.commit ?? ref);
    const lease = expected === undefined ? [] : [`--force-with-lease=${ref}:${expected ?? ""}`];
    const args = ["push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no", ...lease];
    failpoint("git.push.before");
    const result = await talk(location, { args: [...args, "--", remote, `${commit}:${ref}`], signal });
    failpoint("git.push.after");
    if (result.code !== 0) throw await refusedPush(location, request, ref, result);
    return { commit };
  });
}

/** Where pushes to a remote go, or null where no remote has that name. It may hold a password. */
export async function remoteUrl({ root }: RepoLocation, remote: string): Promise<string | null> {
  if (remote === "" || remote.startsWith("-")) return null;
  const result = await runGit({ cwd: root, args: ["remote", "get-url", "--push", "--", remote] });
  return result.code === 0 ? result.stdout.toString("utf8").replace(/\n$/, "") : null;
}

/** Where a branch stands on the remote now; null where the remote has none of that name. */
export async function remoteHead(
  location: RepoLocation,
  remote: string,
  branch: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<string | null> {
  await requireRemote(location, remote);
  const ref = await localBranch(location, branch);
  const result = await talk(location, { args: ["ls-remote", "--quiet", "--", remote, ref], signal });
  if (result.code !== 0) throw unreachable(remote, result.stderr);
  const lines = result.stdout.toString("utf8").split("\n");
  // Git also lists refs whose names only end like this one.
  return lines.find((line) => line.endsWith(`\t${ref}`))?.split("\t", 1)[0] ?? null;
}

/** Remotes that were there, each with the stamp of the settings that said so. */
const knownRemotes = new Newest<string>(100);

/** Git would take a name that is not a remote's for a path, and push there. */
export async function requireRemote(location: RepoLocation, remote: string): Promise<void> {
  const name = `${location.commonDir}\0${remote}`;
  const stamp = await stampOf(join(location.commonDir, "config"));
  if (stamp !== null && knownRemotes.get(name) === stamp) return;
  if ((await remoteUrl(location, remote)) !== null) {
    if (stamp !== null) knownRemotes.set(name, stamp);
    return;
  }
  const advice = "add it with git remote add, or name another";
  throw new GitError("no-remote", `there is no remote ${JSON.stringify(remote)}: ${advice}`);
}

/** Runs a git that talks to a remote. As every git of ours it asks nobody; here its helpers do not either, and say so. */
export function talk(
  { root }: Pick<RepoLocation, "root">,
  { args, signal, env = {} }: Pick<GitCall, "args" | "signal" | "env">,
): Promise<GitResult> {
  const ssh = process.env.GIT_SSH_COMMAND ?? process.env.GIT_SSH;
  const silent = {
    GCM_INTERACTIVE: "never",
    SSH_ASKPASS: "",
    ...(ssh === undefined ? { GIT_SSH_COMMAND: "ssh -oBatchMode=yes" } : {}),
  };
  // A process group of its own, which comes with a signal, has no terminal that ssh could ask on.
  return runGit({ cwd: root, args, env: { ...silent, ...env }, signal: signal ?? NEVER });
}

const NEVER = new AbortController().signal;

async function refusedPush(
  location: RepoLocation,
  request: PushRequest,
  ref: string,
  result: GitResult,
): Promise<GitError> {
  const { remote, expected = null, signal } = request;
  const said = result.stdout.toString("utf8");
  const cause = new Error(withoutPasswords(`${said}${result.stderr}`));
  const reason = /^!\t\S+\t(.*)$/m.exec(said)?.[1];
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(result.stderr)?.[1];
  if (lock !== undefined) return locked(remote, lock, cause);
  if (reason === undefined) return unreachable(remote, result.stderr);
  if (!/\((stale info|fetch first|non-fast-forward|needs force)\)/.test(reason)) {
    const words = `${remote} refused ${ref} (${withoutPasswords(reason)}): check the rules of the remote, or ask its administrator`;
    return new GitError("failed", words, { cause });
  }
  const found = await remoteHead(location, remote, ref, signal ? { signal } : {});
  const advice = "fetch it and check the new commits";
  return new GitError("moved", `${ref} on ${remote} is at ${found ?? "no commit"} and was not changed: ${advice}`, {
    moved: { expected, found },
    cause,
  });
}

/** A git that was killed on the other side leaves its lock behind, and nobody there takes it away. */
function locked(remote: string, lock: string, cause: Error): GitError {
  const advice = "wait until it ends, or remove the file if no git is running there";
  return new GitError("locked", `another git holds ${lock} on ${remote}: ${advice}`, { paths: [lock], cause });
}

export function unreachable(remote: string, stderr: string): GitError {
  const said = withoutPasswords(complaint(stderr));
  const cause = new Error(withoutPasswords(stderr));
  const advice = /could not read|Authentication failed|Permission denied|terminal prompts disabled/.test(stderr)
    ? "set up a credential helper or an ssh key; git cannot ask for a password here"
    : "check the address of the remote with git remote -v, and the network";
  return new GitError("unreachable", `${remote} could not be reached (${said}): ${advice}`, { cause });
}

export function withoutPasswords(text: string): string {
  return text.replace(/\/\/[^/@\s]+@/g, "//");
}
