import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LoopState } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { openReader } from "../history/reader.ts";
import { planEpic } from "../kinds/ticket/plan.ts";
import * as given from "./testing/sample-epics.ts";
import { stoppedClock } from "./testing/ticking-clock.ts";

const statuses = (project: given.EpicsProject) =>
  Object.fromEntries(Object.entries(project.state().tickets).map(([id, { status }]) => [id, status]));
const standsAt = (state: LoopState | undefined) =>
  state?.stage === "ended" ? state.outcome : state !== undefined && "reason" in state ? state.reason : state?.stage;
const writes = (path: string, content: string, report = true) => ({
  role: "implementer",
  answer: report ? given.reported("Done.", path) : "Done.",
  edits: [{ path, content }],
});
/** Reads everything that an epic leaves next to its plan. */
function artifacts({ root }: given.EpicsProject): string {
  const folder = join(root, ".epics/limits/artifacts");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  return files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

describe("a scorecard completes a ticket only if it has earned it", () => {
  const { security_performance: _, ...five } = given.scorecard().dimension_scores as Record<string, unknown>;
  const strings = { requirement_adherence: "95", test_quality: "high" };
  const HOSTILE = "\u001b]8;;http://evil\u0007\u001b[31m<script>alert(1)</script> red \u001b[0m";
  const hostile = given.scorecard({
    status: "fail",
    approved: false,
    revision_notes: "<script>alert(2)</script>",
    findings: [{ dimension: "code_quality", severity: "error", message: HOSTILE, suggestion: HOSTILE }],
    blocking_issues: [{ dimension: "code_quality", message: HOSTILE, required_action: HOSTILE }],
    pass_criteria_met: {
      all_critical_dimensions_pass: true,
      no_blocking_issues: false,
      overall_score_above_threshold: true,
    },
  });

  test("an unearned pass fails, a missing dimension and scores as text are no review, and a hostile report is stored harmless", async () => {
    const review = (answer: object) => ({ role: "reviewer", answer });
    const built = (name: string, answer: object) => [given.build(name), review(answer)];
    const steps = {
      unearned: built("unearned", given.scorecard({}, { requirement_adherence: 60 })),
      short: built("short", given.scorecard({ dimension_scores: five })),
      strings: built("strings", given.scorecard({}, strings)),
      hostile: [...built("hostile", hostile), given.revise("hostile", "null"), given.passRuling(2)],
    };
    const project = await given.epicsProject({ unearned: {}, short: {}, strings: {}, hostile: {} }, {});
    for (const [id, played] of Object.entries(steps)) {
      project.plan(`limits/${id}`, { steps: played, repeatLast: id !== "hostile" });
    }
    const { settled } = await project.runEpic({ limit: 2 });
    const stands = (id: string) => standsAt(settled.get(`ticket:limits/${id}`));
    expect(["short", "strings", "hostile"].map(stands)).toEqual(["review-broke", "review-broke", "passed"]);
    expect(settled.get("epic:limits")).toBeUndefined();
    expect(statuses(project)).toEqual({
      unearned: "executing",
      short: "reviewing",
      strings: "reviewing",
      hostile: "completed",
    });
    const { unearned, short, hostile: harmless } = project.state().tickets;
    expect(unearned?.review_history).toMatchObject([{ attempt: 0, status: "fail", overall_score: 87 }]);
    expect(unearned?.current_review_report?.pass_criteria_met.all_critical_dimensions_pass).toBe(false);
    expect(short).toMatchObject({ revision_count: 0, review_history: [], current_review_report: null });
    expect(harmless?.review_history?.map(({ status }) => status)).toEqual(["fail", "pass"]);
    const stored = artifacts(project);
    expect(stored).toContain("&lt;script>alert(1)&lt;/script>");
    for (const harmful of ["\\u001b", "\\u0007", "\u001b", "<script"]) expect(stored).not.toContain(harmful);
  });
});

describe("a ticket is reviewed only once it is valid", () => {
  test("a forgotten report, a criterion that is called unmet and a red test go back to the builder first", async () => {
    const says = (answer: string) => ({ role: "fixer", answer });
    const project = await given.epicsProject(
      { forgot: {}, unmet: { criteria: ["It works", "It is fast"] }, red: {} },
      {
        forgot: [
          writes("src/forgot.js", "export {};\n", false),
          says(given.reported("Sorry.", "src/forgot.js")),
          given.pass,
        ],
        unmet: [
          { ...writes("src/unmet.js", "export {};\n"), answer: given.reported("Half of it.", "src/unmet.js", false) },
          {
            role: "fixer",
            answer: given.reported("All of it.", "src/unmet.js", "src/fast.js"),
            edits: [given.code("fast", "0")],
          },
          given.pass,
        ],
        red: [
          {
            ...writes("src/red.js", "export const BROKEN = 1;\n"),
            edits: [
              { path: "src/red.js", content: "export const BROKEN = 1;\n" },
              { path: ".epics/limits/limits.epic.yaml", content: "name: mine\n" },
            ],
          },
          { role: "fixer", answer: "Mended.", edits: [given.code("red", "1")] },
          given.pass,
        ],
      },
      { settings: { testCommand: "bash -c '! grep -rq BROKEN src'" } },
    );
    const { settled } = await project.runEpic({ limit: 2 });
    expect(standsAt(settled.get("epic:limits"))).toBe("merged");
    expect(statuses(project)).toEqual({ forgot: "completed", unmet: "completed", red: "completed" });
    const failures = (await project.notifications()).flatMap(({ item, event }) =>
      event.type === "validated" && event.result === "failed" ? [`${item}: ${event.findings[0]?.title}`] : [],
    );
    expect(failures.sort()).toEqual([
      "ticket:limits/forgot: Not addressed: forgot works",
      "ticket:limits/red: `bash -c '! grep -rq BROKEN src'` fails",
      "ticket:limits/unmet: Not addressed: It is fast",
    ]);
    for (const { revision_count } of Object.values(project.state().tickets)) expect(revision_count).toBe(0);
    expect(project.repo.git("diff", "--name-only", "main", "epic/limits").split("\n")).toEqual([
      "src/fast.js",
      "src/forgot.js",
      "src/red.js",
      "src/unmet.js",
    ]);
  });
});

test("without a test command, or with a damaged state, no ticket starts", async () => {
  const steps = { one: [given.build("one"), given.pass] };
  const project = await given.epicsProject({ one: {} }, steps, { settings: { testCommand: undefined } });
  const why = async () => [...(await project.run(["ticket:limits/one"])).broken.values()].map(({ message }) => message);
  expect(await why()).toEqual([expect.stringMatching(/^\.automaker\/settings\.json:1: no "testCommand" is set/)]);
  project.repo.write({ [given.STATE]: '{ "epic_id": 7 }\n' });
  expect(await why()).toEqual([
    expect.stringMatching(/^epic limits cannot be run: \.epics\/limits\/artifacts\/epic-state\.json:1: /),
  ]);
  expect(project.repo.git("branch", "--format=%(refname:short)")).toBe("main");
  expect(readFileSync(join(project.root, given.STATE), "utf8")).toBe('{ "epic_id": 7 }\n');
});

describe("completed tickets are merged into the epic branch", () => {
  test("one after another; a red tree is reported and stays, a conflict waits for a person, and nothing is lost", async () => {
    const apart = "bash -c '! test -e one.txt || ! test -e three.txt'";
    const build = (id: string, both = "") => [
      {
        ...writes(`${id}.txt`, `${id}\n`),
        edits: [
          { path: `${id}.txt`, content: `${id}\n` },
          ...(both === "" ? [] : [{ path: "both.txt", content: both }]),
        ],
      },
      given.pass,
    ];
    const project = await given.epicsProject(
      { one: {}, two: {}, three: { critical: false } },
      { one: build("one", "one\n"), two: build("two", "two\n"), three: build("three") },
      { settings: { testCommand: apart }, clock: stoppedClock() },
    );
    const { settled } = await project.runEpic({ limit: 2 });
    expect(settled.get("epic:limits")).toMatchObject({
      stage: "waiting-for-human",
      reason: "merge-conflict",
      detail:
        "conflict in both.txt, in the merge of two: merge ticket/two into epic/limits by hand " +
        "(git switch epic/limits; git merge ticket/two; resolve and commit it; " +
        "if the branch already has its work, git merge -s ours ticket/two), then anneal epic resume limits",
    });
    const merges = async () =>
      (await project.notifications()).flatMap(({ event }) => (event.type === "merged" ? [event.checks?.result] : []));
    expect(await merges()).toEqual(["passed", "failed"]);
    expect(project.state().status).toBe("failed");
    const { repo } = project;
    const subjects = () => repo.git("log", "--first-parent", "--format=%s", "epic/limits").split("\n");
    expect(subjects()).toEqual(["Merge ticket/three into epic/limits", "Merge ticket/one into epic/limits", "first"]);
    expect(repo.git("show", "ticket/two:both.txt")).toBe("two");

    repo.git("switch", "--quiet", "epic/limits");
    expect(() => repo.git("merge", "ticket/two")).toThrow();
    repo.write({ "both.txt": "one and two\n" });
    repo.git("add", "both.txt");
    repo.git("commit", "--quiet", "--message", "by hand");
    repo.git("switch", "--quiet", "main");
    await project.say("epic:limits", "retry");
    const again = await project.runEpic({ tickets: [] });
    expect(standsAt(again.settled.get("epic:limits"))).toBe("merged");
    expect(subjects()[0]).toBe("by hand");
    const written = project.state();
    expect(written.status).toBe("completed");
    rmSync(join(project.root, ".epics/limits/artifacts"), { recursive: true });
    await project.runEpic({ tickets: [] });
    expect(project.state(), "moved away and written anew").toEqual(written);
    expect(artifacts(project)).toContain('"attempt": 0');

    const { one, ...others } = written.tickets;
    const edited = {
      ...written,
      status: "failed",
      tickets: { ...others, one: { ...one, status: "pending" } },
      theirs: 1,
    };
    project.repo.write({ [given.STATE]: JSON.stringify(edited) });
    project.troubles.length = 0;
    await project.runEpic({ tickets: [] });
    expect(project.state(), "edited and put right").toEqual({ ...written, theirs: 1 });
    expect(project.troubles).toEqual([
      'epic:limits: .epics/limits/artifacts/epic-state.json is updated: status is "completed", not "failed"; tickets.one.status is "completed", not "pending"',
    ]);
  });

  test("nothing of an epic that failed and rolls back is merged", async () => {
    const babble = { role: "reviewer", answer: given.scorecard({}, { code_quality: 10 }) };
    const steps = { good: [given.build("good"), given.pass], bad: [given.build("bad"), babble] };
    const project = await given.epicsProject({ good: {}, bad: {} }, steps, { more: "rollback_on_failure: true\n" });
    await project.runEpic();
    await project.say("ticket:limits/bad", "stop");
    const { settled } = await project.runEpic({ tickets: [] });
    expect(settled.get("epic:limits")).toBeUndefined();
    expect(project.state()).toMatchObject({ status: "failed", tickets: { good: { status: "completed" } } });
    expect(project.repo.git("log", "--format=%s", "epic/limits")).toBe("first");
  });
});

test("an epic that another tool began goes on from its epic-state.json, and what is not ours in it stays", async () => {
  const project = await given.epicsProject(
    { old: {}, next: { after: ["old"] } },
    { next: [given.build("next"), given.pass] },
  );
  const { repo } = project;
  const baseline = repo.git("rev-parse", "main");
  repo.git("switch", "--quiet", "--create", "ticket/old");
  const commit = (path: string, message: string) => {
    repo.write({ [path]: "export {};\n" });
    repo.git("add", path);
    repo.git("commit", "--quiet", "--message", message);
    return repo.git("rev-parse", "HEAD");
  };
  const final = commit("src/old.js", "by another tool");
  repo.git("switch", "--quiet", "main");
  commit("src/later.js", "later");
  const old = { status: "completed", phase: "done", git_info: { final_commit: final }, notes: ["kept"] };
  const begun = { epic_id: "limits", epic_branch: "epic/limits", status: "executing", owner: "them", tickets: { old } };
  const write = (baseline_commit: string) =>
    repo.write({ [given.STATE]: `${JSON.stringify({ ...begun, baseline_commit }, null, 2)}\n` });
  write("0".repeat(40));
  const { broken } = await project.runEpic({ tickets: ["next"] });
  expect(broken.get("ticket:limits/next")?.message).toBe(
    `${given.STATE}:18: baseline_commit ${"0".repeat(40)} is not a commit of this repository: correct it`,
  );
  write(baseline);
  const { settled } = await project.runEpic({ tickets: ["next"] });
  expect(standsAt(settled.get("epic:limits"))).toBe("merged");
  expect(project.state()).toMatchObject({
    status: "completed",
    owner: "them",
    baseline_commit: baseline,
    tickets: { old },
  });
  expect(project.state().tickets.next?.git_info?.base_commit).toBe(final);
  expect(repo.git("log", "--first-parent", "--format=%s", "epic/limits").split("\n")).toEqual([
    "Merge ticket/next into epic/limits",
    "Merge ticket/old into epic/limits",
    "first",
  ]);
});

describe("a ticket with several dependencies starts from all of them", () => {
  test("where they conflict, it says so, and takes the branch that a person made of them", async () => {
    const touches = (id: string) => [writes("both.txt", `${id}\n`), given.pass];
    const project = await given.epicsProject(
      { left: {}, right: {}, top: { after: ["left", "right"] } },
      { left: touches("left"), right: touches("right"), top: [given.build("top"), given.pass] },
    );
    const { broken } = await project.runEpic({ limit: 2 });
    expect([...broken].map(([key, { message }]) => `${key}: ${message}`)).toEqual([
      "ticket:limits/top: ticket top builds on left and right, which conflict in both.txt: merge ticket/left and ticket/right into a new branch ticket/top by hand, then run the ticket again",
    ]);
    using reader = await openReader(project.root, project.clock);
    const found = await planEpic(reader, "limits", {
      caller: { cwd: project.root, here: project.root, root: project.root },
    });
    expect(found.ok && found.plan.tickets.find(({ id }) => id === "top")).toMatchObject({
      status: "queued",
      reason: expect.stringContaining("left and right, which conflict in both.txt: merge ticket/left and ticket/right"),
    });
    const { repo } = project;
    repo.git("switch", "--quiet", "--create", "ticket/top", "ticket/left");
    expect(() => repo.git("merge", "ticket/right")).toThrow();
    repo.write({ "both.txt": "left and right\n" });
    repo.git("commit", "--quiet", "--all", "--message", "by hand");
    const base = repo.git("rev-parse", "HEAD");
    repo.git("switch", "--quiet", "main");
    const { settled } = await project.runEpic({ tickets: ["top"] });
    expect(standsAt(settled.get("ticket:limits/top"))).toBe("passed");
    expect(project.state().tickets.top?.git_info?.base_commit).toBe(base);
  });
});
