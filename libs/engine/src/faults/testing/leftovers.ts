import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { logFolderOf } from "../../log/index.ts";
import type { Load } from "./load.ts";
import { blobsIn } from "./outcome.ts";

/** What is broken or left over in a project at which nobody works any more; empty where all is well. */
export function leftovers(load: Load): string[] {
  return [
    ...damagedLog(load),
    ...damagedBlobs(load),
    ...leftoverFiles(load),
    ...damagedRepository(load),
    ...living(load),
  ];
}

function damagedLog(load: Load): string[] {
  const db = new DatabaseSync(logFolderOf(load).database, { readOnly: true });
  try {
    const integrity = db
      .prepare("PRAGMA integrity_check")
      .all()
      .map(({ integrity_check }) => String(integrity_check));
    const references = db
      .prepare("PRAGMA foreign_key_check")
      .all()
      .map((row) => `foreign key ${JSON.stringify(row)}`);
    const seqs = db
      .prepare("SELECT seq FROM events ORDER BY seq")
      .all()
      .map(({ seq }) => Number(seq));
    const gap = seqs.findIndex((seq, at) => seq !== at + 1);
    return [...integrity.filter((line) => line !== "ok"), ...references, ...(gap < 0 ? [] : [`no event ${gap + 1}`])];
  } finally {
    db.close();
  }
}

function damagedBlobs(load: Load): string[] {
  const contentOf = (name: string) => readFileSync(join(logFolderOf(load).blobs, name.slice(0, 2), name.slice(2)));
  const wrong = blobsIn(load).filter((name) => createHash("sha256").update(contentOf(name)).digest("hex") !== name);
  return wrong.map((name) => `blob ${name} does not hold what its name says`);
}

/** A lock that is a file only; nothing is ever removed there. */
const STANDING = /\/anneal-files\.lock$/;
const STRAY = /\.(tmp|anneal-tmp|lock)$|\.tmp\/|\/\.new-|anneal\/owner\.json$/;

const TEMP = "home/tmp";
/** A sandbox has its home in the system's temp folder, which is the system's to clear after a kill. */
const SANDBOX = /^home\/tmp\/anneal-(probe|home)-/;

/** Half-written files, half-made workspaces, locks and notes of processes that are gone, and what they left in the temp folder. */
function leftoverFiles(load: Load): string[] {
  const folders = [".automaker", ".git", TEMP].map((folder) => join(load.dir, folder));
  const paths = [...folders, `${load.dir}.anneal`].flatMap(filesBelow);
  const inside = paths.map((path) => relative(load.dir, path)).filter((path) => !/\.git\/objects\//.test(path));
  const isLeftover = (path: string) => (path.startsWith(TEMP) ? !SANDBOX.test(path) : STRAY.test(path));
  const strays = inside.filter((path) => isLeftover(path) && !STANDING.test(path) && !isInUse(path));
  return strays.map((path) => `stray ${path}`);
}

/** Names of processes are used again: a file that seems to belong to a living one is rightly left alone. */
function isInUse(path: string): boolean {
  const pid = /\.(\d+)-[0-9a-f]{12}\.(?:anneal-)?tmp\b/.exec(path)?.[1];
  return pid !== undefined && existsSync(`/proc/${pid}`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    const below = filesBelow(path);
    return below.length === 0 && folder.endsWith("/tmp") ? [`${path}/`] : below;
  });
}

function damagedRepository(load: Load): string[] {
  const { status, stderr } = spawnSync("git", ["fsck", "--full", "--strict", "--no-dangling"], {
    cwd: load.dir,
    encoding: "utf8",
  });
  return status === 0 ? [] : [`git fsck: ${stderr.trim()}`];
}

const LOOKS = 200;
const PAUSE_MS = 20;

/** Processes that still work for the project. A git that outlived its killed parent gets the time to finish. */
function living({ home }: Load): string[] {
  for (let look = 1; ; look += 1) {
    const found = processesOf(home);
    if (found.length === 0 || look === LOOKS) return found.map((command) => `process ${command}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** The command lines of all processes whose environment names this home. */
export function processesOf(home: string): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`HOME=${home}`)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").trim();
      return statSync(`/proc/${pid}`) && command !== "" ? [`${pid} ${command}`] : [];
    } catch {
      return [];
    }
  });
}
