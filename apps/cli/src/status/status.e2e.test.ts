import { describe, expect, test } from "vitest";
import { approve, project, reject, writes } from "../testing/project.ts";

const weak = writes("implementer", "export const ok = (p) => true;\n");
const fix = (n: number) => writes("fixer", `export const ok = (p) => p.length > ${n};\n`);

describe("anneal status", () => {
  test.concurrent("an empty project says what to do", async () => {
    using here = project({});
    const run = await here.anneal("status");
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain('anneal add "what you want"');
    expect((await here.anneal("history")).stdout).toContain("Nothing has happened yet");
  });

  test.concurrent("shows each feature with column, stage, round, blockers, cost, what it waits for, and what is damaged", async () => {
    using here = project({
      done: { steps: [weak, approve] },
      later: { steps: [], dependencies: ["done"] },
      stuck: { steps: [weak, reject, fix(1), reject, fix(2), reject] },
      torn: { steps: [] },
    });
    await here.anneal("run", "done", "stuck");
    here.write({ ".automaker/features/torn/feature.json": '{ "id": "torn", ' });
    const run = await here.anneal("status");
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const lines = run.stdout.split("\n");
    expect(lines[0]).toMatch(/^id +title +column +stage +round +open +fixed +time +cost$/);
    expect(lines[1]).toMatch(/^done +Add done +verified +passed +1\/3 +\d+s +\$0\.25$/);
    expect(lines.slice(2, 4)).toEqual([expect.stringMatching(/^later +Add later +backlog$/), "  ↳ after done"]);
    expect(lines[4]).toMatch(/^stuck +Add stuck +in_progress +waits for you +3\/3 +1 +2 /);
    expect(lines.slice(5, 7).join(" ")).toContain("→ anneal resume | stop stuck");
    expect(run.stdout).toMatch(/torn +damaged\n {2}↳ .*feature\.json:1:\d+: /);

    const [done, , stuck, torn] = JSON.parse((await here.anneal("status", "--json")).stdout);
    expect(done).toMatchObject({
      id: "done",
      status: "verified",
      loop: { stage: "ended", outcome: "passed", costUsd: 0.25 },
    });
    expect(stuck.loop).toMatchObject({ reason: "rounds-exhausted", legal: ["resume", "stop"], blockers: 1, round: 3 });
    expect(torn).toMatchObject({ status: null, damaged: expect.stringContaining("feature.json") });
  });

  test.concurrent("--watch shows changes as they come, as lines of JSON", async () => {
    using here = project({ f1: { steps: [weak, approve] } });
    const { child, ended } = here.start("status", "--watch", "--json");
    const stages: string[] = [];
    const verified = new Promise<void>((resolve) => {
      child.stdout?.on("data", (chunk: Buffer) => {
        stages.push(...chunk.toString().trim().split("\n"));
        if (stages.at(-1)?.includes('"status":"verified"')) resolve();
      });
    });
    expect((await here.anneal("run", "f1")).code).toBe(0);
    await verified;
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(JSON.parse(stages.at(-1) ?? "")[0]).toMatchObject({ id: "f1", loop: { stage: "ended" } });
  });
});
