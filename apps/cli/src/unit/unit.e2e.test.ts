import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signed } from "../../../../libs/core/src/read/testing/sign-off.ts";
import { unitFiles } from "../../../../libs/engine/src/golden/testing/sample-units.ts";
import { type Files, makeRepo, type TestRepo } from "../../../../libs/git/src/testing/make-repo.ts";
import { anneal } from "../testing/anneal.ts";

const writes = (role: string, path: string, content: string) => ({
  role,
  answer: `Wrote ${path}.`,
  edits: [{ path, content }],
});
const unit = (name: string, dependsOn: string[] = []) => unitFiles(name, [["Build", `test -s ${name}.js`]], dependsOn);
const review = (issues: object[]) => ({
  role: "reviewer",
  answer:
    issues.length === 0
      ? { passed: true, summary: "Read.", issues, sign_off: signed }
      : { passed: false, summary: "Read.", issues },
});
const ISSUE = { file: "one.js", line: 1, severity: "error", message: "Not typed", suggestion: "Type it" };

/** A repository with units, on the feature branch `topic`; scripts play their tasks and, apart from them, the review. */
function project(files: Files, scripts: Record<string, object[]>): TestRepo {
  const repo = makeRepo({ "README.md": "hello\n", ".gitignore": ".automaker/\n", ...files });
  repo.git("switch", "--quiet", "--create", "topic");
  for (const [name, steps] of Object.entries(scripts)) {
    repo.write({ [`.automaker/scripts/${name}.json`]: JSON.stringify({ name, steps, repeatLast: true }) });
  }
  return repo;
}

const AGENTS = [
  "--agent",
  "scripted:.automaker/scripts/{id}.json",
  "--reviewer",
  "scripted:.automaker/scripts/review.json",
];

