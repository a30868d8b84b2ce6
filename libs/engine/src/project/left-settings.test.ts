import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@anneal/adapters/clock";
import { openRepo } from "@anneal/adapters/git";
import { describe, expect, test } from "vitest";
import type { TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { collectGarbage } from "./gc.ts";
import { currentLoop } from "./loop-history.ts";
import { say } from "./talk.ts";
import { killedAfter, programsWithoutBubblewrap } from "./testing/killed-owner.ts";
import { beside, own } from "./testing/project.ts";

const programs = programsWithoutBubblewrap("touch", "mkdir", "chmod");

const at = (repo: TestRepo, path: string) => join(repo.dir, ".git", path);
const settingsOf = (repo: TestRepo) => readFileSync(at(repo, "config"), "utf8");
/** In the project's own folder that git does not look at. */
const EVIDENCE = "../../.automaker/evidence";
const ran = (repo: TestRepo) => existsSync(join(repo.dir, ".automaker/evidence"));

/** What can come after the kill; each gives what people are told. */
const next = {
  "a run that goes on with the loop": async (repo: TestRepo) => {
    const told: string[] = [];
    const runtime = await own(repo, { onTrouble: (item, message) => told.push(`${item}: ${message}`) });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    await runtime.close();
    return told;
  },
  "a word that ends the loop": async (repo: TestRepo) => {
    const store = beside(repo);
    const row = currentLoop(store, "a");
    if (row === null) throw new Error("a has no loop");
    const told: string[] = [];
    const tell = (item: string, message: string) => void told.push(`${item}: ${message}`);
    await say({ root: repo.dir, store, row, by: "ada", clock: systemClock, tell }, { signal: "stop" });
    return told;
  },
  "a collection of garbage": async (repo: TestRepo) => {
    const told: string[] = [];
    const tell = (item: string, message: string) => void told.push(`${item}: ${message}`);
    await collectGarbage(await openRepo(repo.dir), { clock: systemClock, dryRun: false, tell });
    return told;
  },
  "a person who removes the worktree, and then a run": async (repo: TestRepo) => {
    rmSync(`${repo.dir}.anneal`, { recursive: true });
    return await next["a run that goes on with the loop"](repo);
  },
};

const FILTER = `git config filter.evil.clean 'touch ${EVIDENCE}; cat'; echo '* filter=evil' > ../../.git/info/attributes`;

describe("settings that an agent changed before its process was killed", () => {
  test.for(Object.entries(next))("are put back, kept and told by %s", async ([, then]) => {
    const repo = await killedAfter(FILTER, { programs });
    expect(settingsOf(repo)).toContain("filter");
    const told = await then(repo);
    expect(ran(repo), "nothing of the agent's has run").toBe(false);
    expect(settingsOf(repo)).not.toContain("filter");
    expect(existsSync(at(repo, "info/attributes"))).toBe(false);
    expect(told).toEqual([
      expect.stringMatching(/^a: .*\.git\/config \(kept as .*\.git\/info\/attributes \(kept as .*put back/),
    ]);
    expect(readdirSync(at(repo, "anneal/settings"))).toEqual([]);
  });

  test.for([
    {
      what: "a hook",
      act: `mkdir -p ../../.git/hooks; printf '#!/bin/sh\\ntouch ${EVIDENCE}' > ../../.git/hooks/pre-commit; chmod +x ../../.git/hooks/pre-commit`,
    },
    {
      what: "where hooks lie",
      act: `mkdir hooks; printf '#!/bin/sh\\ntouch ${EVIDENCE}' > hooks/pre-commit; chmod +x hooks/pre-commit; git config core.hooksPath "$PWD/hooks"`,
    },
    { what: "where the work tree lies", act: "git -C ../.. config core.worktree ../.worktrees" },
  ])("start no program and lead nowhere: $what", async ({ act }) => {
    const repo = await killedAfter(act, { programs });
    const told = await next["a run that goes on with the loop"](repo);
    expect(told).toEqual([expect.stringMatching(/^a: .*put back/)]);
    expect(ran(repo)).toBe(false);
    expect(repo.git("rev-parse", "--show-toplevel")).toBe(repo.dir);
  });

  test("stay as they are where they start nothing, and nothing is told", async () => {
    const repo = await killedAfter("git branch -q --track other main", { programs });
    const settings = settingsOf(repo);
    expect(await next["a run that goes on with the loop"](repo)).toEqual([]);
    expect(settingsOf(repo)).toBe(settings);
  });

  test("are put back before a reader looks, and told by the next owner", async () => {
    const repo = await killedAfter(FILTER, { programs });
    await openRepo(join(repo.dir, ".automaker"));
    expect(settingsOf(repo)).not.toContain("filter");
    expect(await next["a run that goes on with the loop"](repo)).toEqual([expect.stringContaining(".git/config")]);
  });
});

test("a hook that a person had is there again where the agent that was cut off had changed it", async () => {
  const hook = (repo: TestRepo) => at(repo, "hooks/pre-commit");
  const repo = await killedAfter(`printf '#!/bin/sh\\ntouch ${EVIDENCE}' > ../../.git/hooks/pre-commit`, {
    programs,
    before: (made) => {
      mkdirSync(at(made, "hooks"), { recursive: true });
      writeFileSync(hook(made), "#!/bin/sh\nexit 0\n");
      chmodSync(hook(made), 0o755);
    },
  });
  await next["a run that goes on with the loop"](repo);
  expect(readFileSync(hook(repo), "utf8")).toBe("#!/bin/sh\nexit 0\n");
  expect(ran(repo)).toBe(false);
});
