import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@anneal/adapters/clock";
import { openRepo } from "@anneal/adapters/git";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { collectGarbage } from "./gc.ts";
import { currentLoop } from "./loop-history.ts";
import { say } from "./talk.ts";
import { approve, beside, own, project } from "./testing/project.ts";

const CHILD = new URL("./testing/owner-child.ts", import.meta.url).pathname;

/** Programs without bubblewrap among them: what follows is what agents can do where they are not shut in. */
const programs = mkdtempSync(join(tmpdir(), "anneal-programs-"));
beforeAll(() => {
  for (const name of ["git", "sh", "cat", "rm", "sleep"]) symlinkSync(join("/usr/bin", name), join(programs, name));
  vi.stubEnv("PATH", programs);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(programs, { recursive: true, force: true });
});

/** A project whose process was killed while its agent, which lives on, had done something to the branch of a person's. */
async function killed(script: string): Promise<{ repo: TestRepo; mine: string }> {
  const repo = project({ a: { steps: [approve] } });
  repo.git("checkout", "--quiet", "-b", "mine");
  const mine = repo.commit({ "mine.txt": "mine\n" }, "mine");
  repo.git("checkout", "--quiet", "main");
  const agent = join(repo.dir, ".automaker/agent.sh");
  const pid = join(repo.dir, ".automaker/pid");
  const dies = `owner=$(cat ${pid}); rm ${pid}; ${script}; kill -9 $owner; exec sleep 600`;
  const works = `echo ok > auth.js; echo '{"text":"Done."}'`;
  writeFileSync(agent, `#!/bin/sh\nset -e\ncat >/dev/null\nif [ -e ${pid} ]; then ${dies}; fi\n${works}\n`);
  chmodSync(agent, 0o755);
  const file = join(repo.dir, ".automaker/settings.json");
  const { agents, ...settings } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...settings, agents: { ...agents, implementer: `command:${agent}` } }));
  const child = spawn(process.execPath, ["--conditions=source", CHILD, repo.dir, "a"], {
    env: { PATH: programs, HOME: repo.dir, GIT_CONFIG_GLOBAL: "/dev/null" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const signal = await new Promise((resolve) => child.once("exit", (_, by) => resolve(by)));
  expect(signal).toBe("SIGKILL");
  return { repo, mine };
}

const FORCED = "git branch -q -f mine main";
const keptIn = (repo: TestRepo) =>
  repo.git("for-each-ref", "--format=%(refname)", "refs/anneal/kept").split("\n").filter(Boolean);

/** What can come after the kill; each gives what people are told. */
const next = {
  "a run that goes on with the loop": async (repo: TestRepo) => {
    const told: string[] = [];
    const runtime = await own(repo, { onTrouble: (item, message) => told.push(`${item}: ${message}`) });
    await runtime.close();
    return told;
  },
  "a word that ends the loop": async (repo: TestRepo) => {
    const store = beside(repo);
    const row = currentLoop(store, "a");
    if (row === null) throw new Error("a has no loop");
    const told: string[] = [];
    const tell = (item: string, message: string) => void told.push(`${item}: ${message}`);
    const talk = { root: repo.dir, store, row, by: "ada", clock: systemClock, tell };
    expect(await say(talk, { signal: "stop" })).toMatchObject({ result: "taken" });
    return told;
  },
  "a collection of garbage": async (repo: TestRepo) => {
    const told: string[] = [];
    const tell = (item: string, message: string) => void told.push(`${item}: ${message}`);
    await collectGarbage(await openRepo(repo.dir), { clock: systemClock, dryRun: false, tell });
    return told;
  },
  "a person who removes the worktree, and then a run": async (repo: TestRepo) => {
    rmSync(join(repo.dir, ".worktrees"), { recursive: true });
    repo.git("worktree", "prune");
    return await next["a run that goes on with the loop"](repo);
  },
};

describe("a branch that an agent moved before its process was killed", () => {
  test.for(Object.entries(next))("is put back and told by %s", async ([, then]) => {
    const { repo, mine } = await killed(FORCED);
    const moved = repo.git("rev-parse", "mine");
    expect(moved).not.toBe(mine);
    const told = await then(repo);
    expect(repo.git("rev-parse", "mine")).toBe(mine);
    const kept = `refs/anneal/kept/a/moved-${moved.slice(0, 12)}`;
    expect(keptIn(repo)).toEqual([kept]);
    expect(told).toEqual([expect.stringMatching(new RegExp(`^a: .*refs/heads/mine .*${kept}.*put back`))]);
    expect(await then(repo).catch(() => [])).toEqual([]);
  });

  test("is put back before the loop goes on, and nothing of it stays behind", async () => {
    const { repo, mine } = await killed(FORCED);
    const runtime = await own(repo);
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    expect(repo.git("rev-parse", "mine")).toBe(mine);
    expect(readdirSync(join(repo.dir, ".git/anneal/attempts"))).toEqual([]);
  });

  test("stays where a person has moved it since, and where nobody else did nothing is told", async () => {
    const { repo, mine } = await killed(FORCED);
    repo.git("branch", "--force", "mine", mine);
    repo.commit({ "more.txt": "more\n" }, "a person goes on");
    const main = repo.git("rev-parse", "main");
    const told = await next["a run that goes on with the loop"](repo);
    expect([repo.git("rev-parse", "mine"), repo.git("rev-parse", "main")]).toEqual([mine, main]);
    expect(told).toEqual([]);
  });

  test("is kept and told where it removed it", async () => {
    const { repo, mine } = await killed("git branch -q -D mine");
    const told = await next["a run that goes on with the loop"](repo);
    const kept = `refs/anneal/kept/a/gone-${mine.slice(0, 12)}`;
    expect(keptIn(repo)).toEqual([kept]);
    expect(told).toEqual([expect.stringContaining(`git branch mine ${kept}`)]);
  });
});
