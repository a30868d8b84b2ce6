import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ReviewOutput } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { anneal } from "../testing/anneal.ts";
import { branchWith, cleanBranch, makeRepo, openTestRepo, PROJECT, type TestRepo } from "../testing/branches.ts";
import { tempFolder } from "../testing/temp.ts";

async function reviewed(dir: string, ...args: string[]): Promise<ReviewOutput> {
  const run = await anneal(dir, ["review", "--format", "json", ...args]);
  expect(run).toMatchObject({ stderr: "", left: [] });
  const output = ReviewOutput.parse(JSON.parse(run.stdout));
  expect(run.code).toBe({ pass: 0, fail: 1, inconclusive: 3 }[output.verdict]);
  return output;
}

const NAMES = [
  "with space.ts",
  " leading and trailing .ts",
  "it's.ts",
  'say "hi".ts',
  "back\\slash.ts",
  "line\nbreak.ts",
  "tab\there.ts",
  "größe-日本-🙂.ts",
  "cafe\u0301.ts",
  "-rf.ts",
  "--output=x.ts",
  ":(exclude)x.ts",
  "a => b.ts",
  "{curly,brace}.ts",
  "*glob?.ts",
  "$HOME`id`;x.ts",
  "dir with space/-dash/file.ts",
];

describe("file names of every kind", () => {
  test.concurrent.for([
    { how: "committed", args: [] },
    { how: "staged", args: ["--staged"] },
    { how: "in the working tree", args: ["--worktree"] },
  ])("are reported as they are: $how", async ({ args }) => {
    const files = Object.fromEntries(NAMES.map((name) => [name, "export const a = 1;\ndebugger;\n"]));
    using repo = makeRepo(PROJECT);
    repo.git("switch", "--quiet", "--create", "topic");
    if (args.length === 0) repo.commit(files);
    else repo.write(files);
    if (args[0] === "--staged") repo.git("add", "--all");
    const { findings, coverage } = await reviewed(repo.dir, ...args);
    expect(coverage.reviewed.toSorted()).toEqual(NAMES.toSorted());
    expect(findings.map(({ file, line, rule }) => `${rule} ${line} ${file}`).toSorted()).toEqual(
      NAMES.map((name) => `debug-leftover 2 ${name}`).toSorted(),
    );
  });
});

