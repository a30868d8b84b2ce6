import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { marked, readProc, standStill } from "@anneal/system/processes/processes";

/** How a process ended that was to kill itself at a failpoint, and what it had printed. */
export interface Killed {
  signal: string | null;
  output: string;
  errors: string;
}

/**
 * Runs a script in a process of its own that kills itself at a failpoint. `repo` and `git` are at hand, `say` prints JSON.
 * Returns once its gits are gone too: one that held a lock lets go of it when the process behind its input is gone.
 */
export function killAt(point: string, dir: string, script: string): Killed {
  const index = new URL("../index.ts", import.meta.url).href;
  const source = [
    `const git = await import(${JSON.stringify(index)});`,
    // What was compiled is kept at the end of a process, which this one does not live to see.
    `(await import("node:module")).flushCompileCache();`,
    `const repo = await git.openRepo(${JSON.stringify(dir)});`,
    `const say = (value) => process.stdout.write(JSON.stringify(value));`,
    script,
  ];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const mark = randomUUID();
  const { signal, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source.join("\n")], {
    encoding: "utf8",
    env: { PATH, NODE_COMPILE_CACHE, HOME: dir, ANNEAL_FAILPOINT: point, ANNEAL_MARK: mark },
  });
  awaitGits(mark);
  return { signal, output: stdout, errors: stderr };
}

const LOOK_MS = 5;
const PATIENCE_MS = 30_000;

function awaitGits(mark: string): void {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const gits = marked(mark).filter((pid) => readProc(pid, "comm")?.startsWith("git"));
    if (gits.length === 0) return;
    if (waitedMs >= PATIENCE_MS) throw new Error(`a git of the killed process does not end: ${gits}`);
    standStill(LOOK_MS);
  }
}
