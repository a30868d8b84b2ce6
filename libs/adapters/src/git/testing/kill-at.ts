import { spawnSync } from "node:child_process";

/** How a process ended that was to kill itself at a failpoint, and what it had printed. */
export interface Killed {
  signal: string | null;
  output: string;
  errors: string;
}

/** Runs a script in a process of its own that kills itself at a failpoint. `repo` and `git` are at hand, `say` prints JSON. */
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
  const { signal, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source.join("\n")], {
    encoding: "utf8",
    env: { PATH, NODE_COMPILE_CACHE, HOME: dir, ANNEAL_FAILPOINT: point },
  });
  return { signal, output: stdout, errors: stderr };
}
