import { readdirSync, statSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { endOrphans } from "./leftovers.ts";
import { isGone, OWNER, thisOwner } from "./owner.ts";

/** A folder of this process alone; its name says whose it is, so that it is known when its owner is gone. */
export async function ownTemporary(kind: "home" | "probe" | "agent" | "review" | "git"): Promise<string> {
  return await mkdtemp(join(await realpath(tmpdir()), `anneal-${kind}-${thisOwner()}-`));
}

const OWNED = new RegExp(`^(?:\\.new-)?anneal-(?:home|probe|agent|review|git)-(${OWNER.source})-\\w{6}$`);

/** Whether a folder is such a one, and whoever had it has ended. */
export function isAbandoned(path: string): boolean {
  const owner = OWNED.exec(basename(path))?.[1];
  return owner !== undefined && isGone(owner);
}

/** Ends the programs that killed processes left running, and removes what they left of such folders; gives their paths. */
export async function removeAbandoned(): Promise<string[]> {
  endOrphans();
  const folder = await realpath(tmpdir());
  const gone = readdirSync(folder)
    .filter(isAbandoned)
    .map((name) => join(folder, name))
    .filter(isOurs);
  // What is open or not ours to remove costs some space, no more.
  const removed = gone.map((path) =>
    rm(path, { recursive: true, force: true })
      .then(() => [path])
      .catch(() => []),
  );
  return (await Promise.all(removed)).flat();
}

function isOurs(path: string): boolean {
  try {
    const stat = statSync(path);
    return stat.isDirectory() && stat.uid === process.getuid?.();
  } catch {
    return false;
  }
}
