import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { epicFiles } from "../../../../libs/engine/src/golden/testing/sample-epics.ts";
import { storyText } from "../../../../libs/engine/src/golden/testing/sample-stories.ts";
import { unitFiles } from "../../../../libs/engine/src/golden/testing/sample-units.ts";
import { type Files, makeRepo, openTestRepo, type TestRepo } from "../../../../libs/git/src/testing/make-repo.ts";
import { anneal } from "../testing/anneal.ts";
import { tempFolder } from "../testing/temp.ts";

const STORY = "docs/stories/1.1.md";
const DONE = "docs/stories/0.9.md";
const NEW_STORY = "docs/stories/1.2.md";
const PLAN = "specs/tasks/greeting/IMPLEMENTATION_PLAN.md";
const TASK = "specs/tasks/greeting/01-build.md";
const SECOND = "specs/tasks/greeting/02-greet.md";
const EPIC = ".epics/limits/limits.epic.yaml";
const TICKET = ".epics/limits/tickets/bucket.md";

const UNIT = unitFiles("greeting", [
  ["Build", "test -e a"],
  ["Greet", "test -e b"],
]);
const FILES: Files = {
  "README.md": "hello\n",
  ".gitignore": ".automaker/\n",
  [STORY]: storyText("1.1", "Lend books", "depends_on: 0.9\n"),
  [DONE]: storyText("0.9", "Have books").replace("status: pending", "status: done"),
  ...UNIT,
  ...epicFiles({ bucket: {} }),
};

interface Trees extends Disposable {
  main: TestRepo;
  linked: TestRepo;
}

/** A repository, and a work tree of it on the branch `wt` in which other files are committed. */
function trees(changed: Files): Trees {
  const main = makeRepo(FILES);
  main.write({ ".automaker/settings.json": JSON.stringify({ version: 1, testCommand: "true" }) });
  const folder = tempFolder();
  const path = join(folder.path, "wt");
  main.git("worktree", "add", "--quiet", "-b", "wt", path);
  const linked = openTestRepo(path);
  linked.commit(changed, "on the branch");
  return {
    main,
    linked,
    [Symbol.dispose]() {
      folder[Symbol.dispose]();
      main.remove();
    },
  };
}

const inReview = `${FILES[STORY]}`.replace("status: pending", "status: review");
const edited = (path: string) => `${FILES[path]}\nAnd something new.\n`;
const differs = ({ main, linked }: Trees, path: string) =>
  `${join(linked.dir, path)} differs from ${join(main.dir, path)}, which loops read: ` +
  `merge or copy it to ${main.dir}, or run that version with anneal -C ${main.dir}`;
const missing = ({ main, linked }: Trees, path: string) =>
  `${join(linked.dir, path)} is not in ${main.dir}, where loops read it: merge or copy it there first`;

