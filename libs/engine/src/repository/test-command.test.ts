import { chmodSync } from "node:fs";
import { loadSettings } from "@anneal/adapters/files";
import { readCommand } from "@anneal/adapters/units";
import { expect, test } from "vitest";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { missingPrograms } from "../kinds/unit/missing-programs.ts";
import { testCommandNote, testCommandProblem } from "./test-command.ts";

const AT = ".automaker/settings.json";
const later = "the checks fail until the set-up of a workspace or a change adds it";
const named = (testCommand: unknown) => JSON.stringify({ version: 1, testCommand }, null, 2);
const nothing = { problem: null, note: null };

interface Case {
  what: string;
  settings: string;
  files?: Record<string, string>;
  /** Of the files. */
  mode?: number;
  problem?: string;
  note?: string;
}

test.for<Case>([
  { what: "a program that is there", settings: named("test -d src") },
  { what: "blank", settings: named("  "), problem: `${AT}:3: testCommand: the command is empty` },
  { what: "a blank word", settings: named([""]), problem: `${AT}:3: testCommand: the command is empty` },
  {
    what: "empty",
    settings: named(""),
    problem: `${AT}:3: testCommand: Too small: expected string to have >=1 characters`,
  },
  {
    what: "nowhere on the PATH",
    settings: named("nosuchprogram all"),
    problem: `${AT}:3: testCommand: nosuchprogram was not found`,
  },
  {
    what: "a word that every folder of the PATH has, and that is no program",
    settings: named("."),
    problem: `${AT}:3: testCommand: . was not found`,
  },
  {
    what: "nowhere on the machine",
    settings: named("/nowhere/check"),
    problem: `${AT}:3: testCommand: /nowhere/check was not found`,
  },
  {
    what: "a script that may still come",
    settings: named("./check.sh"),
    note: `${AT}:3: testCommand: there is no ./check.sh yet; ${later}`,
  },
  { what: "a script that is there", settings: named("./check.sh"), files: { "check.sh": "" }, mode: 0o755 },
  {
    what: "a script that cannot be executed",
    settings: named("./check.sh --all"),
    files: { "check.sh": "" },
    problem: `${AT}:3: testCommand: ./check.sh is not executable: chmod +x it and commit that, or correct the command`,
  },
  {
    what: "a folder",
    settings: named(["./src"]),
    files: { "src/index.js": "" },
    problem: `${AT}:3: testCommand: ./src is a folder, not a program`,
  },
  {
    what: "npm test without a script",
    settings: named("npm test"),
    files: { "package.json": "{}" },
    note: `${AT}:3: testCommand: package.json has no script test yet; ${later}`,
  },
  {
    what: "npm run without package.json",
    settings: named(["npm", "run", "check"]),
    note: `${AT}:3: testCommand: package.json has no script check yet; ${later}`,
  },
  {
    what: "npm test with a script",
    settings: named("npm test"),
    files: { "package.json": '{ "scripts": { "test": "node --test" } }' },
  },
  { what: "in another package", settings: named("npm test --prefix web") },
  { what: "missing", settings: "{}", problem: `${AT}:1: no "testCommand" is set` },
  {
    what: "in settings that are damaged",
    settings: '{\n  "testCommand": "npm test"',
    problem: "; nothing runs until you fix it",
  },
])("a test command that is $what", async ({ settings, files = {}, mode = 0o644, problem, note }) => {
  using folder = tempFolder();
  for (const [path, text] of Object.entries({ ...files, [AT]: settings })) folder.write(path, text);
  for (const path of Object.keys(files)) chmodSync(folder.path(path), mode);
  const of = { kind: "epic", root: folder.dir, loaded: await loadSettings(folder.dir, folder.path("none")) } as const;
  const found = await testCommandProblem(of);
  const said = {
    problem: found === null ? null : `${found.file}:${found.line}: ${found.message}`,
    note: await testCommandNote(of),
  };
  const wanted = problem === undefined ? nothing : { ...nothing, problem: expect.stringContaining(problem) };
  expect(said).toEqual({ ...wanted, ...(note === undefined ? {} : { note }) });
});

test("programs of checks that are not there are reported where a unit is to begin and a task is not done", async () => {
  using folder = tempFolder();
  folder.write("specs/tasks/1.md", "");
  const check = (file: string, line: string, status = "pending") =>
    ({ file, checkLine: 4, steps: readCommand(line), task: { status } }) as never;
  const unit = (orch_status: string) => {
    const tasks = [
      check("1.md", "test -d src && nosuchtool"),
      check("2.md", "nosuchtool", "complete"),
      check("3.md", "./later.sh"),
      check("4.md", "cd specs && ./tasks"),
    ];
    return { unit: { plan: { orch_status } }, tasks } as never;
  };
  const steps = readCommand("nosuchlint .");
  const choo = { ok: true, baselineChecks: [{ name: "lint", command: "nosuchlint .", steps, line: 3 }] } as never;
  const ways = "was not found: install it, or correct the command";
  expect(await missingPrograms(folder.dir, [unit("pending"), unit("complete")], choo)).toEqual([
    { file: ".choo.yaml", line: 3, message: `baseline check lint: nosuchlint ${ways}` },
    { file: "1.md", line: 4, message: `backpressure: nosuchtool ${ways}` },
    { file: "4.md", line: 4, message: "backpressure: ./tasks is a folder, not a program: correct the command" },
  ]);
  expect(await missingPrograms(folder.dir, [unit("in_progress")], choo)).toEqual([]);
});
