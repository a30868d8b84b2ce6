import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { contains } from "./paths.ts";

export interface Whereabouts {
  /** A git that works in one of these folders counts… */
  inside: string[];
  /** …unless it works in one of these folders inside them. */
  except?: string[];
  /** Every process that has this file open counts, and every git that was started with this path. */
  file: string;
}

/** Whether a git is at work on something. `unknown` where the system does not show its processes. */
export async function livingGit(where: Whereabouts): Promise<"none" | "some" | "unknown"> {
  const pids = await readdir("/proc").then(
    (names) => names.filter((name) => /^\d+$/.test(name)),
    () => null,
  );
  if (pids === null || !pids.includes(String(process.pid))) return "unknown";
  const busy = await Promise.all(pids.map((pid) => isAtWork(join("/proc", pid), where)));
  return busy.includes(true) ? "some" : "none";
}

async function isAtWork(proc: string, where: Whereabouts): Promise<boolean> {
  const name = await readFile(join(proc, "comm"), "utf8").catch(() => "");
  if (name.startsWith("git") && (await isGitThere(proc, where))) return true;
  return (await openFiles(proc)).includes(where.file);
}

async function isGitThere(proc: string, { inside, except = [], file }: Whereabouts): Promise<boolean> {
  try {
    const folder = await readlink(join(proc, "cwd"));
    if (inside.some((one) => contains(one, folder)) && !except.some((one) => contains(one, folder))) return true;
    return (await readFile(join(proc, "cmdline"), "utf8")).split("\0").includes(file);
  } catch (error) {
    // Another user's git may be anywhere; one that has just ended has no folder any more.
    return error instanceof Error && "code" in error && error.code === "EACCES";
  }
}

async function openFiles(proc: string): Promise<string[]> {
  const descriptors = join(proc, "fd");
  const names = await readdir(descriptors).catch(() => []);
  return Promise.all(names.map((name) => linkIn(descriptors, name)));
}

function linkIn(folder: string, name: string): Promise<string> {
  return readlink(join(folder, name)).catch(() => "");
}
