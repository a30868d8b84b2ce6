import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import type { TestRepo } from "../../../../git/src/testing/make-repo.ts";
import { program } from "../../../../system/src/testing/program.ts";
import { approve, project } from "./project.ts";

const CHILD = program("owner-child");

/** Programs without bubblewrap among them: what agents can do where they are not shut in. For all tests of a file. */
export function programsWithoutBubblewrap(...more: string[]): string {
  const programs = mkdtempSync(join(tmpdir(), "anneal-programs-"));
  beforeAll(() => {
    for (const name of ["git", "sh", "cat", "rm", "sleep", "env", ...more])
      symlinkSync(join("/usr/bin", name), join(programs, name));
    vi.stubEnv("PATH", programs);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(programs, { recursive: true, force: true });
  });
  return programs;
}

/** A project whose process was killed while its agent, which lives on, had done something. */
export async function killedAfter(
  script: string,
  { programs, before = () => {} }: { programs: string; before?: (repo: TestRepo) => void },
): Promise<TestRepo> {
  const repo = project({ a: { steps: [approve] } });
  before(repo);
  const agent = join(repo.dir, ".automaker/agent.sh");
  const pid = join(repo.dir, ".automaker/pid");
  const dies = `owner=$(cat ${pid}); rm ${pid}; ${script}; kill -9 $owner; exec sleep 600`;
  const works = `echo ok > auth.js; echo '{"text":"Done."}'`;
  writeFileSync(agent, `#!/bin/sh\nset -e\ncat >/dev/null\nif [ -e ${pid} ]; then ${dies}; fi\n${works}\n`);
  chmodSync(agent, 0o755);
  const file = join(repo.dir, ".automaker/settings.json");
  const { agents, ...settings } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...settings, agents: { ...agents, implementer: `command:${agent}` } }));
  const { NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [CHILD, repo.dir, "a"], {
    env: { PATH: programs, HOME: repo.dir, GIT_CONFIG_GLOBAL: "/dev/null", NODE_COMPILE_CACHE, ANNEAL_TRUST: "all" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const signal = await new Promise((resolve) => child.once("exit", (_, by) => resolve(by)));
  expect(signal).toBe("SIGKILL");
  return repo;
}