describe("changes of every kind", () => {
  const long = Array.from({ length: 30 }, (_, at) => `export const value${at} = ${at};`).join("\n");

  test.concurrent("a rename with an edit is judged on its changed lines, under the new name", async () => {
    using repo = branchWith(
      { "src/old.ts": null, "src/new.ts": `${long}\ndebugger;\n` },
      { "src/old.ts": `debugger;\n${long}\n` },
    );
    repo.commit({ "src/new.ts": `debugger;\n${long}\ndebugger;\n` });
    const { findings, coverage } = await reviewed(repo.dir);
    expect(coverage.reviewed).toEqual(["src/new.ts"]);
    expect(findings).toMatchObject([{ rule: "debug-leftover", file: "src/new.ts", line: 32 }]);
  });

  test.concurrent.for([
    {
      what: "a rename",
      base: { "src/old.ts": long },
      files: { "src/old.ts": null, "src/new.ts": long },
      file: "src/new.ts",
    },
    { what: "an empty file", base: PROJECT, files: { "src/empty.ts": "" }, file: "src/empty.ts" },
  ])("$what alone holds no text that could be missed, so it passes", async ({ base, files, file }) => {
    using repo = branchWith(files, base);
    expect(await reviewed(repo.dir)).toMatchObject({ verdict: "pass", coverage: { reviewed: [file], skipped: [] } });
  });

  test.concurrent("a submodule is listed as not reviewed", async () => {
    using library = makeRepo({ "lib.ts": "export const lib = 1;\n" });
    using repo = makeRepo(PROJECT);
    repo.git("switch", "--quiet", "--create", "topic");
    repo.git("submodule", "--quiet", "add", library.dir, "vendor/lib");
    repo.commit({});
    const { coverage } = await reviewed(repo.dir);
    expect(coverage.reviewed).toEqual([".gitmodules"]);
    expect(coverage.skipped).toEqual([{ file: "vendor/lib", reason: "submodule" }]);
  });

  test.concurrent("a symlink is judged as the path it holds and never followed", async () => {
    using folder = tempFolder();
    openTestRepo(folder.path).write({ "outside.json": "{ broken" });
    using repo = branchWith({ "link.json": { link: join(folder.path, "outside.json") }, loop: { link: "loop" } });
    const { findings, coverage } = await reviewed(repo.dir);
    expect(findings).toEqual([]);
    expect(coverage).toEqual({
      reviewed: ["loop"],
      skipped: [{ file: "link.json", reason: "a link that leads out of the repository" }],
    });
  });

  test.concurrent("a deleted file is judged as a change", async () => {
    using repo = branchWith({ "src/cart.ts": null });
    expect((await reviewed(repo.dir)).coverage.reviewed).toEqual(["src/cart.ts"]);
  });

  test.concurrent("attributes and settings of the repository cannot hide a change", async () => {
    using repo = branchWith({ ".gitattributes": "* -diff binary\n", "src/tax.ts": "debugger;\n" });
    repo.git("config", "diff.external", "/bin/false");
    repo.git("config", "color.ui", "always");
    repo.git("config", "diff.noprefix", "true");
    const { findings } = await reviewed(repo.dir);
    expect(findings).toMatchObject([{ rule: "debug-leftover", file: "src/tax.ts", line: 1 }]);
  });
});

describe("places to stand in", () => {
  const flaw = { "src/tax.ts": "debugger;\n" };
  const places: { where: string; dir: (repo: TestRepo) => string }[] = [
    { where: "the top", dir: (repo) => repo.dir },
    { where: "a subfolder", dir: (repo) => join(repo.dir, "src") },
    { where: "a subfolder that the change does not touch", dir: (repo) => join(repo.dir, "config") },
    {
      where: "an untracked folder",
      dir: (repo) => {
        mkdirSync(join(repo.dir, "new folder"));
        return join(repo.dir, "new folder");
      },
    },
    {
      where: "a linked worktree",
      dir: (repo) => {
        repo.git("worktree", "add", "--quiet", "--detach", "linked tree", "topic");
        return join(repo.dir, "linked tree");
      },
    },
  ];
  test.concurrent.for(places)("$where gives the same paths", async ({ dir }) => {
    using repo = branchWith(flaw);
    const { findings } = await reviewed(dir(repo), "--base", "main");
    expect(findings).toMatchObject([{ file: "src/tax.ts", line: 1 }]);
  });

  test.concurrent.for(["--staged", "--worktree"])("%s works in a linked worktree, on its own index", async (flag) => {
    using repo = cleanBranch();
    using folder = tempFolder();
    repo.git("worktree", "add", "--quiet", "--detach", join(folder.path, "linked"), "topic");
    const linked = openTestRepo(join(folder.path, "linked"));
    linked.write({ "src/here.ts": "export const here = 1;\n" });
    linked.git("add", "--all");
    const { coverage } = await reviewed(join(linked.dir, "src"), flag);
    expect(coverage.reviewed).toEqual(["src/here.ts"]);
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  test.concurrent("variables of a surrounding git hook do not lead elsewhere", async () => {
    using repo = branchWith(flaw);
    using other = makeRepo(PROJECT);
    const run = await anneal(repo.dir, ["review"], {
      GIT_DIR: join(other.dir, ".git"),
      GIT_WORK_TREE: other.dir,
      GIT_INDEX_FILE: join(other.dir, ".git", "index"),
    });
    expect(run).toMatchObject({ code: 1, stderr: "" });
    expect(run.stdout).toContain("src/tax.ts:1");
  });
});
