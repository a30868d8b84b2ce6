import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { runCommand } from "../command.ts";
import { openRepo, type Repo } from "../git/index.ts";
import { makeRepo, type TestRepo } from "../testing/make-repo.ts";
import { guardDurably, putBackSettings, takeTold } from "./left-settings.ts";
import { thisOwner } from "./owner.ts";

let repo: TestRepo;
let main: Repo;
let tree: string;
const at = (path: string) => join(repo.dir, ".git", path);
const settings = () => readFileSync(at("config"), "utf8");
beforeEach(async () => {
  repo = makeRepo({ "a.txt": "one\n" });
  main = await openRepo(repo.dir);
  tree = (await main.addWorktree({ path: ".worktrees/a", branch: "a", startPoint: "main" })).root;
});
afterEach(() => repo.remove());

const notes = () => readdirSync(at("anneal/settings"));
const said = (common = at(".")) => takeTold(common).map((one) => one.said);

/** As if this process had been killed: its notes are those of one that is gone. */
function killed(): string[] {
  const gone = thisOwner().replace(/^\d+/, "999999999");
  return notes().map((name) => {
    renameSync(at(`anneal/settings/${name}`), at(`anneal/settings/${name.replace(thisOwner(), gone)}`));
    return at(`anneal/settings/${name.replace(thisOwner(), gone)}`);
  });
}

describe("how settings were before an agent", () => {
  const look = ["sh", "-c", "ls ../../.git/anneal/settings"] as const;
  const limits = { timeoutMs: 60_000 };

  test("is on the disk before it starts, and no longer than until it is seen to", async () => {
    const { output } = await runCommand(look, { cwd: tree, guarded: "settings", ...limits });
    expect(output).toMatch(/^\d+-\d+-\d+-\d+\.json\n$/);
    expect(notes()).toEqual([]);
  });

  test("is not noted where nothing of ours can be changed", async () => {
    await runCommand(look, { cwd: tree, guarded: "pointer", ...limits });
    expect(existsSync(at("anneal/settings"))).toBe(false);
  });

  test("is not noted where there is no repository", async () => {
    const folder = mkdtempSync(join(tmpdir(), "anneal-none-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    guardDurably(folder, "settings").putBack();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("what a process that was killed had to put back", () => {
  test("is left alone while that process lives", () => {
    const guard = guardDurably(tree, "settings");
    repo.git("config", "core.editor", "evil");
    putBackSettings(at("."));
    expect(settings()).toContain("evil");
    expect(guard.putBack()).toHaveLength(1);
  });

  test("is as it was before the first of its agents, whatever a later one began with", () => {
    const before = settings();
    guardDurably(tree, "settings");
    repo.git("config", "core.editor", "evil");
    guardDurably(tree, "settings");
    repo.git("config", "core.pager", "evil");
    killed();
    putBackSettings(at("."));
    expect(settings()).toBe(before);
    expect(said().join()).toContain(".git/config (kept as ");
    expect(notes()).toEqual([]);
  });

  test("does not bring back what another agent had done and its guard has put back", () => {
    const before = settings();
    const first = guardDurably(tree, "settings");
    repo.git("config", "core.editor", "evil");
    guardDurably(tree, "settings");
    first.putBack();
    killed();
    putBackSettings(at("."));
    expect(settings()).toBe(before);
    expect(said()).toEqual([]);
  });

  test("holds what the process itself wrote meanwhile", async () => {
    guardDurably(tree, "settings");
    await main.exclude(["/made"]);
    killed();
    // Whoever comes next does not know the file for its own.
    writeFileSync(at("info/exclude"), readFileSync(at("info/exclude")));
    putBackSettings(at("."));
    expect(readFileSync(at("info/exclude"), "utf8")).toContain("/made");
    expect(said()).toEqual([]);
  });

  test("is put back also where it is a setting of the worktree alone, unless that is gone", () => {
    repo.git("config", "extensions.worktreeConfig", "true");
    repo.git("-C", tree, "config", "--worktree", "core.pager", "mine");
    for (const isGone of [false, true]) {
      guardDurably(tree, "settings");
      repo.git("-C", tree, "config", "--worktree", "core.editor", "evil");
      killed();
      if (isGone) rmSync(at("worktrees/a"), { recursive: true });
      putBackSettings(at("."));
      if (!isGone) expect(readFileSync(at("worktrees/a/config.worktree"), "utf8")).not.toContain("evil");
      expect(existsSync(at("worktrees/a"))).toBe(!isGone);
    }
  });

  test("is not what a copy of the project is to be, unless the project is gone", () => {
    const folder = mkdtempSync(join(tmpdir(), "anneal-copy-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    guardDurably(tree, "settings");
    repo.git("config", "core.editor", "mine");
    killed();
    const copy = join(folder, "copy");
    cpSync(repo.dir, copy, { recursive: true });
    const inCopy = () => readFileSync(join(copy, ".git/config"), "utf8");
    putBackSettings(join(copy, ".git"));
    expect(inCopy()).toContain("mine");
    renameSync(repo.dir, join(folder, "moved"));
    putBackSettings(join(copy, ".git"));
    expect(inCopy()).not.toContain("mine");
    expect(said(join(copy, ".git"))).toHaveLength(1);
  });

  test.for<{ what: string; spoil: (note: string) => string }>([
    { what: "is empty", spoil: () => "" },
    { what: "is half there", spoil: (note) => note.slice(0, -20) },
    { what: "holds no files", spoil: (note) => note.replace('"files"', '"filez"') },
    { what: "holds a file that is none", spoil: (note) => note.replace('{\\"mode\\"', '{\\"node\\"') },
    { what: "names a file elsewhere", spoil: (note) => note.replace('"config":', '"../a.txt":') },
  ])("is put aside and told, and nothing is written, where its note $what", ({ spoil }) => {
    guardDurably(tree, "settings");
    const [note = ""] = killed();
    const text = readFileSync(note, "utf8");
    expect(spoil(text)).not.toBe(text);
    writeFileSync(note, spoil(text));
    repo.git("config", "core.editor", "vi");
    putBackSettings(at("."));
    expect(settings()).toContain("vi");
    expect(readFileSync(join(repo.dir, "a.txt"), "utf8")).toBe("one\n");
    expect(said()).toEqual([expect.stringContaining("damaged-")]);
    expect(notes()).toEqual([expect.stringMatching(/^damaged-/)]);
  });
});
