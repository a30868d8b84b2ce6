import { GitError } from "../../run/errors.ts";
import { tryChange } from "../../run/locks.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { exited, type GitCall, type GitProcess, type GitResult, spawnGit } from "../../run/run.ts";

export interface RefMove {
  /** The full name. */
  ref: string;
  from: string;
  to: string;
  /** For the reflog. */
  reason: string;
}

/**
 * Moves a ref by compare-and-swap after some work that must not happen without it: git holds the ref's lock during the work,
 * so nobody can commit in between. A failing exit code means that the ref was elsewhere and the work was not begun.
 */
export function moveRefAfter(location: RepoLocation, move: RefMove, work: () => Promise<void>): Promise<GitResult> {
  const args = ["update-ref", "-m", move.reason, "--stdin"];
  return tryChange(location, { args }, (call) => swapAfter(call, move, work));
}

async function swapAfter(call: GitCall, { ref, from, to }: RefMove, work: () => Promise<void>): Promise<GitResult> {
  const child = spawnGit(call);
  const ended = exited(child, call.cwd);
  const held = isHeld(child);
  child.stdin.write(`start\nupdate ${ref} ${to} ${from}\nprepare\n`);
  const result = async () => ({ ...(await ended), stdout: Buffer.alloc(0) });
  if ((await Promise.race([held, ended])) !== "held") return await result();
  try {
    await work();
  } catch (error) {
    // Closed without `commit`, git lets go of the lock and leaves the ref.
    child.stdin.end("abort\n");
    await ended;
    throw error;
  }
  child.stdin.end("commit\n");
  const { code, stderr, end } = await result();
  if (code !== 0) throw new GitError("failed", `${ref} could not be moved: try again`, { cause: new Error(stderr) });
  return { code, stderr, end, stdout: Buffer.alloc(0) };
}

function isHeld(child: GitProcess): Promise<"held"> {
  return new Promise((resolve) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString("latin1");
      if (said.includes("prepare: ok\n")) resolve("held");
    });
  });
}
