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
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.logAllRefUpdates",
    GIT_CONFIG_VALUE_0: "always",
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
