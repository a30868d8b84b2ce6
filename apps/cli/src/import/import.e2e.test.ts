import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { epicFiles } from "../../../../libs/engine/src/golden/testing/sample-epics.ts";
import { storyText } from "../../../../libs/engine/src/golden/testing/sample-stories.ts";
import { unitFiles } from "../../../../libs/engine/src/golden/testing/sample-units.ts";
import { anneal } from "../testing/anneal.ts";
import { project } from "../testing/project.ts";

test("anneal import says what a repository holds, what was understood of it, and what is wrong where; nothing changes", async () => {
  const settings = { testCommand: "true" };
  using here = project({ f1: { steps: [], dependencies: ["f2"] }, f2: { steps: [] } }, { settings });
  here.commit({
    ...epicFiles({ bucket: {}, route: { after: ["bucket"], critical: false } }),
    "docs/stories/3.1.md": storyText("3.1", "Lend books"),
    ...unitFiles("shell", [["Build", "test -e a"]]),
  });
  const status = here.git("status", "--porcelain", "--ignored");
  const fine = await here.anneal("import", ".");
  expect(fine).toMatchObject({ code: 0, stderr: "" });
  expect(fine.stdout).toBe(`1 epic
  limits  2 tickets, 1 critical, 1 dependencies, 2 criteria, 2 waves  .epics/limits/limits.epic.yaml
  → anneal epic run .epics/limits/limits.epic.yaml

1 story
  3.1  Lend books  2 criteria, 1 tasks, pending  docs/stories/3.1.md
  → anneal story run docs/stories/3.1.md

1 unit
  shell  The shell  1 tasks, pending  specs/tasks/shell/IMPLEMENTATION_PLAN.md
  → anneal unit run shell

2 features
  f1  Add f1  backlog, after f2  .automaker/features/f1/feature.json
  f2  Add f2  backlog  .automaker/features/f2/feature.json
  → anneal run f2
`);

  const elsewhere = await anneal(process.cwd(), ["import", here.dir]);
  expect(elsewhere.stdout).toBe(fine.stdout.replaceAll("→ anneal ", `→ anneal -C ${here.dir} `));
  expect(here.git("status", "--porcelain", "--ignored")).toBe(status);

  here.write({
    ".epics/limits/limits.epic.yaml": "name: limits\ntickets:\n  - name: a\n    dependencies: [b]\n",
    "docs/stories/3.1.md": "---\nid: 3.1\ndepends_on: [9.9]\n---\n\n# Story 3.1: Lend\n",
    "specs/tasks/shell/IMPLEMENTATION_PLAN.md": "---\nunit: other\n---\n# The shell\n",
    "plan/x.md": "---\nid: a/b\n---\n\n# Story x: y\n",
    ".choo.yaml": "code_review:\n  provider: nobody\n",
    ".automaker/features/f1/feature.json": '{\n  "id": "f1",\n',
  });
  const wrong = await here.anneal("import", ".");
  expect(wrong.code).toBe(1);
  for (const place of [
    /✘ \.epics\/limits\/limits\.epic\.yaml:4: a depends on b/,
    /✘ docs\/stories\/3\.1\.md:3: depends_on: there is no story "9\.9"/,
    /✘ plan\/x\.md:2: id: a story id consists of letters and digits, joined by single dots or dashes/,
    /✘ specs\/tasks\/shell\/IMPLEMENTATION_PLAN\.md:\d+: /,
    /✘ \.choo\.yaml:2: /,
    /✘ \.automaker\/features\/f1\/feature\.json:\d+: /,
  ])
    expect(wrong.stdout).toMatch(place);
  const data = JSON.parse((await here.anneal("import", ".", "--json")).stdout);
  expect(data.epics).toMatchObject({ items: [], problems: [{ line: 3 }, { line: 4 }] });
  expect(data.features.items.map(({ id }: { id: string }) => id)).toEqual(["f2"]);
});

