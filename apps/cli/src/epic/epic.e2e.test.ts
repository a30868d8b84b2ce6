import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as given from "../../../../libs/engine/src/golden/testing/sample-epics.ts";
import { type Project, project } from "../testing/project.ts";

const TWO: given.SampleTickets = { bucket: {}, route: { after: ["bucket"], critical: false } };
const FILE = ".epics/limits/limits.epic.yaml";
const TESTED = { settings: { testCommand: "test -d src" } };

/** A project with an epic; its tickets are played by scripts. */
function epicProject(steps: Record<string, object[]>, options: { settings?: object } = TESTED): Project {
  const here = project({}, options);
  here.commit({ "src/index.js": "export {};\n", ...given.epicFiles(TWO) }, "the epic");
  for (const [id, played] of Object.entries(steps)) plan(here, id, played);
  return here;
}

function plan(here: Project, id: string, played: object[]): void {
  const steps = given.playedBy(id, played);
  here.write({ [`.automaker/scripts/limits/${id}.json`]: JSON.stringify({ name: "scripted", model: "m-1", steps }) });
}

const route = [given.build("route"), given.pass];
const state = (here: Project) =>
  JSON.parse(readFileSync(join(here.dir, ".epics/limits/artifacts/epic-state.json"), "utf8"));

describe("anneal epic", () => {
  test.concurrent("says what it would do, runs the tickets in waves, merges them, and shows where they stand", async () => {
    const { answer, role } = given.fail("a burst");
    const issue = { dimension: "code_quality", message: "a \u001b[31mburst <b>", required_action: "Limit it" };
    const hostile = { role, answer: { ...answer, blocking_issues: [issue] } };
    const bucket = [given.build("bucket"), hostile, given.revise("bucket", "null"), given.pass];
    using here = epicProject({ bucket, route });
    const dry = await here.anneal("epic", "run", FILE, "--dry-run");
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(dry.stdout).toMatch(
      /^\[DRY-RUN\] Epic limits: 2 tickets in 2 waves, from [0-9a-f]{12}, into epic\/limits\nImplemented by scripted:.*, reviewed by .*, revised by .*\nWave 1\n {2}bucket {2}Build bucket\n {6}ticket\/bucket from [0-9a-f]{12}\nWave 2\n {2}route {2}Build route \(not critical\)\n {6}ticket\/route from ticket\/bucket\nThen merged into epic\/limits: bucket, route\n$/,
    );
    expect(here.git("branch", "--format=%(refname:short)")).toBe("main");

    const run = await here.anneal("epic", "run", "limits", "--concurrency", "2");
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toMatch(/ticket:limits\/bucket {2}✘ round 1 rejected, 2 blockers: a .*burst <b>/);
    expect(run.stderr).toContain("ticket:limits/bucket  ✔ round 2 passed → completed\n");
    expect(run.stderr).toContain("epic:limits  merging bucket, 1 to follow\n");
    expect(run.stdout).toContain("Epic limits: completed, 2 of 2 tickets completed\n");
    expect(`${run.stdout}${run.stderr}`).not.toContain("\u001b");
    expect(state(here)).toMatchObject({ status: "completed", tickets: { bucket: { revision_count: 1 } } });
    expect(here.git("log", "--first-parent", "-2", "--format=%s", "epic/limits")).toBe(
      "Merge ticket/route into epic/limits\nMerge ticket/bucket into epic/limits",
    );

    const status = await here.anneal("epic", "status", ".epics/limits", "--reports");
    expect(status.stdout).toMatch(
      /^Epic limits: completed, 2 of 2 tickets completed, from [0-9a-f]{12} into epic\/limits\n/,
    );
    expect(status.stdout).toMatch(/ticket:limits\/bucket +Build bucket +completed +passed +2\/3/);
    expect(status.stdout).toContain("bucket, attempt 1: pass, 95/100\n");
    const data = JSON.parse((await here.anneal("epic", "status", "limits", "--json")).stdout);
    expect(data).toMatchObject({
      status: "completed",
      unmerged: [],
      tickets: [{ wave: 1 }, { wave: 2, buildsOn: ["bucket"] }],
    });
    expect((await here.anneal("history", "epic:limits")).stdout).toMatch(
      /merged +[0-9a-f]{12}, checks passed +→ ended/,
    );
    expect((await here.anneal("export", "limits/bucket")).stdout).toContain('"holds": true');
  });

  test.concurrent("a ticket that waits is an exit code of 1, and resume sends it on", async () => {
    using here = epicProject({ bucket: [{ role: "implementer", answer: "Hm." }], route });
    const run = await here.anneal("epic", "run", FILE);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("ticket:limits/route did not start: it depends on ticket:limits/bucket");
    expect(run.stdout).toContain("Epic limits: in-progress, 0 of 2 tickets completed\n");
    const left = join(`${here.dir}.anneal`, "ticket-limits-bucket-926c6835/mine.txt");
    writeFileSync(left, "mine\n");
    const refused =
      /ticket:limits\/bucket (?:would be refused|could not run): \S+bucket-926c6835 has uncommitted changes/;
    const dry = await here.anneal("epic", "resume", FILE, "--dry-run");
    expect([dry.code, dry.stdout]).toEqual([2, expect.stringMatching(refused)]);
    rmSync(left);
    const idle = { role: "implementer", answer: "Hm." };
    plan(here, "bucket", [idle, given.build("bucket"), given.pass]);
    const again = await here.anneal("epic", "resume", FILE, "--json");
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain("anneal epic: ticket:limits/bucket: retry taken\n");
    const types = again.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(expect.arrayContaining(["loop:merged"]));
    expect(state(here)).toMatchObject({ status: "completed" });
  });
});

