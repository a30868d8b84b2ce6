import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { startOf } from "@anneal/system/processes/processes";
import { contains } from "./paths.ts";

export interface GitProcessFilter {
  /** A git that works in one of these folders counts… */
  inside: string[];
  /** …unless it works in one of these folders inside them. */
  except?: string[];
  /** Every process that has this file open counts, and every git that was started with this path. */
  file: string;
  /** When the file was made, where that is known: a git that was started later did not make it. */
  madeMs?: number;
}

/** Where processes are looked at, and as whom. */
export interface ProcessView {
  folder: string;
  uid: number | undefined;
  workingFolderOf(proc: string): Promise<string>;
}

const SYSTEM: ProcessView = {
  folder: "/proc",
  uid: process.getuid?.(),
  workingFolderOf: (proc) => readlink(join(proc, "cwd")),
};

/** Whether a git is at work on something. `unknown` where the system does not show its processes. */
export async function livingGit(
  where: GitProcessFilter,
  view: ProcessView = SYSTEM,
): Promise<"none" | "some" | "unknown"> {
  const pids = await readdir(view.folder).then(
    (names) => names.filter((name) => /^\d+$/.test(name)),
    () => null,
  );
  if (pids === null || !pids.includes(String(process.pid))) return "unknown";
  const busy = await Promise.all(pids.map((pid) => isAtWork(join(view.folder, pid), where, view)));
  return busy.includes(true) ? "some" : "none";
}

async function isAtWork(proc: string, where: GitProcessFilter, view: ProcessView): Promise<boolean> {
  const name = await readFile(join(proc, "comm"), "utf8").catch(() => "");
  if (isGit(name.trimEnd()) && (await isGitThere(proc, where, view))) return true;
  return (await openFiles(proc)).includes(where.file);
}

/** `git` and its helpers such as `git-remote-https`, but not `gitea` or `gitlab-runner`. */
function isGit(name: string): boolean {
  return name === "git" || name.startsWith("git-");
}

async function isGitThere(
  proc: string,
  { inside, except = [], file, madeMs }: GitProcessFilter,
  { uid, workingFolderOf }: ProcessView,
): Promise<boolean> {
  if (madeMs !== undefined && startedAfter(Number(basename(proc)), madeMs)) return false;
  try {
    const folder = await workingFolderOf(proc);
    if (inside.some((one) => contains(one, folder)) && !except.some((one) => contains(one, folder))) return true;
    return (await readFile(join(proc, "cmdline"), "utf8")).split("\0").includes(file);
  } catch (error) {
    // One that has just ended has no folder any more; one of another user that hides is no reason to wait for ever.
    const hidden = error instanceof Error && "code" in error && error.code === "EACCES";
    return hidden && (await stat(proc).catch(() => null))?.uid === uid;
  }
}

const MS_PER_TICK = 10;
/** More than clocks and file times can be apart. */
const MARGIN_MS = 2_000;

/** Whether a process was certainly started after a moment, known by how much later than this one it was started. */
function startedAfter(pid: number, moment: number): boolean {
  const [own, its] = [startOf(process.pid), startOf(pid)];
  if (own === null || its === null) return false;
  const ownMs = Date.now() - process.uptime() * 1_000;
  return ownMs + (Number(its) - Number(own)) * MS_PER_TICK > moment + MARGIN_MS;
}

async function openFiles(proc: string): Promise<string[]> {
  const descriptors = join(proc, "fd");
  const names = await readdir(descriptors).catch(() => []);
  return Promise.all(names.map((name) => linkIn(descriptors, name)));
}

function linkIn(folder: string, name: string): Promise<string> {
  return readlink(join(folder, name)).catch(() => "");
}
