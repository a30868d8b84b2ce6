import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ForgeWorld } from "../../../testing/forge-world.ts";
import { createFakeForge, type FakeForge } from "../../fake/index.ts";
import { openGitHub } from "../index.ts";
import { gitHubStandIn, type StandIn, TOKEN } from "./stand-in.ts";

export interface GithubWorld extends ForgeWorld {
  standIn: StandIn;
  /** The same account in another process: there nothing is known of what was asked before. */
  fresh(): ReturnType<typeof openGitHub>;
  /** What the stand-in is made over. */
  fake: FakeForge;
}

/** Our own stand-in for GitHub, with people on it. */
export async function githubWorld(): Promise<GithubWorld> {
  let seconds = 1_800_000_000;
  /** Moves on with every look at it, so that no two things happen at the same time. */
  const clock = { now: () => 1_000 * ++seconds, sleep: async () => {} };
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-github-")));
  const fake = await createFakeForge(dir, { clock });
  const standIn = await gitHubStandIn(dir, clock);
  const open = () => openGitHub(standIn.address, { clock, token: TOKEN });
  return {
    ...fake,
    fake,
    standIn,
    forge: open(),
    again: async () => open(),
    fresh: () => openGitHub(standIn.address, { clock: { ...clock }, token: TOKEN }),
    as: (name) => ({
      ...fake.as(name),
      async deleteBranch(branch) {
        await fake.as(name).deleteBranch(branch);
        // GitHub closes what leads from there.
        for (const { number, state } of await fake.fromBranch(branch))
          if (state === "open") await fake.as(name).close(number);
      },
    }),
    now: clock.now,
    namesConflicts: false,
    fileAt: async (branch, path) => {
      const { status, stdout } = spawnSync("git", ["show", `refs/heads/${branch}:${path}`], {
        cwd: dir,
        encoding: "utf8",
      });
      return status === 0 ? stdout : null;
    },
    close: async () => {
      await standIn.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
