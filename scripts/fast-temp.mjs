// The suites make thousands of small repositories, and every log in them is synced to its disk. In memory that costs
// nothing, and no test is about a disk that loses power.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const NAME = "anneal-tests-";
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Names a place in memory for temporary files, where the system has one with enough room and nobody chose another. The
 * suites with real agents do not use it: some of them hide all of /dev from what they run.
 */
export function keepTempInMemory() {
  if (process.env.TMPDIR !== undefined) return;
  let folder;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const memory = process.availableMemory?.() ?? freemem();
    if (Math.min(bavail * bsize, memory) < ENOUGH_BYTES) return;
    removeLeft();
    folder = mkdtempSync(join(MEMORY, `${NAME}${process.pid}-`));
  } catch {
    return; // There is no such place here.
  }
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (canRunPrograms(folder)) process.env.ANNEAL_TEMP = folder;
}

/** What runs left behind that were killed. */
function removeLeft() {
  for (const name of readdirSync(MEMORY).filter((one) => one.startsWith(NAME))) {
    const [pid = ""] = name.slice(NAME.length).split("-");
    if (!existsSync(`/proc/${pid}`)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function canRunPrograms(folder) {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
