import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openRepo } from "@anneal/git";
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { expect, test, vi } from "vitest";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { workspaceOf } from "../../../workspace/src/testing/workspace-of.ts";
import { makeReady } from "./prepare.ts";

const works = (await probeSandbox()).state === "works";

test.runIf(works)("set-up is shut in, unless the files are those that a person agreed to", async () => {
  vi.stubEnv("ANNEAL_TRUST", "all");
  using repo = makeRepo({ "install.sh": "echo run >> ../ran\n" });
  const [main, worktree] = [await openRepo(repo.dir), await workspaceOf(repo)];
  const how = { main, signal: new AbortController().signal };
  const settings = { setup: ["sh install.sh"] };
  await makeReady(worktree, settings, how);
  expect(existsSync(`${repo.dir}.anneal/ran`)).toBe(false);
  rmSync(join(worktree.gitDir, "anneal-setup.json"));
  await makeReady(worktree, settings, { ...how, sandbox: "off" });
  expect(existsSync(`${repo.dir}.anneal/ran`)).toBe(true);
  vi.unstubAllEnvs();
});
