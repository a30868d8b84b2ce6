import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { start } from "../testing/anneal.ts";
import { approve, atWork, hangs, type Project, project, reject, writes } from "../testing/project.ts";

const weak = writes("implementer", "export const ok = (p) => true;\n");
const strong = writes("fixer", "export const ok = (p) => p.length >= 8;\n");

describe("two processes in one project", () => {
  test("a word from another process stops the agent at work, is taken by the owner, and is answered at once", async () => {
    using here = project({ f1: { steps: [hangs("implementer")] } });
    const working = atWork(here, "f1");
    const owner = here.start("run", "f1");
    await working;
    const paused = await here.anneal("pause", "f1", "--note", "let me look");
    expect(paused).toMatchObject({
      code: 0,
      stdout: "pause: waits for a person: the loop was paused (paused by ada); possible: resume, stop\n",
    });
    const run = await owner.ended;
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("the loop was paused");
    const { stdout } = await here.anneal("history", "f1");
    expect(stdout).toMatch(/abandoned +implementing[\s\S]*signalled +pause by ada: let me look {2}→ waiting-for-human/);
  });

  test("a second run hands its feature to the owner, watches it, and answers with its own exit code", async () => {
    using here = project({
      slow: { steps: [hangs("implementer")] },
      quick: { steps: [weak, approve] },
      bad: { steps: [{ role: "implementer", answer: "Nothing." }] },
    });
    const working = atWork(here, "slow");
    const owner = here.start("run", "slow");
    await working;
    const [good, bad] = await Promise.all([here.anneal("run", "quick"), here.anneal("run", "bad")]);
    expect(good).toMatchObject({ code: 0 });
    expect(good.stderr).toMatch(/process \d+ runs this project; this command passes the work/);
    expect(good.stderr).toContain("quick  ✔ round 1 passed → verified");
    expect(bad).toMatchObject({ code: 1 });
    expect(here.feature("quick").status).toBe("verified");
    expect((await here.anneal("stop", "slow")).code).toBe(0);
    expect((await owner.ended).code).toBe(1);
    expect(here.feature("slow").status).toBe("backlog");
  });

  test("when the owner is killed, the one that watches goes on with the work", async () => {
    using here = project({
      slow: { steps: [hangs("implementer")] },
      after: { steps: [weak, approve], dependencies: ["slow"] },
    });
    const working = atWork(here, "slow");
    const owner = here.start("run", "slow");
    await working;
    const { child, ended } = here.start("run", "after");
    const seen = new Promise<void>((resolve) => child.stderr?.once("data", () => resolve()));
    await seen;
    here.write({
      ".automaker/scripts/slow.json": JSON.stringify({ steps: [writes("implementer", "1\n", "slow.txt"), approve] }),
    });
    owner.child.kill("SIGKILL");
    await owner.ended;
    expect((await ended).code).toBe(0);
    expect([here.feature("slow").status, here.feature("after").status]).toEqual(["verified", "verified"]);
  });
});

describe("a process that goes away", () => {
  test.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s stops the agents, records that and exits 130; the next run goes on",
    async (name) => {
      using here = project({ f1: { steps: [hangs("implementer")] } });
      const working = atWork(here, "f1");
      const { child, ended } = here.start("run", "f1");
      await working;
      child.kill(name);
      const run = await ended;
      expect(run).toMatchObject({ code: 130, left: [] });
      expect(run.stderr).toContain("anneal run: stopped\n");
      expect((await here.anneal("history", "f1")).stdout).toMatch(/abandoned +implementing {2}→ implementing\n$/);
      expect((await here.anneal("status")).stdout).toContain("interrupted; continue with anneal run");
      here.write({ ".automaker/scripts/f1.json": JSON.stringify({ steps: [weak, approve] }) });
      expect((await here.anneal("run")).code).toBe(0);
      expect(existsSync(`${here.worktree("f1")}/auth.js`)).toBe(true);
      expect(here.commits("f1")).toHaveLength(1);
    },
  );

  const steps = [weak, reject, strong, approve];
  // Every other place is in the kill matrix, which compares all that is left behind.
  test.concurrent.for(["git.ref.after:2", "log.append.after:21"])(
    "kill -9 at %s: the next run finishes, with exactly one commit per iteration",
    async (place) => {
      using here = project({ f1: { steps } });
      expect(await killed(here, place)).toBe(true);
      // What was killed after its last event has nothing left to do but its files.
      expect((await here.anneal("run", "f1")).code).toBe(0);
      expect(here.commits("f1").map((message) => /Iteration (\d)/.exec(message)?.[1])).toEqual(["1", "2"]);
      expect(here.feature("f1")).toMatchObject({
        status: "verified",
        codeReviewSpec: { status: "approved", iterations: [{ status: "rejected" }, { status: "approved" }] },
      });
      expect(here.filesOf("f1")).toEqual([
        "agent-output-iteration-1.md",
        "agent-output-iteration-2.md",
        "agent-output.md",
        "code-review-iteration-1.md",
        "code-review-iteration-2.md",
        "feature.json",
      ]);
      expect((await here.anneal("history", "f1")).stdout.match(/loop-started/g)).toHaveLength(1);
    },
  );
});

/** Runs the feature in a process that kills itself at a place; false where it never came there. */
async function killed(here: Project, place: string): Promise<boolean> {
  const { child, ended } = start(here.dir, ["run", "f1"], { ANNEAL_FAILPOINT: place });
  await ended;
  return child.signalCode === "SIGKILL";
}