describe("what is wrong with an epic is told with file and line, and nothing is started", () => {
  const yaml = (tickets: string) => ({ [FILE]: `name: limits\ntickets:${tickets}` });
  const ticket = (name: string, after = "") =>
    `\n  - name: ${name}\n    description: Build it\n    dependencies: [${after}]`;
  test.concurrent.for<{
    what: string;
    files?: Record<string, string>;
    args?: string[];
    settings?: object;
    says: RegExp;
  }>([
    {
      what: "a circle",
      files: yaml(`${ticket("a", "b")}${ticket("b", "a")}\n`),
      says: /limits\.epic\.yaml:5: tickets depend on each other: a → b → a$/m,
    },
    {
      what: "an unknown dependency",
      files: yaml(`${ticket("a", "gone")}\n`),
      says: /limits\.epic\.yaml:5: a depends on gone, which is not a ticket of this epic$/m,
    },
    {
      what: "two tickets with one name",
      files: yaml(`${ticket("a")}${ticket("a")}\n`),
      says: /limits\.epic\.yaml:6: two tickets are called a; the first is on line 3$/m,
    },
    {
      what: "two tickets with one name, the second after the first",
      files: yaml(`${ticket("a")}${ticket("a", "a")}\n`),
      says: /limits\.epic\.yaml:6: two tickets are called a; the first is on line 3$/m,
    },
    { what: "no tickets", files: yaml(" []\n"), says: /limits\.epic\.yaml:2: the epic has no tickets$/m },
    {
      what: "front matter that is not YAML",
      files: { ".epics/limits/tickets/bucket.md": "---\na: [\n---\n# Build bucket\n" },
      says: /tickets\/bucket\.md:\d: it is not valid YAML/,
    },
    {
      what: "a damaged epic-state.json",
      files: { ".epics/limits/artifacts/epic-state.json": '{\n  "epic_id": "limits",\n' },
      says: /artifacts\/epic-state\.json:\d: /,
    },
    {
      what: "a ticket of the same name in another epic",
      files: { ".epics/better/better.epic.yaml": `name: better\ntickets:${ticket("bucket")}\n` },
      says: /limits\.epic\.yaml:1: this epic and \.epics\/better\/better\.epic\.yaml both have a ticket with the branch ticket\/bucket: rename one of the tickets$/m,
    },
    {
      what: "damaged settings",
      files: { ".automaker/settings.json": '{\n  "testCommand": "test -d src"\n' },
      says: /^anneal epic: \.automaker\/settings\.json:\d+: .*; nothing runs until you fix it$/m,
    },
    { what: "no test command", settings: {}, says: /\.automaker\/settings\.json:1: no "testCommand" is set/ },
    ...[[], ["--dry-run"]].map((args) => ({
      what: `a test program that is not there (${["run", ...args].join(" ")})`,
      args,
      settings: { testCommand: "nosuchprogram all" },
      says: /^anneal epic: \.automaker\/settings\.json:1: testCommand: nosuchprogram was not found: install it/,
    })),
    {
      what: "a base that does not exist",
      args: ["--base", "gone"],
      says: /the epic cannot start from gone, which does not exist/,
    },
    {
      what: "a reviewer that gives no scores",
      args: ["--reviewer", "builtin"],
      says: /the builtin reviewer gives no scores/,
    },
    { what: "a script that is missing", args: ["--agent", "scripted:gone.json"], says: /gone\.json/ },
  ])("$what", async ({ files = {}, args = [], settings = TESTED.settings, says }) => {
    using here = epicProject({ bucket: [], route: [] }, { settings });
    here.write(files);
    const { code, stderr, stdout } = await here.anneal("epic", "run", FILE, ...args);
    expect(stderr).toMatch(says);
    expect({ code, stdout, lines: stderr.trim().split("\n").length }).toEqual({ code: 2, stdout: "", lines: 1 });
    expect(here.git("branch", "--format=%(refname:short)")).toBe("main");
    expect(existsSync(join(here.dir, ".git/anneal/log.db"))).toBe(false);
    for (const [path, content] of Object.entries(files))
      expect(readFileSync(join(here.dir, path), "utf8")).toBe(content);
  });
});
