import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openRepo } from "@anneal/git";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { NeedsConsent } from "../errors/errors.ts";
import { refuseCommands, refuseSetup } from "./consent.ts";
import type { NamedCommand } from "./programs.ts";
import { shownPrograms } from "./shown.ts";
import { agree, consentFor, revoke } from "./store.ts";

const BY = { by: "ada", at: "2026-01-01T00:00:00.000Z", through: "terminal" } as const;
const TEST: NamedCommand = { use: "test command", place: ".automaker/settings.json", command: "npm test" };
const SETUP: NamedCommand = { use: "set-up", place: ".automaker/settings.json", command: "./setup.sh" };

let repo: TestRepo;
let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "anneal-data-"));
  vi.stubEnv("ANNEAL_TRUST", "");
  vi.stubEnv("ANNEAL_DATA_DIR", data);
  repo = makeRepo({
    "package.json": '{"scripts":{"test":"node check.js"}}',
    "check.js": "check()",
    "setup.sh": "#!/bin/sh\n",
    ".automaker/settings.json": JSON.stringify({
      version: 1,
      testCommand: "npm test",
      worktree: { setup: ["./setup.sh"] },
    }),
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  repo[Symbol.dispose]();
  rmSync(data, { recursive: true, force: true });
});

/** The uses of the programs that are refused. */
async function refused(commands: readonly NamedCommand[] = [TEST, SETUP]): Promise<string[]> {
  const opened = await openRepo(repo.dir);
  const head = await opened.resolve("HEAD");
  try {
    await refuseCommands(opened, commands, [head, head]);
    return [];
  } catch (error) {
    if (!(error instanceof NeedsConsent)) throw error;
    return error.programs.map(({ use }) => use);
  }
}

async function agreeToAll(): Promise<void> {
  const opened = await openRepo(repo.dir);
  await agree(opened, await shownPrograms(opened), BY);
}

function commit(files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repo.dir, path)), { recursive: true });
    writeFileSync(join(repo.dir, path), content);
  }
  repo.git("add", "-A");
  repo.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "changed");
}