describe("anneal unit", () => {
  test.concurrent("names a key of code_review that nobody knows, and the ones that are known: status and dry run", async () => {
    const choo = { ".choo.yaml": "code_review:\n  provider: claude\n  max_fixes: 3\n" };
    using repo = project({ ...unit("one"), ...choo }, {});
    const note =
      ".choo.yaml:3: code_review.max_fixes is unknown and has no effect; known: enabled, provider, max_fix_iterations, command";
    const status = await anneal(repo.dir, ["unit", "status"]);
    expect([status.code, status.stderr]).toEqual([0, `anneal unit: ${note}\n`]);
    expect((await anneal(repo.dir, ["unit", "run", "one", "--dry-run"])).stdout).toContain(`! ${note}`);
  });

  test.concurrent("runs units into the branch that is checked out, with every event as a line of JSON", async () => {
    using repo = project(
      { ...unit("one"), ...unit("two", ["one"]) },
      {
        one: [writes("implementer", "one.js", "1\n"), writes("fixer", "one.js", "1;\n")],
        two: [writes("implementer", "two.js", "2\n"), writes("fixer", "two.js", "2;\n")],
        review: [review([ISSUE])],
      },
    );
    const run = await anneal(repo.dir, ["unit", "run", "specs/tasks", ...AGENTS, "--json"]);
    expect([run.code, run.stderr]).toEqual([0, ""]);
    const events = run.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const seed = events.filter(({ type }) => type.startsWith("codereview.")).map(({ type }) => type);
    const each = ["codereview.started", "codereview.issues_found", "codereview.fix_applied"];
    expect(seed).toEqual([...each, ...each]);
    expect(events.at(-1)).toMatchObject({ type: "loop:merged", payload: { item: "unit:two", stage: "ended" } });
    expect(repo.git("log", "--first-parent", "--format=%s", "topic").split("\n")).toEqual([
      "Merge unit two into topic",
      "Merge unit one into topic",
      "first",
    ]);
    expect(repo.git("rev-parse", "main")).toBe(repo.git("rev-parse", "topic~2"));
    expect(readFileSync(join(repo.dir, "two.js"), "utf8")).toBe("2;\n");
    const status = JSON.parse((await anneal(repo.dir, ["unit", "status", "--json"])).stdout);
    expect(status).toMatchObject([
      { id: "unit:one", status: "complete", tasks: [{ status: "complete" }], loop: { outcome: "merged" } },
      { id: "unit:two", status: "complete", dependsOn: ["one"] },
    ]);
    const shown = JSON.parse((await anneal(repo.dir, ["show", "two", "--json"])).stdout);
    expect(shown).toMatchObject({
      kind: "unit",
      loop: { policy: "advisory", agents: { reviewer: expect.stringMatching(/review\.json$/) } },
    });
    const history = await anneal(repo.dir, ["history", "unit:one"]);
    expect(history.stdout).toMatch(/merged +[0-9a-f]{12}, checks passed {2}→ ended\n$/);
    const certificate = JSON.parse((await anneal(repo.dir, ["export", "unit:one"])).stdout);
    expect(certificate).toMatchObject({ holds: false, outcome: "merged", branch: "unit/one" });
  });

  test.concurrent("shows with --dry-run what it would do, and does nothing", async () => {
    using repo = project(
      {
        ...unit("one"),
        ...unit("two", ["one"]),
        ".choo.yaml": "code_review:\n  provider: claude\n  command: nosuch-claude\n",
      },
      {},
    );
    const args = ["unit", "run", "specs/tasks/two", "one", "--dry-run"];
    const { code, stdout } = await anneal(repo.dir, args);
    expect(code).toBe(0);
    const from = repo.git("rev-parse", "topic").slice(0, 12);
    expect(stdout).toBe(
      [
        `[DRY-RUN] Into topic at ${from}; review by claude, which is not available (at most 1 fix)`,
        "one  The one: wave 1",
        "   1  Build  test -s one.js",
        "two  The two: wave 2, after one",
        "   1  Build  test -s two.js",
        "",
      ].join("\n"),
    );
    const data = JSON.parse((await anneal(repo.dir, [...args, "--json"])).stdout);
    expect(data).toMatchObject({ into: "topic", review: { provider: "claude" }, units: [{ wave: 1 }, { wave: 2 }] });
    expect(repo.git("status", "--porcelain", "--ignored")).toBe("");
    const { stdout: text } = await anneal(repo.dir, ["unit", "status"]);
    expect(text).toContain("unit:one  The one (0 of 1 task)  pending");
    expect(text).toContain("after one");
  });

  test.concurrent("a conflict waits for a person with exit code 1; merged by hand and retried, it is done", async () => {
    const both = (name: string) => [
      {
        ...writes("implementer", `${name}.js`, "1\n"),
        edits: [`${name}.js`, "both.js"].map((path) => ({ path, content: `${name}\n` })),
      },
    ];
    using repo = project(
      { ...unit("one"), ...unit("two"), ".choo.yaml": "code_review:\n  enabled: false\n" },
      { one: both("one"), two: both("two") },
    );
    const agents = ["--agent", "scripted:.automaker/scripts/{id}.json"];
    const run = await anneal(repo.dir, ["unit", "run", "one", "two", ...agents, "--concurrency", "2"]);
    expect(run.code).toBe(1);
    const stuck = /^unit:(one|two) .*waits for you/m.exec(run.stdout)?.[1] ?? "";
    const told = run.stdout.replaceAll(/\s+/g, " ");
    expect(told).toContain("(conflict in both.js, because topic has moved: run git switch unit/");
    expect(told).toContain(
      `or merge unit/${stuck} into topic yourself; then anneal retry unit:${stuck} and anneal run`,
    );
    expect(told).toContain(`unit:${stuck}) → anneal retry | take-over | stop unit:${stuck}`);
    const folder = readdirSync(`${repo.dir}.anneal`).find((name) => name.startsWith(`unit-${stuck}-`)) ?? "";
    const left = join(`${repo.dir}.anneal`, folder, "mine.txt");
    writeFileSync(left, "mine\n");
    const dry = await anneal(repo.dir, ["unit", "run", stuck, "--dry-run"]);
    const refused = `✘ unit:${stuck} would be refused: ${join(`${repo.dir}.anneal`, folder)} has uncommitted changes`;
    expect([dry.code, dry.stdout]).toEqual([2, expect.stringContaining(refused)]);
    rmSync(left);
    expect(() => repo.git("merge", "--quiet", `unit/${stuck}`)).toThrow();
    repo.write({ "both.js": "both\n" });
    repo.git("commit", "--quiet", "--all", "--message", "by hand");
    const elsewhere = await anneal(repo.dir, ["unit", "run", stuck, ...agents, "--into", "main"]);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      2,
      expect.stringContaining("already runs and merges into topic"),
    ]);
    expect((await anneal(repo.dir, ["retry", stuck])).code).toBe(0);
    repo.git("switch", "--quiet", "--detach");
    repo.git("switch", "--quiet", "--create", "later");
    expect((await anneal(repo.dir, ["unit", "run", stuck, ...agents])).code).toBe(0);
    expect((await anneal(repo.dir, ["unit", "status", stuck])).stdout).toMatch(/complete +merged/);
    expect(repo.git("log", "-1", "--format=%s", "topic")).toBe("by hand");
  });
});

