import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../../libs/git/src/testing/make-repo.ts";
import { anneal, annealOnTerminal, hasTerminal } from "../testing/anneal.ts";
import { withAutomationToken } from "../testing/automation.ts";

const QUESTION = "with exactly this content? [y/N]";
const MADE: string[] = [];
afterAll(() => {
  for (const folder of MADE) rmSync(folder, { recursive: true, force: true });
});

/** A branch with a change to review, in a project whose checks need consent; and a person with a data folder of their own. */
function scene(): { repo: TestRepo; env: NodeJS.ProcessEnv } {
  const data = mkdtempSync(join(tmpdir(), "anneal-data-"));
  MADE.push(data);
  const settings = { version: 1, testCommand: "sh check.sh", worktree: { setup: ["sh setup.sh"] } };
  const repo = makeRepo({
    ".automaker/settings.json": JSON.stringify(settings),
    "check.sh": "exit 0\n",
    "setup.sh": "echo ready > ready.log\n",
    ".gitignore": "*.log\n",
  });
  repo.git("switch", "--quiet", "-c", "topic");
  repo.commit({ "a.js": "export const a = 1;\n" });
  return { repo, env: { ANNEAL_TRUST: undefined, ...withAutomationToken(data), USER: "ada" } };
}

/** Whether the set-up ran in any workspace. */
function isReady({ dir }: TestRepo): boolean {
  const home = `${dir}.anneal`;
  return existsSync(home) && readdirSync(home).some((name) => existsSync(join(home, name, "ready.log")));
}

describe("anneal trust", () => {
  test.concurrent("without it a loop does not begin, and says what would run and the next command; exit code 2", async () => {
    const { repo, env } = scene();
    using _ = repo;
    const loop = await anneal(repo.dir, ["loop"], env);
    expect(loop.code).toBe(2);
    expect(loop.stderr).toMatch(
      /programs of this repository need your consent, so nothing ran: set-up `sh setup\.sh` \(.*\), test command `sh check\.sh` \(.*\)\. Review and allow them with anneal trust\n$/,
    );
    expect(isReady(repo)).toBe(false);
    const list = await anneal(repo.dir, ["trust"], env);
    expect(list.code).toBe(2);
    expect(list.stdout).toMatch(
      /\? set-up +sh setup\.sh\n +\.automaker\/settings\.json · [0-9a-f]{12} · not allowed\n +with setup\.sh\n/,
    );
    expect(list.stdout).toContain("anneal trust --yes allows these programs");
  });

  test.concurrent("with --yes it does, until something changes; then the list says which", async () => {
    const { repo, env } = scene();
    using _ = repo;
    expect(await anneal(repo.dir, ["trust", "--yes"], env)).toMatchObject({ code: 0 });
    expect(await anneal(repo.dir, ["loop"], env)).toMatchObject({ code: 0 });
    expect(isReady(repo)).toBe(true);
    repo.commit({ "check.sh": "exit 0 # otherwise\n" });
    const loop = await anneal(repo.dir, ["loop"], env);
    expect(loop.code).toBe(2);
    expect(loop.stderr).toContain(
      "programs have changed since you allowed them, so nothing ran: test command `sh check.sh`",
    );
    const listed = JSON.parse((await anneal(repo.dir, ["trust", "--json"], env)).stdout);
    expect(listed).toMatchObject([
      { use: "set-up", standing: "agreed" },
      { use: "test command", standing: "changed", files: ["check.sh"] },
    ]);
    expect((await anneal(repo.dir, ["trust", "--revoke"], env)).stdout).toBe("Consent revoked: 2 programs\n");
    expect((await anneal(repo.dir, ["trust", "--list"], env)).stdout.match(/not allowed/g)).toHaveLength(2);
  });

  test.concurrent("--trust agrees for one run, and ANNEAL_TRUST for hashes; neither is remembered", async () => {
    const { repo, env } = scene();
    using _ = repo;
    const hashes = JSON.parse((await anneal(repo.dir, ["trust", "--json"], env)).stdout).map(
      ({ hash }: { hash: string }) => hash,
    );
    const one = await anneal(repo.dir, ["loop"], { ...env, ANNEAL_TRUST: hashes[0] });
    expect([one.code, one.stderr.includes("setup.sh")]).toEqual([2, false]);
    expect(await anneal(repo.dir, ["loop", "--trust"], env)).toMatchObject({ code: 0 });
    repo.commit({ "b.js": "export const b = 1;\n" });
    expect(await anneal(repo.dir, ["loop"], env)).toMatchObject({ code: 2 });
    expect(await anneal(repo.dir, ["loop"], { ...env, ANNEAL_TRUST: hashes.join(",") })).toMatchObject({ code: 0 });
  });

  test.concurrent("a review by the embedded reviewer needs none", async () => {
    const { repo, env } = scene();
    using _ = repo;
    expect(await anneal(repo.dir, ["review"], env)).toMatchObject({ code: 0 });
  });
});

describe.runIf(hasTerminal)("on a terminal", () => {
  test.concurrent.for([
    { typed: "y", code: 0, says: "passed" },
    { typed: "", code: 2, says: "nothing was started" },
    { typed: "what?", code: 2, says: "nothing was started" },
  ])("loop asks once; $typed is exit code $code", async ({ typed, code, says }) => {
    const { repo, env } = scene();
    using _ = repo;
    const run = await annealOnTerminal(repo.dir, ["loop"], env, { question: QUESTION, lines: [typed] });
    expect(run.code, run.stdout).toBe(code);
    expect(run.stdout).toContain(says);
    expect(run.stdout.split(QUESTION)).toHaveLength(2);
    const again = await anneal(repo.dir, ["trust", "--list"], env);
    expect(again.code).toBe(code);
  });

  test.concurrent("init asks once about what it found and what the repository names, and sets it", async () => {
    const { repo, env } = scene();
    using _ = repo;
    repo.commit({
      ".automaker/settings.json": '{"version":1}\n',
      "package.json": '{"scripts":{"test":"node --test"}}',
    });
    const typing = { question: QUESTION, lines: ["y"] };
    const run = await annealOnTerminal(repo.dir, ["init"], env, typing);
    expect(run.code, run.stdout).toBe(0);
    expect(run.stdout).toContain("test command");
    expect(JSON.parse(readFileSync(join(repo.dir, ".automaker/settings.json"), "utf8"))).toEqual({
      version: 1,
      testCommand: "npm test",
    });
    expect(await anneal(repo.dir, ["trust"], env)).toMatchObject({ code: 0 });
  });
});