describe("programs of a repository", () => {
  test("are refused until a person agrees, and never again while they stay the same", async () => {
    expect(await refused()).toEqual(["test command", "set-up"]);
    await agreeToAll();
    expect(await refused()).toEqual([]);
    commit({ "src/other.js": "other()" });
    expect(await refused()).toEqual([]);
  });

  test.for<{ what: string; files: Record<string, string>; commands?: NamedCommand[]; refuses: string[] }>([
    {
      what: "a script of package.json",
      files: { "package.json": '{"scripts":{"test":"evil"}}' },
      refuses: ["test command"],
    },
    {
      what: "what runs before it",
      files: { "package.json": '{"scripts":{"test":"node check.js","pretest":"evil"}}' },
      refuses: ["test command"],
    },
    { what: "a file that the script names", files: { "check.js": "evil()" }, refuses: ["test command"] },
    { what: "the program of set-up", files: { "setup.sh": "evil" }, refuses: ["set-up"] },
    { what: "what npm goes by", files: { ".npmrc": "script-shell=./evil" }, refuses: ["test command"] },
    {
      what: "the command line",
      files: {},
      commands: [{ ...TEST, command: "npm test -- --evil" }],
      refuses: ["test command"],
    },
    { what: "other files", files: { "README.md": "changed" }, refuses: [] },
  ])("are asked about anew when $what changes", async ({ files, commands, refuses }) => {
    await agreeToAll();
    if (Object.keys(files).length > 0) commit(files);
    expect(await refused(commands)).toEqual(refuses);
    const { asked } = await consentFor(await openRepo(repo.dir));
    expect(asked.map(({ use }) => use)).toEqual(refuses);
  });

  test("say that they have changed since, and what they are", async () => {
    await agreeToAll();
    commit({ "setup.sh": "evil" });
    const opened = await openRepo(repo.dir);
    const run = refuseCommands(opened, [SETUP], [await opened.resolve("HEAD")]);
    await expect(run).rejects.toThrow(
      /^programs have changed since you allowed them, so nothing ran: set-up `\.\/setup\.sh` \(\.automaker\/settings\.json, [0-9a-f]{12}\)\. Review and allow them with anneal trust$/,
    );
  });

  test("hooks of the tree count by their content, those of the user's own only by what they name there", async () => {
    await agreeToAll();
    commit({ ".hooks/pre-commit": "#!/bin/sh\n./tool.sh\n", "tool.sh": "one" });
    expect(await refused([])).toEqual([]);
    repo.git("config", "core.hooksPath", ".hooks");
    expect(await refused([])).toEqual(["hook"]);
    await agreeToAll();
    expect(await refused([])).toEqual([]);
    commit({ "tool.sh": "evil" });
    expect(await refused([])).toEqual(["hook"]);
    repo.git("config", "--unset", "core.hooksPath");
    expect(await refused([])).toEqual([]);
    writeFileSync(join(repo.dir, ".git/hooks/pre-commit"), "#!/bin/sh\ntrue\n");
    expect(await refused([])).toEqual([]);
    writeFileSync(join(repo.dir, ".git/hooks/pre-commit"), "#!/bin/sh\n./tool.sh\n");
    expect(await refused([])).toEqual(["hook"]);
  });

  test("set-up is looked at in the very tree where it would run, by what lies there", async () => {
    await agreeToAll();
    const opened = await openRepo(repo.dir);
    const first = refuseSetup(opened, ["./setup.sh"]);
    await first(opened);
    writeFileSync(join(repo.dir, "setup.sh"), "evil");
    await expect(first(opened)).rejects.toThrow("have changed since you allowed them");
  });

  test("what set-up makes is no file that a line names", async () => {
    const lines = ["./setup.sh", ".venv/bin/python -m pip"];
    const settings = { version: 1, worktree: { setup: lines } };
    repo.commit({ ".automaker/settings.json": JSON.stringify(settings) }, "set-up");
    await agreeToAll();
    const opened = await openRepo(repo.dir);
    mkdirSync(join(repo.dir, ".venv/bin"), { recursive: true });
    writeFileSync(join(repo.dir, ".venv/bin/python"), "made");
    await refuseSetup(opened, lines)(opened);
  });

  test("consent is taken back, of one or of all", async () => {
    await agreeToAll();
    const opened = await openRepo(repo.dir);
    const { agreed } = await consentFor(opened);
    await revoke(
      opened,
      agreed.filter(({ use }) => use === "set-up").map(({ hash }) => hash),
    );
    expect(await refused()).toEqual(["set-up"]);
    await revoke(opened, "all");
    expect(await refused()).toEqual(["test command", "set-up"]);
  });

  test("what one repository may run, another may not", async () => {
    await agreeToAll();
    using other = makeRepo({ "setup.sh": "#!/bin/sh\n" });
    const opened = await openRepo(other.dir);
    await expect(refuseCommands(opened, [SETUP], [await opened.resolve("HEAD")])).rejects.toThrow(NeedsConsent);
  });

  test.for([
    { word: "all", refuses: [] },
    { word: "HASH", refuses: ["test command"] },
    { word: "HASH,,other", refuses: ["test command"] },
    { word: "SHORT", refuses: ["test command", "set-up"] },
    { word: "", refuses: ["test command", "set-up"] },
  ])("ANNEAL_TRUST=$word of whoever starts us agrees", async ({ word, refuses }) => {
    const opened = await openRepo(repo.dir);
    const setup = (await shownPrograms(opened)).find(({ use }) => use === "set-up");
    const hash = setup?.hash ?? "";
    vi.stubEnv("ANNEAL_TRUST", word.replace("HASH", hash.slice(0, 12)).replace("SHORT", hash.slice(0, 4)));
    expect(await refused()).toEqual(refuses);
  });

  test("the user's own settings are the user's word; what they name in the tree is not", async () => {
    writeFileSync(
      join(data, "settings.json"),
      '{"version":4,"testCommand":"pytest","worktree":{"setup":["./setup.sh"]}}',
    );
    expect(await refused([{ ...TEST, command: "pytest" }, SETUP])).toEqual(["set-up"]);
  });

  test("a damaged file of consent agrees to nothing, and says so", async () => {
    await agreeToAll();
    writeFileSync(join(data, "consent.json"), "{");
    await expect(refused()).rejects.toThrow("consent.json");
  });

  test("the file lies with the user's own data, for nobody else to read, and nothing of it in the repository", async () => {
    await agreeToAll();
    expect(JSON.parse(readFileSync(join(data, "consent.json"), "utf8")).repositories).toHaveProperty([
      join(repo.dir, ".git"),
    ]);
    expect(repo.git("status", "--porcelain").trim()).toBe("");
  });
});
