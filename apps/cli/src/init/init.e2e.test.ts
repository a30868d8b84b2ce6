import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeRepo } from "../../../../libs/git/src/testing/make-repo.ts";
import { anneal } from "../testing/anneal.ts";
import { tempFolder } from "../testing/temp.ts";

const SETTINGS = ".automaker/settings.json";

describe("anneal init", () => {
  test.concurrent("makes the folder and the settings, and says what it found and what to do next", async () => {
    using repo = makeRepo({ "package.json": '{"scripts":{"test":"node --test"}}', "go.mod": "module x\n" });
    const run = await anneal(repo.dir, ["init"]);
    expect(run).toMatchObject({ code: 0, stderr: "", left: [] });
    expect(run.stdout).toContain("Made .automaker/features/, .automaker/settings.json");
    expect(run.stdout).toMatch(/default branch +main\n/);
    expect(run.stdout).toMatch(/test command +not set: no checks run; found npm test\n/);
    expect(run.stdout).toMatch(/set-up +not set: nothing runs; found go mod download\n/);
    expect(run.stdout).toContain(`To use what was found, add this to ${SETTINGS}:
    "testCommand": "npm test",
    "worktree": {"setup":["go mod download"]}
`);
    expect(run.stdout).toMatch(/agents +none for implementer, reviewer, fixer/);
    expect(run.stdout).toContain('Next: anneal add "what you want"');
    expect(JSON.parse(readFileSync(join(repo.dir, SETTINGS), "utf8"))).toEqual({ version: 1 });
  });

  test.concurrent("lets git see the settings and the work items, and nothing else", async () => {
    using repo = makeRepo({ "a.txt": "a\n" });
    await anneal(repo.dir, ["init"]);
    repo.write({ ".automaker/anneal-files.lock": "x", ".automaker/features/f/.feature.json.1-abc.tmp": "x" });
    repo.write({ ".automaker/features/f/feature.json": "{}" });
    expect(repo.git("status", "--porcelain", "--untracked-files=all").split("\n")).toEqual([
      "?? .automaker/features/f/feature.json",
      `?? ${SETTINGS}`,
    ]);
  });

  test.concurrent("is not needed for a loop, which leaves nothing that git shows", async () => {
    using repo = makeRepo({ "a.txt": "a\n" });
    repo.git("switch", "--quiet", "-c", "topic");
    repo.commit({ "b.txt": "b\n" });
    await anneal(repo.dir, ["loop", "--reviewer", "builtin", "--fixer", "builtin"]);
    expect(existsSync(join(repo.dir, ".git/anneal/log.db"))).toBe(true);
    expect(repo.git("status", "--porcelain", "-uall")).toBe("");
  });

  test.concurrent("changes nothing that is there, however often it runs", async () => {
    const settings = '{ "version": 1, "testCommand": "make test", "mine": true }\n';
    using repo = makeRepo({ "a.txt": "a\n", [SETTINGS]: settings });
    const first = await anneal(repo.dir, ["init"]);
    const second = await anneal(repo.dir, ["init"]);
    expect(first.stdout).toMatch(/test command +make test\n/);
    expect(second.stdout).toContain("This project is already set up.");
    expect(readFileSync(join(repo.dir, SETTINGS), "utf8")).toBe(settings);
  });

  test.concurrent("names a bad setting with its place and leaves the file alone", async () => {
    const settings = '{ "version": 1, "maxConcurrency": "three" }\n';
    using repo = makeRepo({ "a.txt": "a\n", [SETTINGS]: settings });
    const run = await anneal(repo.dir, ["init"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/settings\.json:1:\d+: maxConcurrency: /);
    expect(readFileSync(join(repo.dir, SETTINGS), "utf8")).toBe(settings);
  });

  test.concurrent("outside of a repository it says so and makes nothing", async () => {
    using folder = tempFolder();
    const run = await anneal(folder.path, ["init"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("is not in a git repository");
    expect(existsSync(join(folder.path, ".automaker"))).toBe(false);
  });
});
