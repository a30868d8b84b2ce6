import { describe, expect, test } from "vitest";
import { approve, project, reject, writes } from "../testing/project.ts";

const weak = writes("implementer", "export const ok = (p) => true;\n");
const fix = (n: number) => writes("fixer", `export const ok = (p) => p.length > ${n};\n`);

describe("a signal to a loop", () => {
  test.concurrent.for([
    {
      signal: "approve",
      reason: /^approve is not possible while waiting \(rounds-exhausted\); possible: resume, stop$/,
    },
    { signal: "skip", reason: /^review is required under gate; it cannot be skipped$/ },
    { signal: "one-more", reason: /one-more is not possible while waiting/ },
  ])("$signal that is not legal is refused with its reason, and nothing changes", async ({ signal, reason }) => {
    using here = project({ f1: { steps: [weak, reject, fix(1), reject, fix(2), reject] } });
    await here.anneal("run", "f1");
    const before = (await here.anneal("history", "--json")).stdout;
    const run = await here.anneal(signal, "f1");
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr.replace(`anneal ${signal}: `, "").trim()).toMatch(reason);
    expect((await here.anneal("history", "--json")).stdout).toBe(before);
  });

  test.concurrent("answers as data where that is wanted, refusals too", async () => {
    using here = project({ f1: { steps: [weak, reject, fix(1), reject, fix(2), reject] } });
    await here.anneal("run", "f1");
    const refused = await here.anneal("approve", "f1", "--json");
    expect(refused).toMatchObject({ code: 1, stderr: "" });
    expect(JSON.parse(refused.stdout)).toMatchObject({ item: "f1", loop: "f1~1", said: "approve", result: "refused" });
    const taken = await here.anneal("stop", "f1", "--json");
    expect(taken).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(taken.stdout)).toMatchObject({ result: "taken", by: "us", stage: "ended", outcome: "stopped" });
  });

  test.concurrent("with an option that there is none of says so in one whole sentence", async () => {
    using here = project({ f1: { steps: [] } });
    const run = await here.anneal("stop", "f1", "--now");
    expect(run).toMatchObject({ code: 2, stderr: "anneal stop: Unknown option '--now'; see anneal stop --help\n" });
  });

  test.concurrent("for a feature that lies in another work tree of the repository says where the project is", async () => {
    using here = project({ f1: { steps: [] } });
    here.git("worktree", "add", "--quiet", "-b", "other", "other");
    here.write({ "other/.automaker/features/f2/feature.json": '{"id":"f2","description":"x"}' });
    const run = await here.anneal("-C", "other", "stop", "f2");
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/nothing is called f2; .*other\/\.automaker\/features\/f2 is ignored: all work trees/);
  });

  test.concurrent("stop ends the loop and puts the feature back to the backlog; a new run starts afresh and keeps the old work", async () => {
    using here = project({ f1: { steps: [{ ...weak }, reject, fix(1), reject, fix(2), reject] } });
    await here.anneal("run", "f1");
    const old = here.git("rev-parse", "feature/f1");
    expect((await here.anneal("stop", "f1")).stdout).toBe("stop: stopped: stopped by ada\n");
    expect(here.feature("f1").status).toBe("backlog");
    expect((await here.anneal("resume", "f1")).stderr).toBe("anneal resume: the loop has ended\n");
    here.write({ ".automaker/scripts/f1.json": JSON.stringify({ steps: [weak, approve] }) });
    expect((await here.anneal("run", "f1")).code).toBe(0);
    expect(here.git("rev-parse", "refs/anneal/kept/f1/1")).toBe(old);
    expect((await here.anneal("show", "f1")).stdout).toMatch(/^ {2}git branch kept\/f1\/1 refs\/anneal\/kept\/f1\/1$/m);
    expect(here.commits("f1")).toHaveLength(1);
  });

  test.concurrent.for([
    { what: "a feature that is not there", args: ["approve", "nope"], message: "nothing is called nope" },
    { what: "no feature", args: ["pause"], message: "name a feature: anneal pause ID" },
    { what: "a ruling without a reason", args: ["dismiss", "f1", "abcd"], message: "a ruling needs a reason" },
  ])("$what is a usage error", async ({ args, message }) => {
    using here = project({ f1: { steps: [] } });
    const run = await here.anneal(...args);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(message);
  });
});

describe("a ruling on a finding", () => {
  const isOpen = (one: { disposition: { kind: string } }) => one.disposition.kind === "open";

  test.concurrent("once nothing blocks any more, the change is reviewed once more, and the log knows who said so and why", async () => {
    using here = project({ f1: { steps: [weak, reject, fix(1), reject, fix(2), reject, approve] } });
    await here.anneal("run", "f1");
    const { loop } = JSON.parse((await here.anneal("show", "f1", "--json")).stdout);
    const open = loop.findings.filter(isOpen);
    const { fingerprint } = open[0];
    const run = await here.anneal("dismiss", "f1", fingerprint.slice(0, 8), "--reason", "Checked elsewhere.");
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^dismissed: Empty passwords are accepted\n/) });
    const waiting = JSON.parse((await here.anneal("status", "--json")).stdout);
    expect([waiting[0].loop.stage, waiting[0].loop.outcome]).toEqual(["reviewing", null]);
    expect(await here.anneal("run", "f1")).toMatchObject({ code: 0 });
    here.git("switch", "--quiet", "feature/f1");
    here.git("commit", "--quiet", "--allow-empty", "-m", "mine");
    const status = JSON.parse((await here.anneal("status", "--json")).stdout);
    expect([open.length, status[0].loop.blockers, status[0].loop.outcome]).toEqual([1, 0, "passed"]);
    const shown = (await here.anneal("show", "f1")).stdout;
    expect(shown).toContain("dismissed by ada: Checked elsewhere.");
    const [reviewed, now] = here.git("log", "-2", "--format=%H", "--reverse", "feature/f1").split("\n");
    const moved = `feature/f1 is at ${now?.slice(0, 12)} now, which this loop has not reviewed; the loop ended at ${reviewed?.slice(0, 12)}`;
    expect(status[0].moved).toBe(moved);
    expect(shown.replace(/\s+/g, " ")).toContain(` moved ${moved} `);
    const late = await here.anneal("reopen", "f1", fingerprint, "--reason", "No, it is not.");
    expect(late).toMatchObject({ code: 1, stderr: "anneal reopen: the loop has ended\n" });
    const asData = await here.anneal("reopen", "f1", fingerprint, "--reason", "No, it is not.", "--json");
    expect([asData.code, JSON.parse(asData.stdout)]).toMatchObject([1, { said: "reopen", result: "refused" }]);
  });

  test.concurrent("a fingerprint that no finding has is a usage error; one that there is, is answered as data where that is wanted", async () => {
    using here = project({ f1: { steps: [weak, reject, fix(1), reject, fix(2), reject] } });
    await here.anneal("run", "f1");
    const run = await here.anneal("defer", "f1", "0000000", "--reason", "Later.");
    expect(run).toMatchObject({
      code: 2,
      stderr: "anneal defer: no finding 0000000; list them with anneal show\n",
    });
    const { loop } = JSON.parse((await here.anneal("show", "f1", "--json")).stdout);
    const { fingerprint } = loop.findings.find(isOpen);
    const taken = await here.anneal("defer", "f1", fingerprint, "--reason", "Later.", "--json");
    expect([taken.code, JSON.parse(taken.stdout)]).toMatchObject([0, { item: "f1", said: "defer", result: "taken" }]);
  });
});
