import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anneal, start } from "../testing/anneal.ts";
import { cleanBranch } from "../testing/branches.ts";
import { scriptedGit, stuckGit } from "../testing/stuck-git.ts";
import { scriptFile } from "../testing/temp.ts";

describe("Ctrl-C while a reviewer hangs", () => {
  test.for([
    { to: "the whole group, as a terminal sends it", target: (pid: number) => -pid },
    { to: "the process alone", target: (pid: number) => pid },
  ])("ends with 130 and leaves no process: to $to", async ({ target }) => {
    using repo = cleanBranch();
    using script = scriptFile([{ end: "hang" }]);
    // The repository that the reviewer reads in tells that it is about to work.
    const copies = join(repo.dir, ".git", "copies");
    mkdirSync(copies);
    const atWork = new Promise<void>((resolve) => {
      const watcher = watch(copies, () => {
        watcher.close();
        resolve();
      });
    });
    const { child, ended } = start(repo.dir, ["review", "--reviewer", `scripted:${script.path}`], { TMPDIR: copies });
    const pid = child.pid ?? 0;
    await atWork;
    process.kill(target(pid), "SIGINT");
    expect(await ended).toEqual({ code: 130, stdout: "", stderr: "anneal review: stopped\n", left: [] });
    expect(processesOf(pid)).toEqual([]);
    expect(readdirSync(copies)).toEqual([]);
  });
});

test.for([
  { args: ["review"], command: "diff-tree" },
  { args: ["demo"], command: "init" },
  { args: ["demo"], command: "diff-tree" },
])(
  "Ctrl-C while git is busy with $command ends anneal $args with 130 and leaves nothing",
  async ({ args, command }) => {
    using repo = cleanBranch();
    using git = stuckGit(command);
    const { child, ended } = start(repo.dir, args, git.env);
    const pid = child.pid ?? 0;
    await git.stuck;
    process.kill(-pid, "SIGINT");
    expect(await ended).toMatchObject({ code: 130, stderr: `anneal ${args[0]}: stopped\n`, left: [] });
    expect(processesOf(pid)).toEqual([]);
  },
);

test("Ctrl-C that git hears first is no failure of git", async () => {
  using repo = cleanBranch();
  using git = scriptedGit(`*" diff-tree "*) (sleep 0.02; kill -INT $PPID) > /dev/null 2>&1 & kill -INT $$;;`);
  const { ended } = start(repo.dir, ["demo"], git.env);
  expect(await ended).toMatchObject({ code: 130, stderr: "anneal demo: stopped\n", left: [] });
});

test("a reader that closes the pipe early gets no complaint, and the exit code is still the verdict's", async () => {
  using repo = cleanBranch();
  const { child, ended } = start(repo.dir, ["review", "--format", "json"]);
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

test("nothing stays behind after a review that ran to its end", async () => {
  using repo = cleanBranch();
  const { child, ended } = start(repo.dir, ["review"]);
  expect(await ended).toMatchObject({ code: 0, left: [] });
  expect(processesOf(child.pid ?? 0)).toEqual([]);
  expect(await anneal(repo.dir, ["review", "--worktree"])).toMatchObject({ code: 3, left: [] });
});

/** The living processes of a group; those that only wait to be counted out are not among them. */
function processesOf(group: number): string[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pgid=,stat=,args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => new RegExp(`^\\s*${group}\\s+[^Z]`).test(line));
}
