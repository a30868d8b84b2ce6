import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type TempFolder, tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { findUnits, problemText, readUnit, readUnits, writePlan, writeTaskStatus } from "./index.ts";

const PLAN = `---
# === Author-provided (required) ===
unit: app-shell
depends_on: [config]  # other units

# === managed ===
orch_status: pending    # pending | in_progress | complete
orch_branch: null
orch_worktree:
orch_pr_number: null
provider: codex
---

# APP-SHELL Implementation Plan
`;
const TASK = `---
task: 1
status: pending   # pending | in_progress | complete | failed
backpressure: "cd koe && pnpm typecheck"
depends_on: []
---

# Navigation Types

Text.
`;
const plan = (unit: string, dependsOn: string[] = []) => `---\nunit: ${unit}\ndepends_on: [${dependsOn}]\n---\n`;
const task = (number: number, dependsOn: number[] = [], status = "pending") =>
  `---\ntask: ${number}\nstatus: ${status}\nbackpressure: make t${number}\ndepends_on: [${dependsOn}]\n---\n`;
const AT = "specs/tasks/app-shell";

/** A unit `app-shell` with these files over a good plan and a good task. */
function unitWith(folder: TempFolder, files: Record<string, string | null> = {}): void {
  const all = { "IMPLEMENTATION_PLAN.md": PLAN, "01-nav-types.md": TASK, ...files };
  for (const [name, text] of Object.entries(all)) if (text !== null) folder.write(`${AT}/${name}`, text);
}

