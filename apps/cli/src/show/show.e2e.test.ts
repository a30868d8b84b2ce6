import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approve, project, reject, rejects, writes } from "../testing/project.ts";

const weak = writes("implementer", "export const ok = (p) => true;\n");
const fix = (n: number) => writes("fixer", `export const ok = (p) => p.length > ${n};\n`);

const other = rejects("Long passwords are refused", "whoever types more than a line never gets in");

describe("anneal show", () => {
  test.concurrent("tells rounds, findings with their history, files, and the options with what they lead to", async () => {
    using here = project({ f1: { steps: [weak, reject, fix(1), other, fix(2), other] } });
    await here.anneal("run", "f1");
    const { stdout } = await here.anneal("show", "f1");
    for (const part of [
      /^Add f1 {2}f1\n {2}Wants f1\.\n/,
      /column {2}in_progress\n {2}loop +waits for you, round 3\/3\n {2}policy +gate \(the default for features: the project has no remote/,
      /checks {2}none configured\n/,
      /branch +feature\/f1 at [0-9a-f]{12}, from [0-9a-f]{12}/,
      /Rounds\n {2}1 {2}✘ rejected {2}[0-9a-f]{12} {2}1 finding {2}by scripted \(m-1\)\n +1 finding blocks\. Empty passwords/,
      /high +Empty passwords are accepted\n +auth\.js:1 {2}resolved, round 1, from the change {2}[0-9a-f]{12}\n +fixed in/,
      /high +Long passwords are refused\n +auth\.js:1 {2}persisting, rounds 2–3, caused by the fix of round 1/,
      /Files in \.automaker\/features\/f1\/\n {2}agent-output-iteration-1\.md/,
      /The loop waits for you: all rounds are used up/,
      /anneal resume f1 +continue, with new rounds/,
    ])
      expect(stdout).toMatch(part);
    const { loop } = JSON.parse((await here.anneal("show", "f1", "--json")).stdout);
    expect(loop.rounds.map((round: { verdict: { result: string } }) => round.verdict.result)).toEqual([
      "fail",
      "fail",
      "fail",
    ]);
    expect(loop.options.map(({ signal }: { signal: string }) => signal)).toEqual(["resume", "stop"]);
  });

  test.concurrent("names whoever answered a round, also where the loop is bound to another", async () => {
    using here = project({
      f1: { steps: [weak, reject, fix(1), reject, fix(2), reject, fix(3)] },
      // Scripts go on by the turn of the loop, and the fourth is the next one.
      f2: { steps: [approve, approve, approve, approve] },
    });
    await here.anneal("run", "f1");
    await here.anneal("resume", "f1");
    const [bound, other] = ["f1", "f2"].map((id) => `scripted:${here.dir}/.automaker/scripts/${id}.json`);
    await here.anneal("run", "f1", "--reviewer", `${other}`);
    const { stdout } = await here.anneal("show", "f1");
    expect(stdout).toMatch(/ {2}3 {2}✘ rejected .* by scripted \(m-1\)\n/);
    expect(stdout).toContain(`by ${other} (m-1)\n`);
    const { loop } = JSON.parse((await here.anneal("show", "f1", "--json")).stdout);
    expect(loop.agents.reviewer).toBe(`${bound?.replace("f1", "{id}")}, ${other}`);
    const { agents, reviewers } = JSON.parse((await here.anneal("export", "f1")).stdout);
    expect(agents).toEqual(loop.agents);
    expect(reviewers.map(({ named }: { named?: string }) => named)).toEqual([undefined, other]);
  });

  test.concurrent("a feature that has not run says how to start it", async () => {
    using here = project({ f1: { steps: [] } });
    expect((await here.anneal("show", "f1")).stdout).toContain("not run yet; start it with anneal run f1");
  });

  test.concurrent("tells what a hook said that refused the change, as does the run that waits over it", async () => {
    using here = project({ f1: { steps: [weak, { role: "fixer", answer: "It is right as it is." }] } });
    const hook = ".git/hooks/pre-commit";
    here.write({ [hook]: "#!/bin/sh\nprintf '\\033[31mESLINT:\\033[0m no-foo\\n  at line 3\\n' >&2\nexit 1\n" });
    chmodSync(join(here.dir, hook), 0o755);
    const run = await here.anneal("run", "f1");
    expect(run.stdout + run.stderr).toContain('"A commit hook refused the change": "ESLINT: no-foo at line 3"');
    const { stdout } = await here.anneal("show", "f1");
    expect(stdout).toContain(
      "\nWhat stops it\n  A commit hook refused the change\n    ESLINT: no-foo\n    at line 3\n\nThe loop waits",
    );
    const { loop } = JSON.parse((await here.anneal("show", "f1", "--json")).stdout);
    expect(loop.stuckOn).toMatchObject([{ said: "ESLINT: no-foo\n  at line 3" }]);
  });
});