test("anneal import advises to run only what can run", async () => {
  const feature = (id: string, more: object = {}) => ({
    [`.automaker/features/${id}/feature.json`]: JSON.stringify({ id, description: id, status: "backlog", ...more }),
  });
  using here = project({});
  const plan = "---\nunit: other\n---\n# The shell\n";
  here.write({
    "docs/stories/3.1.md": "---\nbranch: main\n---\n\n# Story 3.1: Lend\n",
    "docs/stories/3.2.md": "---\ndepends_on: 3.1\n---\n\n# Story 3.2: Take back\n",
    ...unitFiles("a", [["Build", "test -e a"]]),
    "specs/tasks/a/01-build.md": "# No front matter\n",
    ".automaker/features/f1/feature.json": "{",
    ...feature("f2", { dependencies: ["f1"] }),
  });
  const commands = async () => {
    const { stdout } = await here.anneal("import", ".");
    return [...stdout.matchAll(/→ anneal (.*)/g)].map(([, words]) => words);
  };
  expect(await commands()).toEqual([]);

  here.write({
    "docs/stories/3.3.md": "# Story 3.3: Sell\n",
    ...unitFiles("b", [["Build", "test -e a"]]),
    ...feature("f3", { dependencies: ["story:3.3"] }),
  });
  expect(await commands()).toEqual(["story run docs/stories/3.3.md", "unit run b", "run f3"]);

  here.write({ ".choo.yaml": "code_review:\n  provider: nobody\n", "specs/tasks/c/IMPLEMENTATION_PLAN.md": plan });
  expect(await commands()).toEqual(["story run docs/stories/3.3.md", "run f3"]);
});

test("anneal import tells of a test command that keeps items from running as their run does, where they need one, and advises nothing that is done", async () => {
  const AT = ".automaker/settings.json";
  using here = project({ f1: { steps: [] } });
  here.write({
    ...epicFiles({ bucket: {} }),
    "docs/stories/3.1.md": storyText("3.1", "Lend books"),
    ...unitFiles("shell", [["Build", "test -e a"]]),
  });
  const told = async (testCommand?: string) => {
    here.write({ [AT]: JSON.stringify({ version: 1, testCommand }, null, 2) });
    const { code, stdout } = await here.anneal("import", ".");
    return { code, lines: [...stdout.matchAll(/^ {2}([→✘].*)$/gm)].map(([, line]) => line) };
  };
  const runs = ["story run docs/stories/3.1.md", "unit run shell", "run f1"].map((words) => `→ anneal ${words}`);
  const none = `✘ ${AT}:1: no "testCommand" is set, and a ticket is only reviewed when its tests pass: set one, such as "npm test"`;
  expect(await told()).toEqual({ code: 1, lines: [none, ...runs] });

  const missing = `✘ ${AT}:3: testCommand: nosuchprogram was not found: install it, or correct the command`;
  expect(await told("nosuchprogram all")).toEqual({ code: 1, lines: [missing, missing, missing, missing] });

  here.write({
    ".epics/limits/limits.epic.yaml": null,
    ".epics/limits/tickets/bucket.md": null,
    "docs/stories/3.1.md": `---\nstatus: done\n---\n${storyText("3.1", "Lend books")}`,
    "specs/tasks/shell/IMPLEMENTATION_PLAN.md": "---\nunit: shell\norch_status: complete\n---\n\n# The shell\n",
    ".automaker/features/f1/feature.json": JSON.stringify({ id: "f1", description: "f1", status: "completed" }),
  });
  expect(await told("nosuchprogram all")).toEqual({ code: 0, lines: [] });
});

test("anneal import prints commands that work in the folder where they are read", async () => {
  using here = project({}, { settings: { testCommand: "true" } });
  here.commit({
    ...epicFiles({ bucket: {} }),
    "pkg/my app/docs/it's 3.1.md": storyText("3.1", "Lend books"),
    ...unitFiles("shell", [["Build", "test -e a"]]),
    "pkg/my app/shell/index.js": "export {};\n",
  });
  const below = join(here.dir, "pkg/my app");
  const { stdout } = await anneal(below, ["import", "."]);
  const commands = [...stdout.matchAll(/→ anneal (.*)/g)].map(([, words = ""]) => words);
  expect(commands).toEqual([
    "epic run ../../.epics/limits/limits.epic.yaml",
    "story run 'docs/it'\\''s 3.1.md'",
    "unit run ../../specs/tasks/shell",
  ]);
  here.write({ ".automaker/scripts/limits/bucket.json": JSON.stringify({ name: "scripted", steps: [] }) });
  for (const command of commands) {
    const pasted = execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" });
    const run = await anneal(below, [...pasted.trim().split("\n"), "--dry-run"]);
    expect(run.stdout, run.stderr).toMatch(/^\[DRY-RUN\]/);
  }
});
