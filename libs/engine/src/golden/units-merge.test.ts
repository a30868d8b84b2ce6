import type { LoopState } from "@anneal/types";
import { describe, expect, test } from "vitest";
import * as given from "./testing/sample-units.ts";
import { stoppedClock } from "./testing/ticking-clock.ts";

const writes = (path: string, content: string, role = "implementer") => ({
  role,
  answer: `Wrote ${path}.`,
  edits: [{ path, content }],
});
const OFF = "code_review:\n  enabled: false\n";
const unit = (name: string, dependsOn: string[] = []) =>
  given.unitFiles(name, [["Build", `test -e ${name}.txt`]], dependsOn);

/** Units that write a file of their own name, and perhaps another one. */
async function units(names: Record<string, { after?: string[]; also?: ReturnType<typeof writes> }>, choo = OFF) {
  const entries = Object.entries(names);
  return await given.unitsProject({
    files: Object.assign({}, ...entries.map(([name, { after }]) => unit(name, after))),
    steps: Object.fromEntries(
      entries.map(([name, { also }]) => {
        const own = writes(`${name}.txt`, `${name}\n`);
        return [name, [{ ...own, edits: [...own.edits, ...(also?.edits ?? [])] }]];
      }),
    ),
    choo,
    clock: stoppedClock(),
  });
}

const ends = (settled: Map<string, LoopState>) =>
  Object.fromEntries(
    [...settled].map(([key, state]) => [
      key.replace("unit:", ""),
      state.stage === "ended" ? state.outcome : "reason" in state ? state.reason : state.stage,
    ]),
  );

/** Keeps the settings, which name scripts, out of the next commit: from the repository they would be refused. */
const OWN_SETTINGS = { ".git/info/exclude": ".automaker/\n" };

describe("units are merged into the feature branch one at a time", () => {
  test("a diamond of units runs two at a time, each from what was merged before it", async () => {
    const project = await units({
      top: {},
      left: { after: ["top"] },
      right: { after: ["top"] },
      bottom: { after: ["left", "right"] },
    });
    const all = ["bottom", "left", "right", "top"];
    const { settled, broken, blocked } = await project.runUnits(all, 2);
    expect([broken.size, blocked, project.troubles]).toEqual([0, [], []]);
    expect(ends(settled)).toEqual({ top: "merged", left: "merged", right: "merged", bottom: "merged" });
    const merges = project.repo.git("log", "--first-parent", "--reverse", "--format=%s", "main").split("\n");
    expect([merges[1], merges[4]]).toEqual(["Merge unit top into main", "Merge unit bottom into main"]);
    expect(merges.slice(2, 4).sort()).toEqual(["Merge unit left into main", "Merge unit right into main"]);
    const inBottom = project.repo.git("ls-tree", "--name-only", "unit/bottom").split("\n");
    expect(inBottom).toEqual(expect.arrayContaining(["top.txt", "left.txt", "right.txt", "bottom.txt"]));
    for (const name of all) expect(given.planOf(project, `specs/tasks/${name}/01-build.md`).status).toBe("complete");
    expect((await project.runUnits(all)).settled.size).toBe(4);
    expect(project.repo.git("rev-list", "--count", "--merges", "main")).toBe("4");
  });

  test("one is not built on a branch that does not hold what it depends on, though that is complete", async () => {
    const project = await units({ one: {}, two: { after: ["one"] } });
    await project.runUnits(["one"]);
    const head = project.repo.git("rev-parse", "--short=12", "unit/one");
    project.repo.git("reset", "--quiet", "--hard", "main~1");
    project.repo.write({
      "specs/tasks/one/IMPLEMENTATION_PLAN.md": "---\nunit: one\norch_status: complete\n---\n\n# one\n",
    });
    const { broken, settled } = await project.runUnits(["two"]);
    expect([settled.size, project.repo.git("branch", "--list", "unit/two")]).toEqual([0, ""]);
    expect(String(broken.get("unit:two"))).toMatch(
      `specs/tasks/two/IMPLEMENTATION_PLAN.md:4: depends_on: one was merged into main, but main does not contain its work (${head}): git merge ${head} there`,
    );
    project.repo.git("merge", "--quiet", "--squash", head);
    project.repo.git("commit", "--quiet", "--message", "what one made", "one.txt");
    expect(ends((await project.runUnits(["two"])).settled)).toEqual({ two: "merged" });
  });

  test("each alone is green and both together are red: the second merge stands, and says so", async () => {
    const together = "bash -c '! test -e one.txt || ! test -e two.txt'";
    const choo = `${OFF}baseline_checks:\n  - name: apart\n    command: ${JSON.stringify(together)}\n`;
    const project = await units({ one: {}, two: {} }, choo);
    const { settled } = await project.runUnits(["one", "two"], 2);
    const details = [...settled.values()].map((state) => (state.stage === "ended" ? state.detail : ""));
    const says = details.map((detail) => detail.replace(/^merged as [0-9a-f]{40}; the merged tree /, "")).sort();
    expect(says).toEqual([`fails its checks: \`${together}\` fails`, "passes its checks"]);
    expect(project.repo.git("ls-tree", "--name-only", "main").split("\n")).toContain("two.txt");
  });

  test("what was red in the feature branch before is not blamed on a unit", async () => {
    const choo = `${OFF}baseline_checks:\n  - name: tests\n    command: "bash -c 'cat red.tap; false'"\n`;
    const project = await units({ one: {} }, choo);
    project.repo.write(OWN_SETTINGS);
    project.repo.commit({ "red.tap": "TAP version 13\nnot ok 1 - old\n1..1\n" });
    const { settled } = await project.runUnits(["one"]);
    expect(settled.get("unit:one")).toMatchObject({ detail: expect.stringContaining("passes its checks") });
  });

  test("what an agent writes into its own task files goes nowhere, and is not in the way of the merge", async () => {
    const project = await units({
      one: { also: writes("specs/tasks/one/01-build.md", "---\nbackpressure: true\n---\n") },
    });
    const { settled } = await project.runUnits(["one"]);
    expect(ends(settled)).toEqual({ one: "merged" });
    expect(project.repo.git("diff", "--name-only", "main^", "main")).toBe("one.txt");
    expect(given.planOf(project, "specs/tasks/one/01-build.md")).toMatchObject({ status: "complete", task: "1" });
  });
});

