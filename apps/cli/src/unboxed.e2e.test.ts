import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anneal } from "./testing/anneal.ts";
import { cleanBranch } from "./testing/branches.ts";
import { type TempPath, tempFolder } from "./testing/temp.ts";

const SAID =
  /no sandbox here \(bubblewrap \(bwrap\) is not installed\): agents, tests and hooks can read and write everything that you can/;

/** A folder for PATH with what loops need, and no bubblewrap. */
function withoutBubblewrap(): TempPath {
  const folder = tempFolder();
  symlinkSync(process.execPath, join(folder.path, "node"));
  for (const name of ["git", "sh", "cat", "env", "ls"]) {
    const program = ["/usr/bin", "/bin"].map((place) => join(place, name)).find(existsSync);
    if (program !== undefined) symlinkSync(program, join(folder.path, name));
  }
  return folder;
}

describe("where there is no sandbox", () => {
  test.concurrent.for([
    { what: "a loop", args: ["loop"], code: 0 },
    { what: "a loop for programs", args: ["loop", "--json"], code: 0 },
    { what: "a review by a program", args: ["review", "--reviewer", "command:cat"], code: 3 },
  ])("$what says in one line what is not protected", async ({ args, code }) => {
    using repo = cleanBranch();
    using path = withoutBubblewrap();
    const run = await anneal(repo.dir, args, { PATH: path.path });
    expect(run.stderr.split("\n").filter((line) => SAID.test(line))).toEqual([
      expect.stringMatching(new RegExp(`^anneal ${args[0]}: no sandbox here`)),
    ]);
    expect(run.code).toBe(code);
  });

  test.concurrent("a review that starts no program says nothing of it", async () => {
    using repo = cleanBranch();
    using path = withoutBubblewrap();
    expect((await anneal(repo.dir, ["review"], { PATH: path.path })).stderr).not.toContain("sandbox");
  });

  test.concurrent("doctor says how to get one", async () => {
    using repo = cleanBranch();
    using path = withoutBubblewrap();
    const { code, stdout } = await anneal(repo.dir, ["doctor"], { PATH: path.path });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /· sandbox +bubblewrap \(bwrap\) is not installed: .*all your rights\n +.*(install|container)/,
    );
  });
});
