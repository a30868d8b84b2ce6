import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";

const SPIED_ON = fileURLToPath(new URL("./testing/spied-on.ts", import.meta.url));
const works = (await probeSandbox()).state === "works";

let repo: TestRepo;
let empty: string;
beforeEach(() => {
  repo = makeRepo({ "a.txt": "one\n" });
  empty = realpathSync(mkdtempSync(join(tmpdir(), "anneal-empty-")));
});
afterEach(() => {
  repo.remove();
  rmSync(empty, { recursive: true, force: true });
});

/** What an agent finds of a secret that its caller was started with. */
function seenBy(readOnly: string, role: string, env: NodeJS.ProcessEnv = {}): string {
  const { stdout, stderr } = spawnSync(process.execPath, [SPIED_ON, readOnly, role, repo.dir], {
    env: { ...process.env, SERVICE_TOKEN: "hunter2-hunter2", ...env },
    encoding: "utf8",
  });
  return stdout.trim() || stderr;
}

const NOTHING = "own: unknown; parent: unknown; others: unknown";

describe("a secret that this process was started with", () => {
  const parts = ["none", "toolset", "config"].flatMap((means) => [
    { means, role: "reviewer" },
    { means, role: "fixer" },
  ]);

  test.runIf(works).for(parts)("is not found by an agent ($means) in a box as $role", ({ means, role }) => {
    expect(seenBy(means, role)).toBe(NOTHING);
  });

  test.runIf(works)("is not found either where the repository holds the home folder, which cannot be shut", () => {
    const home = join(repo.dir, "home");
    mkdirSync(home);
    expect(seenBy("config", "reviewer", { HOME: home })).toBe(NOTHING);
  });

  test.runIf(process.platform === "linux").for(parts.filter(({ means }) => means !== "toolset"))(
    "is not handed to an agent ($means) without a box as $role, who can read it off its caller",
    ({ means, role }) => {
      expect(seenBy(means, role, { PATH: empty })).toBe("own: unknown; parent: known; others: known");
    },
  );
});