describe("a merge conflict is reported as such and loses nothing", () => {
  async function inConflict() {
    const project = await units({
      one: { also: writes("both.txt", "one\n") },
      two: { also: writes("both.txt", "two\n") },
    });
    const { settled } = await project.runUnits(["one", "two"], 2);
    const [stuck = ""] = Object.entries(ends(settled)).flatMap(([name, end]) => (end === "merged" ? [] : [name]));
    return { project, settled, stuck, other: stuck === "one" ? "two" : "one" };
  }

  const ways = (name: string) =>
    `because main has moved: run git switch unit/${name} and git merge main in your checkout, resolve the conflict and commit, or ` +
    `merge unit/${name} into main yourself; then anneal retry unit:${name} and anneal run unit:${name}`;

  test("the other unit is merged, this one keeps its branch and waits for a person, and the message names both ways out", async () => {
    const { project, settled, stuck, other } = await inConflict();
    expect(settled.get(`unit:${stuck}`)).toMatchObject({
      stage: "waiting-for-human",
      reason: "merge-conflict",
      detail: `conflict in both.txt, ${ways(stuck)}`,
      options: ["retry", "take-over", "stop"],
    });
    expect(given.planOf(project, `specs/tasks/${stuck}/IMPLEMENTATION_PLAN.md`).orch_status).toBe("blocked");
    expect(given.planOf(project, `specs/tasks/${stuck}/01-build.md`).status).toBe("complete");
    expect(project.repo.git("show", "main:both.txt")).toBe(other);
    expect(project.repo.git("show", `unit/${stuck}:both.txt`)).toBe(stuck);
    expect(project.repo.git("diff", "--name-only", "--diff-filter=U")).toBe("");
  });

  test("resolved on the unit's branch, it is merged with the resolution", async () => {
    const { project, stuck, other } = await inConflict();
    project.repo.git("switch", "--quiet", `unit/${stuck}`);
    expect(() => project.repo.git("merge", "main")).toThrow();
    project.repo.write({ "both.txt": "one and two\n" });
    project.repo.git("add", "both.txt");
    project.repo.git("commit", "--quiet", "--message", "both");
    const resolution = project.repo.git("rev-parse", "HEAD");
    project.repo.git("switch", "--quiet", "main");
    await project.say(`unit:${stuck}`, "retry");
    const { settled } = await project.runUnits([stuck]);
    expect(ends(settled)).toEqual({ [stuck]: "merged" });
    expect(project.repo.git("show", "main:both.txt")).toBe("one and two");
    expect(project.repo.git("rev-parse", "main^2")).toBe(resolution);
    expect(project.repo.git("ls-tree", "--name-only", "main").split("\n")).toEqual(
      expect.arrayContaining([`${stuck}.txt`, `${other}.txt`]),
    );
  });

  test("merged by hand, a retry finds it done", async () => {
    const { project, stuck } = await inConflict();
    expect(() => project.repo.git("merge", `unit/${stuck}`)).toThrow();
    project.repo.write({ "both.txt": "by hand\n" });
    project.repo.git("commit", "--quiet", "--all", "--message", "by hand");
    await project.say(`unit:${stuck}`, "retry");
    const { settled } = await project.runUnits([stuck]);
    expect(ends(settled)).toEqual({ [stuck]: "merged" });
    expect(project.repo.git("log", "-1", "--format=%s", "main")).toBe("by hand");
  });

  test("a file of the person in the way stops the merge, and nothing of theirs is touched", async () => {
    const project = await units({ one: {} });
    project.repo.write({ "one.txt": "mine\n" });
    expect(ends((await project.runUnits(["one"])).settled)).toEqual({ one: "step-broke" });
    expect(project.repo.git("status", "--porcelain", "one.txt")).toBe("?? one.txt");
    project.repo.write({ "one.txt": null });
    await project.say("unit:one", "retry");
    expect(ends((await project.runUnits(["one"])).settled)).toEqual({ one: "merged" });
  });
});