describe("a unit", () => {
  test("is read with its plan and its tasks by number", async () => {
    using folder = tempFolder();
    unitWith(folder, { "10-last.md": task(3, [1, 2]), "02-next.md": task(2, [1]), "README.md": "x", "notes.md": "x" });
    const read = await readUnit(AT, folder.dir);
    expect(read).toMatchObject({
      ok: true,
      file: `${AT}/IMPLEMENTATION_PLAN.md`,
      title: "APP-SHELL Implementation Plan",
      unit: {
        plan: { unit: "app-shell", depends_on: ["config"], orch_status: "pending", provider: "codex" },
        tasks: [{ task: 1 }, { task: 2, depends_on: [1] }, { task: 3 }],
      },
      tasks: [
        {
          file: `${AT}/01-nav-types.md`,
          title: "Navigation Types",
          steps: [{ argv: ["pnpm", "typecheck"], folder: "koe" }],
        },
        { file: `${AT}/02-next.md`, title: "02-next", steps: [{ argv: ["make", "t2"] }] },
        { file: `${AT}/10-last.md` },
      ],
      lines: { unit: 3, dependsOn: [4] },
    });
  });

  test("a slash at the end of its folder changes nothing", async () => {
    using folder = tempFolder();
    unitWith(folder);
    expect(await readUnit(`${AT}/`, folder.dir)).toMatchObject({ ok: true, file: `${AT}/IMPLEMENTATION_PLAN.md` });
  });

  test.for<{ name: string; files: Record<string, string | null>; says: unknown[] }>([
    {
      name: "no plan",
      files: { "IMPLEMENTATION_PLAN.md": null },
      says: ["IMPLEMENTATION_PLAN.md:1: the file does not exist"],
    },
    {
      name: "a plan without front matter",
      files: { "IMPLEMENTATION_PLAN.md": "# Plan\n" },
      says: ["IMPLEMENTATION_PLAN.md:1: it has no front matter: begin it with `---`, a `unit` and `---`"],
    },
    {
      name: "a plan that is not YAML",
      files: { "IMPLEMENTATION_PLAN.md": "---\nunit: app-shell\ndepends_on: [a\n---\n" },
      says: [expect.stringMatching(/^IMPLEMENTATION_PLAN\.md:\d: front matter: it is not valid YAML/)],
    },
    {
      name: "a plan without a unit",
      files: { "IMPLEMENTATION_PLAN.md": "---\ndepends_on: []\n---\n" },
      says: ["IMPLEMENTATION_PLAN.md:2: unit: expected string, received undefined"],
    },
    {
      name: "a unit that leaves its folder",
      files: { "IMPLEMENTATION_PLAN.md": plan("../evil") },
      says: ["IMPLEMENTATION_PLAN.md:2: unit: a unit name consists of letters, digits, dashes and single dots"],
    },
    {
      name: "a unit of another name than its folder",
      files: { "IMPLEMENTATION_PLAN.md": plan("other") },
      says: [
        'IMPLEMENTATION_PLAN.md:2: the plan calls the unit "other", but its folder is named "app-shell"; make the names equal',
      ],
    },
    {
      name: "a status that nobody knows",
      files: { "IMPLEMENTATION_PLAN.md": PLAN.replace("orch_status: pending", "orch_status: shiny") },
      says: [
        'IMPLEMENTATION_PLAN.md:7: orch_status: unknown value "shiny"; known: pending, in_progress, pr_open, in_review, merging, complete, failed, blocked',
      ],
    },
    {
      name: "no tasks",
      files: { "01-nav-types.md": null },
      says: ["IMPLEMENTATION_PLAN.md:1: the unit has no tasks: add 01-name.md in its folder"],
    },
    {
      name: "a task without front matter",
      files: { "02-b.md": "# B\n" },
      says: ["02-b.md:1: it has no front matter: begin it with `---`, `task`, `status`, `backpressure` and `---`"],
    },
    {
      name: "a task without a command",
      files: { "02-b.md": "---\ntask: 2\nstatus: pending\n---\n" },
      says: ["02-b.md:2: backpressure: expected string, received undefined"],
    },
    {
      name: "a task with a number of the wrong kind",
      files: { "02-b.md": "---\ntask: 02-b\nstatus: pending\nbackpressure: x\n---\n" },
      says: ["02-b.md:2: task: expected number, received string"],
    },
    {
      name: "a task with a status that does not exist",
      files: { "02-b.md": task(2, [], "done") },
      says: ['02-b.md:3: status: expected one of "pending", "in_progress", "complete", "failed"'],
    },
    {
      name: "a task whose command needs a shell",
      files: { "02-b.md": task(2).replace("make t2", "make t2 | tee log") },
      says: [expect.stringMatching(/^02-b\.md:4: backpressure: \| in .* needs a shell/)],
    },
    {
      name: "two tasks with one number",
      files: { "02-b.md": task(1) },
      says: [`02-b.md:2: two tasks have the id "1": the other is ${AT}/01-nav-types.md:2`],
    },
    {
      name: "an unknown task to depend on",
      files: { "02-b.md": task(2, [7]) },
      says: ['02-b.md:5: depends_on: there is no task "7"'],
    },
    {
      name: "tasks that wait for each other",
      files: { "02-b.md": task(2, [3]), "03-c.md": task(3, [2]) },
      says: ["02-b.md:5: depends_on: tasks wait for each other: 2 → 3 → 2"],
    },
    {
      name: "a broken task that another depends on",
      files: { "02-b.md": "---\n", "03-c.md": task(3, [2]) },
      says: ["02-b.md:1: front matter: it is never closed; end it with a line `---`"],
    },
  ])("bad input is one clear message with its file and line: $name", async ({ files, says }) => {
    using folder = tempFolder();
    unitWith(folder, files);
    const before = folder.files();
    const read = await readUnit(AT, folder.dir);
    expect(read.ok ? [] : read.problems.map((problem) => problemText(problem).replace(`${AT}/`, ""))).toEqual(says);
    expect(folder.files()).toEqual(before);
  });
});

describe("units that belong together", () => {
  const put = (folder: TempFolder, units: Record<string, string[]>) => {
    for (const [name, dependsOn] of Object.entries(units)) {
      folder.write(`specs/tasks/${name}/IMPLEMENTATION_PLAN.md`, plan(name, dependsOn));
      folder.write(`specs/tasks/${name}/01-a.md`, task(1));
    }
  };

  test.for<{ name: string; units: Record<string, string[]>; says: string[] }>([
    { name: "a diamond is fine", units: { a: [], b: ["a"], c: ["a"], d: ["b", "c"] }, says: [] },
    {
      name: "an unknown unit",
      units: { a: ["z"] },
      says: ['specs/tasks/a/IMPLEMENTATION_PLAN.md:3: depends_on: there is no unit "z"'],
    },
    {
      name: "a circle",
      units: { a: ["c"], b: ["a"], c: ["b"] },
      says: ["specs/tasks/a/IMPLEMENTATION_PLAN.md:3: depends_on: units wait for each other: a → c → b → a"],
    },
  ])("$name", async ({ units, says }) => {
    using folder = tempFolder();
    put(folder, units);
    const dirs = Object.keys(units).map((name) => `specs/tasks/${name}`);
    const { problems } = await readUnits(dirs, { root: folder.dir });
    expect(problems.map(problemText)).toEqual(says);
  });

  test("one unit may depend on another that is not run with it", async () => {
    using folder = tempFolder();
    put(folder, { b: ["a"] });
    const options = { root: folder.dir, alsoKnown: new Set(["a"]) };
    expect((await readUnits(["specs/tasks/b"], options)).problems).toEqual([]);
  });

  test("are found below specs/tasks, where a folder without a plan is not a unit", async () => {
    using folder = tempFolder();
    put(folder, { b: ["a"], a: [] });
    folder.write("specs/tasks/notes/x.md", "# x\n");
    folder.write("specs/tasks/broken/IMPLEMENTATION_PLAN.md", "# x\n");
    folder.write("specs/README.md", "");
    symlinkSync(folder.path("specs/tasks/a"), folder.path("specs/tasks/link"));
    const { units, problems } = await findUnits(folder.dir);
    expect(units.map(({ dir }) => dir)).toEqual(["specs/tasks/a", "specs/tasks/b"]);
    expect(problems.map(({ file }) => file)).toEqual([
      "specs/tasks/broken/IMPLEMENTATION_PLAN.md",
      "specs/tasks/broken/IMPLEMENTATION_PLAN.md",
    ]);
    using empty = tempFolder();
    expect(await findUnits(empty.dir)).toEqual({ units: [], problems: [] });
  });
});