describe("anneal unit run refuses with the place, and starts nothing", () => {
  const plan = "specs/tasks/one/IMPLEMENTATION_PLAN.md";
  test.concurrent.for<{ what: string; files?: Files; args?: string[]; says: string }>([
    { what: "no unit", args: [], says: "name the folders of units" },
    { what: "an unknown unit", args: ["nope"], says: "nope is not a unit" },
    { what: "a folder elsewhere", args: [".."], says: ".. is not a unit" },
    { what: "a circle", files: unit("one", ["one"]), says: `${plan}:4: depends_on: ` },
    {
      what: "an unknown dependency",
      files: unit("one", ["zero"]),
      says: `${plan}:4: depends_on: there is no unit "zero"`,
    },
    {
      what: "an unfinished dependency",
      files: { ...unit("one", ["two"]), ...unit("two") },
      says: `${plan}:4: depends_on: two is not complete`,
    },
    { what: "front matter that is not YAML", files: { [plan]: "---\nunit: [one\n---\n" }, says: `${plan}:` },
    {
      what: "a wrong provider",
      files: { ".choo.yaml": "code_review:\n  provider: gpt\n" },
      says: ".choo.yaml:2: code_review.provider: unknown",
    },
    {
      what: "a negative number",
      files: { ".choo.yaml": "code_review:\n  max_fix_iterations: -1\n" },
      says: ".choo.yaml:2: ",
    },
    ...[[], ["--dry-run"]].map((more) => ({
      what: `a test program that is not there (${["run", ...more].join(" ")})`,
      files: { ".automaker/settings.json": '{\n  "version": 1,\n  "testCommand": "nosuchprogram all"\n}\n' },
      args: ["one", ...AGENTS, ...more],
      says: "anneal unit: .automaker/settings.json:3: testCommand: nosuchprogram was not found: install it",
    })),
    {
      what: "a program of a check that is not there",
      files: { ".choo.yaml": "baseline_checks:\n  - name: lint\n    command: nosuchlint .\n" },
      says: "anneal unit: .choo.yaml:3: baseline check lint: nosuchlint was not found: install it",
    },
    {
      what: "nothing that is left to do, in a dry run too",
      files: { "specs/tasks/one/01-build.md": "---\ntask: 1\nstatus: complete\nbackpressure: test -s one.js\n---\n" },
      args: ["one", "--dry-run"],
      says: `anneal unit: ${plan}:3: every task of unit one is complete: write orch_status: complete`,
    },
    { what: "a branch that does not exist", args: ["one", "--into", "nope"], says: "there is no branch nope" },
    {
      what: "a branch of its own, in a dry run too",
      args: ["one", "--into", "unit/one", "--dry-run"],
      says: "unit one is built on unit/one itself",
    },
    {
      what: "an unknown reviewer",
      args: ["one", "--reviewer", "nope", "--agent", "scripted:.automaker/scripts/one.json"],
      says: 'unknown agent "nope" for the reviewer',
    },
    { what: "no agent for the tasks", says: "no agent is set for: implementer, fixer" },
    { what: "an unknown option", args: ["--help-me"], says: "help-me" },
  ])("$what", async ({ files = {}, args = ["one"], says }) => {
    using repo = project({ ...unit("one"), ...files }, { one: [] });
    const before = repo.git("status", "--porcelain");
    const run = await anneal(repo.dir, ["unit", "run", ...args]);
    expect([run.code, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain(says);
    expect([repo.git("status", "--porcelain"), existsSync(`${repo.dir}.anneal`)]).toEqual([before, false]);
  });
});