describe("the tasks of a unit", () => {
  const files = given.unitFiles("greeting", [
    ["One", "test -e 1.txt"],
    ["Two", "test -e 2.txt"],
    ["Three", "test -e 3.txt"],
  ]);
  const build = (n: number) => writes(`${n}.txt`, `${n}\n`);
  const statuses = (project: given.UnitsProject) =>
    ["01-one", "02-two", "03-three"].map((name) => given.planOf(project, `${given.AT}/${name}.md`).status).join(" ");

  test("one whose check fails goes to the fixer; one whose check never passes stops the unit, and nothing is merged", async () => {
    const idle = (role: string) => ({ role, answer: "Hm." });
    const steps = [build(1), writes("x.txt", "x\n"), writes("2.txt", "2\n", "fixer"), writes("y.txt", "y\n")];
    const project = await given.unitsProject({
      files,
      choo: OFF,
      steps: { greeting: [...steps, writes("y.txt", "z\n", "fixer"), idle("fixer"), build(3)] },
    });
    const { settled } = await project.runUnits();
    expect(ends(settled)).toEqual({ greeting: "stalled" });
    expect(statuses(project)).toBe("complete complete failed");
    expect(given.planOf(project).orch_status).toBe("blocked");
    expect(project.repo.git("log", "--format=%s", "main")).toBe("first");
    expect(project.repo.git("log", "--format=%s", "unit/greeting")).toBe(
      "feat(greeting): Two\nfeat(greeting): One\nfirst",
    );
  });

  test("after the last the baseline checks of the project have to hold, and not before", async () => {
    const choo = `${OFF}baseline_checks:\n  - name: license\n    command: test -s LICENSE\n`;
    const steps = [build(1), build(2), build(3), writes("LICENSE", "free\n", "fixer")];
    const project = await given.unitsProject({ files, choo, steps: { greeting: steps } });
    expect(ends((await project.runUnits()).settled)).toEqual({ greeting: "merged" });
    const checks = (await project.notifications()).flatMap(({ event }) => (event.type === "validated" ? [event] : []));
    expect(checks.map(({ result }) => result)).toEqual(["passed", "passed", "failed", "passed"]);
    expect(checks[2]?.findings).toMatchObject([
      { title: "`test -s LICENSE` fails", description: expect.stringContaining("the baseline check license") },
    ]);
    expect(project.repo.git("show", "--name-only", "--format=%s", "unit/greeting")).toBe(
      "feat(greeting): Three\n\n3.txt\nLICENSE",
    );
  });

  test("one that is complete before the first run was somebody else's work, and is not done again", async () => {
    const project = await given.unitsProject({ files, choo: OFF, steps: { greeting: [build(2), build(3)] } });
    const file = `${given.AT}/01-one.md`;
    project.repo.write(OWN_SETTINGS);
    project.repo.commit({
      "1.txt": "mine\n",
      [file]: String(files[file]).replace("status: pending", "status: complete"),
    });
    const { settled } = await project.runUnits();
    expect(ends(settled)).toEqual({ greeting: "merged" });
    expect(project.repo.git("log", "-3", "--format=%s", "main")).toBe(
      "Merge unit greeting into main\nfeat(greeting): Three\nfeat(greeting): Two",
    );
  });

  test("a unit that was stopped starts afresh with all of them, and its commits are kept", async () => {
    const steps = [build(1), { role: "implementer", end: "crash" }, build(1), build(2), build(3)];
    const project = await given.unitsProject({ files, choo: OFF, steps: { greeting: steps } });
    expect(ends((await project.runUnits()).settled)).toEqual({ greeting: "step-broke" });
    const kept = project.repo.git("rev-parse", "unit/greeting");
    await project.say("unit:greeting", "stop");
    expect(given.planOf(project).orch_status).toBe("pending");
    project.plan("greeting", { steps: [build(1), build(2), build(3)] });
    expect(ends((await project.runUnits()).settled)).toEqual({ greeting: "merged" });
    expect(project.repo.git("for-each-ref", "--format=%(objectname)", "refs/anneal/kept")).toBe(kept);
    expect(project.repo.git("rev-list", "--count", "--no-merges", "main")).toBe("4");
  });
});
