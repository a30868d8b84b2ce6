import { readdirSync, readFileSync } from "node:fs";

/** When a process started, in the system's own count; null where there is no such process or nothing is known of it. */
export function startOf(pid: number): string | null {
  return statOf(pid)?.start ?? null;
}

interface Stat {
  parent: number;
  session: number;
  /** The number of its terminal; 0 where it has none. */
  terminal: number;
  state: string;
  start: string;
}

export function statOf(pid: number): Stat | null {
  const text = readProc(pid, "stat");
  if (text === null) return null;
  // The name stands in brackets and may itself hold brackets and spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return {
    state: fields[0] ?? "",
    parent: Number(fields[1]),
    session: Number(fields[3]),
    terminal: Number(fields[4]),
    start: fields[19] ?? "",
  };
}

/** Everything that a process started, children of children included, as far as it is still tied to it. */
export function descendants(pid: number): number[] {
  const parents = new Map(livingPids().map((one) => [one, statOf(one)?.parent]));
  const found = [pid];
  for (const parent of found) {
    for (const [child, its] of parents) if (its === parent && !found.includes(child)) found.push(child);
  }
  return found.slice(1);
}

/** Who started a process, and who started that, and so on. */
export function ancestors(pid: number): number[] {
  const found: number[] = [];
  for (let next = statOf(pid)?.parent; next !== undefined && next > 0; next = statOf(next)?.parent) found.push(next);
  return found;
}

/** All processes whose environment holds this text: it is inherited even by those that cut every other tie. */
export function marked(text: string): number[] {
  // Hardly any has it, so whether one lives is asked last.
  const found = allPids().filter((pid) => pid !== process.pid && readProc(pid, "environ")?.includes(text));
  return found.filter(isLiving);
}

/** Kills a process group, all descendants of its leader, and all that carry the mark, and waits until nothing is left of it. */
export function endAll({ leader, mark }: { leader?: number | undefined; mark: string }): void {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    // Asked first: what becomes another program after it shows its environment again, and its mark with it.
    const unknown = waitedMs < BETWEEN_MS && isAnyBetweenPrograms();
    // The family is read before the kill: afterwards nothing ties the children to it, as nothing does once it has ended.
    const children = leader !== undefined && isLiving(leader) ? descendants(leader) : [];
    const family = [...new Set([...children, ...marked(mark)])];
    if (waitedMs === 0 && leader !== undefined) kill(-leader);
    if (family.length === 0 && !unknown) return;
    for (const pid of family) kill(pid);
    standStill(LOOK_MS);
  }
}

const PATIENCE_MS = 2_000;
const LOOK_MS = 5;
/** Far longer than that takes; some programs never show either. */
const BETWEEN_MS = 100;

/** Whether a process is just becoming another program: for that moment it shows neither arguments nor environment. */
function isAnyBetweenPrograms(): boolean {
  return allPids().some(
    (pid) => readProc(pid, "environ") === "" && readProc(pid, "cmdline") === "" && isLiving(pid) && !isKernels(pid),
  );
}

const KERNEL = 2;

function isKernels(pid: number): boolean {
  return pid === KERNEL || statOf(pid)?.parent === KERNEL;
}

/** There is no event for the end of a process that is not our child. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself in the meantime.
  }
}

export function livingPids(): number[] {
  return allPids().filter(isLiving);
}

function isLiving(pid: number): boolean {
  return !["Z", "X", undefined].includes(statOf(pid)?.state);
}

/** Those that have ended and whose end nobody has asked for yet included. */
export function allPids(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

export function readProc(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return null;
  }
}
