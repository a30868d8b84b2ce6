import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anneal } from "../testing/anneal.ts";
import { makeRepo, PROJECT } from "../testing/branches.ts";
import { type TempPath, tempFolder } from "../testing/temp.ts";

const NAMES = ["git", "node", "repository", "sandbox", "builtin", "claude", "codex", "gemini", "opencode", "cursor"];

/** A folder for PATH with just these programs in it; each prints the text given for it. */
function programs(printing: Record<string, string>): TempPath {
  const folder = tempFolder();
  symlinkSync(process.execPath, join(folder.path, "node"));
  for (const [name, text] of Object.entries(printing)) {
    writeFileSync(join(folder.path, name), `#!/bin/sh\necho '${text}'\n`);
    chmodSync(join(folder.path, name), 0o755);
  }
  return folder;
}

describe("anneal doctor", () => {
  test.concurrent("names everything that it looks at, as text", async () => {
    using repo = makeRepo(PROJECT);
    const run = await anneal(repo.dir, ["doctor"]);
    expect(run).toMatchObject({ code: 0, stderr: "", left: [] });
    for (const name of NAMES) expect(run.stdout).toMatch(new RegExp(`^[✔✘·] ${name} `, "m"));
    expect(run.stdout).toContain(`${repo.dir}, default branch main`);
  });

  test.concurrent("names the same as data", async () => {
    using repo = makeRepo(PROJECT);
    const run = await anneal(repo.dir, ["doctor", "--json"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const diagnoses: { name: string; state: string; detail: string }[] = JSON.parse(run.stdout);
    expect(diagnoses.map(({ name }) => name)).toEqual(NAMES);
    for (const { state, detail } of diagnoses) {
      expect(["ok", "missing", "optional"]).toContain(state);
      expect(detail).not.toBe("");
    }
  });

  test.concurrent("works outside of a repository", async () => {
    using folder = tempFolder();
    const run = await anneal(folder.path, ["doctor"]);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/· repository .*not in a git repository/);
  });

  test.concurrent("shows the versions of installed agents, and how to get the others", async () => {
    using repo = makeRepo(PROJECT);
    using path = programs({ git: "git version 2.43.0", claude: "2.1.7 (Claude Code)", codex: "codex-cli 0.77.1" });
    const run = await anneal(repo.dir, ["doctor"], { PATH: path.path });
    expect(run.stdout).toMatch(/✔ claude +2\.1\.7$/m);
    expect(run.stdout).toMatch(/✔ codex +0\.77\.1$/m);
    expect(run.stdout).toMatch(/· gemini +not installed\n +npm install -g @google\/gemini-cli$/m);
  });

  test.concurrent.for([
    { what: "without git", printing: {}, says: /✘ git +not found\n +install git 2\.36/ },
    {
      what: "with an old git",
      printing: { git: "git version 2.30.1" },
      says: /✘ git +2\.30\.1 is too old\n +install git 2\.36/,
    },
  ])("$what exits 2 and says what to install", async ({ printing, says }) => {
    using folder = tempFolder();
    using path = programs(printing);
    const run = await anneal(folder.path, ["doctor"], { PATH: path.path });
    expect(run.code).toBe(2);
    expect(run.stdout).toMatch(says);
  });
});
