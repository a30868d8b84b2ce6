import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";

const HOME = "@agent.anneal.invalid";

/**
 * The environment by which the git of an agent is known: whatever command it runs, the logs of refs name this committer.
 * Its git logs every ref that it moves, also where the repository has that turned off.
 */
export function agentIdentity(worktree: string): Record<string, string> {
  return {
    GIT_COMMITTER_NAME: "an agent",
    GIT_COMMITTER_EMAIL: agentAddress(worktree),
    // As `git -c` hands it on. Programs that hide keys from their commands would take GIT_CONFIG_KEY_0 away, and no git works then.
    GIT_CONFIG_PARAMETERS: "'core.logallrefupdates=always'",
  };
}

/** The address of whatever agent works in this worktree: there is never more than one loop in it. */
export function agentAddress(worktree: string): string {
  return createHash("sha256").update(realFolder(worktree)).digest("hex").slice(0, 16) + HOME;
}

/** Whether an address is that of an agent, in whichever worktree. */
export function isAgentAddress(address: string): boolean {
  return address.endsWith(HOME);
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