describe("in a linked work tree, work items that say something else than those of the project are refused", () => {
  test.concurrent.for<{ what: string; changed: Files; args: string[]; says: (at: Trees) => string }>([
    {
      what: "a story that differs",
      changed: { [STORY]: edited(STORY) },
      args: ["story", "run", STORY],
      says: (at) => differs(at, STORY),
    },
    {
      what: "a story that asks here for its review",
      changed: { [STORY]: inReview },
      args: ["story", "run", STORY],
      says: (at) => differs(at, STORY),
    },
    {
      what: "a story that is only here",
      changed: { [NEW_STORY]: storyText("1.2", "Take back") },
      args: ["story", "run", NEW_STORY],
      says: (at) => missing(at, NEW_STORY),
    },
    {
      what: "all units, of which a plan differs",
      changed: { [PLAN]: edited(PLAN) },
      args: ["unit", "run", "specs/tasks"],
      says: (at) => differs(at, PLAN),
    },
    {
      what: "a unit that has another task here, by its name",
      changed: { "specs/tasks/greeting/03-more.md": `${FILES[TASK]}`.replace("task: 1", "task: 3") },
      args: ["unit", "run", "greeting"],
      says: (at) => missing(at, "specs/tasks/greeting/03-more.md"),
    },
    {
      what: "a unit that has a task less here",
      changed: { [SECOND]: null },
      args: ["unit", "run", "specs/tasks/greeting"],
      says: ({ main, linked }) =>
        `${join(linked.dir, SECOND)} is gone, but loops read ${join(main.dir, SECOND)}: ` +
        `remove it there too, or run that version with anneal -C ${main.dir}`,
    },
    {
      what: "a story that waits for one that differs",
      changed: { [DONE]: edited(DONE) },
      args: ["story", "run", STORY],
      says: (at) => differs(at, DONE),
    },
    {
      what: "a unit that is only here, by its folder",
      changed: unitFiles("parting", [["Build", "test -e b"]]),
      args: ["unit", "run", "specs/tasks/parting"],
      says: (at) => missing(at, "specs/tasks/parting"),
    },
    {
      what: "an epic with a ticket that differs, by its file",
      changed: { [TICKET]: edited(TICKET) },
      args: ["epic", "run", EPIC],
      says: (at) => differs(at, TICKET),
    },
    {
      what: "an epic that differs, by its name",
      changed: { [EPIC]: `${FILES[EPIC]}# more\n` },
      args: ["epic", "run", "limits"],
      says: (at) => differs(at, EPIC),
    },
    {
      what: "an epic that is only here",
      changed: { ".epics/better/better.epic.yaml": "name: better\ntickets:\n  - name: a\n    description: b\n" },
      args: ["epic", "run", ".epics/better"],
      says: (at) => missing(at, ".epics/better"),
    },
  ])("$what", async ({ changed, args, says }) => {
    using at = trees(changed);
    const run = await anneal(at.linked.dir, [...args, "--agent", "builtin"]);
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: `anneal ${args[0]}: ${says(at)}\n` });
    expect(existsSync(join(at.main.dir, ".git/anneal/log.db"))).toBe(false);
    const listed = await anneal(at.linked.dir, ["import", "."]);
    expect(listed.code).toBe(1);
    const [path = "", ...words] = says(at)
      .slice(at.linked.dir.length + 1)
      .split(" ");
    expect(listed.stdout).toContain(`✘ ${path}:1: ${words.join(" ")}
`);
  });
});

describe("in a linked work tree where they are the same", () => {
  test.concurrent.for([
    { args: ["story", "run", STORY], says: "[DRY-RUN] Would build Story 1.1" },
    { args: ["unit", "run", "specs/tasks"], says: "greeting  The greeting: wave 1" },
    { args: ["unit", "run", "specs/tasks/greeting"], says: "[DRY-RUN] Into wt at" },
    { args: ["epic", "run", EPIC, "--agent", "claude"], says: "[DRY-RUN] Epic limits: 1 ticket" },
  ])("$args goes on with those of the project", async ({ args, says }) => {
    using at = trees({ "src/a.js": "1\n" });
    const run = await anneal(at.linked.dir, [...args, "--dry-run"], { ANTHROPIC_API_KEY: "none" });
    expect(run.stdout, run.stderr).toContain(says);
    expect(run.code).toBe(0);
  });

  test.concurrent("what Anneal itself has written into those of the project does not count", async () => {
    using at = trees({ "src/a.js": "1\n" });
    at.main.write({
      [STORY]: inReview,
      [PLAN]: `${FILES[PLAN]}`.replace("orch_branch: null", "orch_branch: unit/greeting\norch_worktree: here"),
      [TASK]: `${FILES[TASK]}`.replace("status: pending", "status: in_progress"),
    });
    expect(at.main.git("status", "--porcelain").split("\n")).toHaveLength(3);
    at.linked.git("commit", "--quiet", "--allow-empty", "--message", "Lend books");
    at.main.git("branch", "story-1-1-lend-books", at.linked.git("rev-parse", "HEAD"));
    const story = await anneal(at.linked.dir, ["story", "run", STORY, "--dry-run"]);
    expect(story).toMatchObject({ code: 0, stdout: expect.stringContaining("Story 1.1 round 1") });
    const unit = await anneal(at.linked.dir, ["unit", "run", "specs/tasks", "--dry-run"]);
    expect(unit).toMatchObject({ code: 0, stdout: expect.stringContaining("greeting") });
    expect(await anneal(at.linked.dir, ["import", "."])).toMatchObject({ code: 0 });
  });
});
