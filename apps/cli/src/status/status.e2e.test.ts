import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approve, project, reject, rejects, writes } from "../testing/project.ts";

const weak = writes("implementer", "export const ok = (p) => true;\n");
const fix = (n: number) => writes("fixer", `export const ok = (p) => p.length > ${n};\n`);

const other = rejects("Long passwords are refused", "whoever types more than a line never gets in");
const third = rejects("The limit is not configurable", "operators cannot choose another length");

/** An image by name and content: nobody has to read it. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("anneal status", () => {
  test.concurrent("an empty project says what to do", async () => {
    using here = project({});
    const run = await here.anneal("status");
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain('anneal add "what you want"');
    expect((await here.anneal("history")).stdout).toContain("No events yet");
  });

  test.concurrent("shows each feature with column, stage, round, blockers, cost, what it waits for, and what is damaged", async () => {
    using here = project({
      done: { steps: [weak, approve] },
      later: { steps: [], dependencies: ["done"] },
      stuck: { steps: [weak, reject, fix(1), other, fix(2), third] },
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

  test.concurrent("names every way out of a wait, what was marked by hand, what no reviewer saw, and what to do about a folder without a feature", async () => {
    const logo = { path: "logo.png", base64: PNG };
    const picture = { role: "implementer", answer: "Drawn.", edits: [logo, { path: "a.js", content: "1;\n" }] };
    using here = project({
      later: { steps: [], dependencies: ["marked"] },
      marked: { steps: [], status: "verified" },
      picture: { steps: [picture, approve] },
      stalled: { steps: [weak, reject, { role: "fixer", answer: "I would rather not." }] },
    });
    mkdirSync(join(here.dir, ".automaker/features/empty"));
    const run = await here.anneal("run", "picture", "stalled");
    const { stdout } = await here.anneal("status");
    const flat = stdout.replace(/\n {4}/g, " ");
    expect(flat).toMatch(
      /empty +damaged\n {2}↳ .*feature\.json does not exist: restore the file, or remove its folder/,
    );
    expect(flat).toMatch(/later +Add later +backlog\n {2}↳ after marked \(marked by hand, not reviewed\)\n/);
    expect(flat).toMatch(/marked +Add marked +verified \(by hand\)\n/);
    const gap = /not seen by the reviewer: logo\.png \(.+\)\n/;
    expect(flat).toMatch(gap);
    const ways =
      /↳ the last fix changed nothing and refuted nothing → anneal resume \| stop stalled; or rule on a blocking finding: anneal dismiss \| accept-risk \| defer stalled FINGERPRINT --reason "…"/;
    expect(flat).toMatch(ways);
    expect(run.stdout.replace(/\n {4}/g, " ")).toMatch(ways);
    expect(run.stderr).toMatch(/stalled {2}waits for a person: .*; possible: resume, stop/);
    expect((await here.anneal("show", "picture")).stdout).toMatch(gap);
    expect((await here.anneal("show", "stalled")).stdout).toMatch(
      /anneal dismiss \| accept-risk \| defer stalled [0-9a-f]{12} --reason "…"/,
    );
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