describe("writing a unit", () => {
  test("changes the managed values of its plan and not one other byte", async () => {
    using folder = tempFolder();
    unitWith(folder);
    const fields = {
      orch_status: "merging",
      orch_branch: "ralph/app-shell",
      orch_worktree: ".worktrees/a b",
      orch_pr_number: 42,
    };
    expect(await writePlan(folder.dir, AT, fields)).toBe(true);
    expect(await writePlan(folder.dir, AT, { orch_started_at: "2026-01-18T10:30:00Z" })).toBe(true);
    expect(folder.read(`${AT}/IMPLEMENTATION_PLAN.md`)).toBe(
      PLAN.replace("orch_status: pending ", "orch_status: merging ")
        .replace("orch_branch: null", "orch_branch: ralph/app-shell")
        .replace("orch_worktree:", 'orch_worktree: ".worktrees/a b"')
        .replace("orch_pr_number: null", "orch_pr_number: 42")
        .replace("provider: codex\n", 'provider: codex\norch_started_at: "2026-01-18T10:30:00Z"\n'),
    );
    expect(await writePlan(folder.dir, AT, fields)).toBe(false);
    expect(await readUnit(AT, folder.dir)).toMatchObject({ ok: true, unit: { plan: fields } });
  });

  test("puts back to null what is no longer known", async () => {
    using folder = tempFolder();
    unitWith(folder);
    await writePlan(folder.dir, AT, { orch_branch: "x", orch_pr_number: 7 });
    await writePlan(folder.dir, AT, { orch_branch: null, orch_pr_number: null });
    expect(folder.read(`${AT}/IMPLEMENTATION_PLAN.md`)).toBe(PLAN);
  });

  test("changes a task's status and not one other byte, also with Windows line ends", async () => {
    using folder = tempFolder();
    const windows = TASK.replaceAll("\n", "\r\n");
    unitWith(folder, { "01-nav-types.md": windows });
    expect(await writeTaskStatus(folder.dir, `${AT}/01-nav-types.md`, "in_progress")).toBe(true);
    expect(folder.read(`${AT}/01-nav-types.md`)).toBe(windows.replace("status: pending ", "status: in_progress "));
  });

  test("all tasks of a unit can be written at the same time", async () => {
    using folder = tempFolder();
    const names = Array.from({ length: 12 }, (_, n) => `${String(n + 1).padStart(2, "0")}-t.md`);
    unitWith(folder, Object.fromEntries([["01-nav-types.md", null], ...names.map((name, n) => [name, task(n + 1)])]));
    await Promise.all(names.map((name) => writeTaskStatus(folder.dir, `${AT}/${name}`, "complete")));
    const read = await readUnit(AT, folder.dir);
    expect(read.ok && read.unit.tasks.every(({ status }) => status === "complete")).toBe(true);
  });

  test("a damaged plan is never overwritten", async () => {
    using folder = tempFolder();
    unitWith(folder, { "IMPLEMENTATION_PLAN.md": "---\nunit: a: b\n---\n" });
    await expect(writePlan(folder.dir, AT, { orch_status: "merging" })).rejects.toThrow(
      /:2:1: front matter: it is not valid/,
    );
    expect(folder.read(`${AT}/IMPLEMENTATION_PLAN.md`)).toBe("---\nunit: a: b\n---\n");
  });
});
