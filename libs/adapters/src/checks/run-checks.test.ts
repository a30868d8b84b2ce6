import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openRepo } from "@anneal/git";
import { workspacesOf } from "@anneal/workspace";
import { describe, expect, test } from "vitest";
import { type Files, openTestRepo } from "../../../git/src/testing/make-repo.ts";
import { command, project, suite } from "../testing/check-project.ts";
import { baselineCheckouts, baselineFiles, type ChecksResult, runChecks } from "./index.ts";

const nobody = { blamed: [], preexisting: [], flaky: [] };

describe("only what the change broke is blamed on it", () => {
  test.for<{ what: string; base: Files; change: Files; expected: Partial<ChecksResult> }>([
    {
      what: "all green",
      base: { "a.test.mjs": suite({ a: "green" }) },
      change: {},
      expected: { result: "passed", ...nobody },
    },
    {
      what: "a test that was red before",
      base: { "a.test.mjs": suite({ old: "red", a: "green" }) },
      change: { "b.test.mjs": suite({ b: "green" }) },
      expected: {
        result: "passed",
        ...nobody,
        preexisting: ["a.test.mjs > old"],
        note: "only tests fail that already failed before the change",
      },
    },
    {
      what: "one that was red before, and one that the change broke",
      base: { "a.test.mjs": suite({ old: "red", a: "green" }) },
      change: { "a.test.mjs": suite({ old: "red", a: "red" }) },
      expected: { result: "failed", ...nobody, preexisting: ["a.test.mjs > old"], blamed: ["a.test.mjs > a"] },
    },
    {
      what: "one that has the name of one that was red before",
      base: { "a.test.mjs": suite({ same: "red" }, [["same", "green"]]) },
      change: { "a.test.mjs": suite({ same: "red" }, [["same", "red"]]) },
      expected: {
        result: "failed",
        blamed: ["a.test.mjs > same"],
        preexisting: ["a.test.mjs > same"],
        note: "1 of 2 failing tests did not fail before the change",
      },
    },
    {
      what: "a new test that is red",
      base: { "a.test.mjs": suite({ a: "green" }) },
      change: { "b.test.mjs": suite({ b: "red" }) },
      expected: { result: "failed", ...nobody, blamed: ["b.test.mjs > b"] },
    },
    {
      what: "one that was red before and is green now",
      base: { "a.test.mjs": suite({ old: "red", other: "red" }) },
      change: { "a.test.mjs": suite({ old: "green", other: "red" }) },
      expected: { result: "passed", ...nobody, preexisting: ["a.test.mjs > other"] },
    },
    {
      what: "a file that does not load any more",
      base: { "a.test.mjs": suite({ old: "red", a: "green" }) },
      change: { "a.test.mjs": "import './gone.mjs';" },
      expected: { result: "failed", ...nobody, blamed: ["a.test.mjs > a.test.mjs"] },
    },
  ])("$what: $expected.result", async ({ base, change, expected }) => {
    using one = await project(base, change);
    expect(await one.check()).toMatchObject(expected);
    expect(readdirSync(dirname(one.worktree.root))).toEqual(["one"]);
  });

  test.for<{ what: string; before: string; after: string; expected: Partial<ChecksResult> }>([
    {
      what: "the same exit code as before",
      before: "exit 2",
      after: "exit 2",
      expected: {
        result: "failed",
        note: "exit code 2, and 2 before the change; no test names could be read, so this may be another failure",
      },
    },
    {
      what: "a runner that counts no failure, before and now",
      before: "cat green; exit 1",
      after: "cat green; exit 1",
      expected: { result: "failed", note: expect.stringContaining("no test names could be read") },
    },
    { what: "another exit code", before: "exit 2", after: "exit 3", expected: { result: "failed" } },
    { what: "green before", before: "exit 0", after: "exit 1", expected: { result: "failed" } },
    {
      what: "names now, none before",
      before: "exit 1",
      after: "cat tap; exit 1",
      expected: { result: "failed", blamed: ["x"] },
    },
    {
      what: "names before, none now",
      before: "cat tap; exit 1",
      after: "exit 1",
      expected: { result: "failed", blamed: [] },
    },
    {
      what: "an account that is not complete",
      before: "cat tap; exit 1",
      after: "head -n 2 tap; exit 1",
      expected: { result: "failed", preexisting: ["x"] },
    },
    {
      what: "a missing program before and now",
      before: "exit 127",
      after: "exit 127",
      expected: { result: "unusable" },
    },
    { what: "a missing program only now", before: "exit 0", after: "exit 127", expected: { result: "failed" } },
    { what: "killed before and now", before: "kill -9 $$", after: "kill -9 $$", expected: { result: "failed" } },
  ])("nothing is excused without names: $what is $expected.result", async ({ before, after, expected }) => {
    const tap = "TAP version 13\nnot ok 1 - x\n1..1\n";
    const green = "TAP version 13\nok 1 - x\n1..1\n";
    using one = await project({ "check.sh": before, tap, green }, { "check.sh": after });
    expect(await one.check({ command: "sh check.sh" })).toMatchObject({ ...nobody, ...expected });
  });

  test("a failure that python's unittest names is distinguished from one that was there before", async () => {
    const block = (name: string) =>
      `${"=".repeat(70)}\nFAIL: ${name} (t.T.${name})\n${"-".repeat(70)}\nAssertionError\n\n`;
    const ran = (names: string[]) =>
      `${names.map(block).join("")}Ran 3 tests in 0.001s\n\nFAILED (failures=${names.length})\n`;
    using one = await project({ out: ran(["old"]) }, { out: ran(["new"]) });
    const request = { command: ["sh", "-c", "cat out; false"] };
    expect(await one.check(request)).toMatchObject({ result: "failed", blamed: ["new (t.T.new)"] });
    openTestRepo(one.worktree.root).write({ out: ran(["old"]) });
    expect(await one.check(request)).toMatchObject({ result: "passed", preexisting: ["old (t.T.old)"] });
  });

  test("everything is blamed where there is no baseline, or where it cannot be made", async () => {
    using one = await project({ "a.test.mjs": suite({ old: "red" }) }, {});
    const { baseline: _, ...request } = { worktree: one.worktree, command, timeoutMs: 60_000, baseline: null };
    expect(await runChecks(request)).toMatchObject({
      result: "failed",
      blamed: ["a.test.mjs > old"],
      note: expect.stringContaining("did not run on the base"),
    });
    const broken = {
      commit: "x",
      store: baselineFiles(one.store),
      checkout: () => Promise.reject(new Error("no disk")),
    };
    expect(await one.check({ baseline: broken })).toMatchObject({
      blamed: ["a.test.mjs > old"],
      note: expect.stringContaining("no disk"),
    });
  });
});

describe("the baseline", () => {
  test("is run once for each commit and command, in a tree of its own that goes away", async () => {
    // Tests cannot write outside their tree, so the runs are counted by the checkouts.
    using one = await project({ "a.test.mjs": suite({ old: "red" }) }, {});
    let checkouts = 0;
    const opened = await openRepo(one.repo.dir);
    const make = baselineCheckouts(workspacesOf(opened), { setup: ["sh -c 'echo x > made-by-set-up'"], copy: [] });
    const baseline = {
      commit: await opened.resolve("main"),
      store: baselineFiles(one.store),
      checkout: async (commit: string) => {
        checkouts++;
        const tree = await make(commit);
        expect(existsSync(join(tree.root, "made-by-set-up"))).toBe(true);
        return tree;
      },
    };
    await Promise.all([one.check({ baseline }), one.check({ baseline })]);
    expect(checkouts).toBe(1);
    await one.check({ baseline, command: [...command, "--test-concurrency=1"] });
    expect(checkouts).toBe(2);
    expect(readdirSync(one.store)).toHaveLength(2);
    for (const name of readdirSync(one.store)) writeFileSync(join(one.store, name), '{"status":');
    expect(await one.check({ baseline })).toMatchObject({ result: "passed", preexisting: ["a.test.mjs > old"] });
    expect(checkouts).toBe(3);
    expect(readdirSync(dirname(one.worktree.root))).toEqual(["one"]);
  });

  test("holds also where its tree cannot be removed again", async () => {
    using one = await project({ "a.test.mjs": suite({ old: "red" }) }, {});
    const opened = await openRepo(one.repo.dir);
    const make = baselineCheckouts(workspacesOf(opened), { setup: [], copy: [] });
    const baseline = {
      commit: await opened.resolve("main"),
      store: baselineFiles(one.store),
      checkout: async (commit: string) => {
        const tree = await make(commit);
        return { ...tree, release: () => Promise.reject(new Error("the folder is busy")) };
      },
    };
    expect(await one.check({ baseline })).toMatchObject({
      result: "passed",
      preexisting: ["a.test.mjs > old"],
      blamed: [],
    });
  });

  test("does not excuse a test that only happened to fail there", async () => {
    const flaky = `import { existsSync, writeFileSync } from "node:fs"; import { test } from "node:test";
      test("shaky", () => { if (!existsSync("counter")) { writeFileSync("counter", ""); throw new Error("first time"); } });
      test("old", () => { throw new Error("always"); });`;
    using one = await project({ "a.test.mjs": flaky }, { "a.test.mjs": suite({ shaky: "red", old: "red" }) });
    // What a version kept that named tests otherwise excuses nothing.
    const earlier = createHash("sha256").update(JSON.stringify([one.repo.git("rev-parse", "main").trim(), ...command]));
    const excuse = { status: 1, failing: ["a.test.mjs > old", "a.test.mjs > shaky"], account: "complete", flaky: [] };
    const kept = `baseline-${earlier.digest("hex")}.json`;
    writeFileSync(join(one.store, kept), JSON.stringify(excuse));
    expect(await one.check()).toMatchObject({
      result: "failed",
      blamed: ["a.test.mjs > shaky"],
      preexisting: ["a.test.mjs > old"],
    });
    const [file = ""] = readdirSync(one.store).filter((name) => name !== kept);
    expect(JSON.parse(readFileSync(join(one.store, file), "utf8"))).toEqual({
      status: 1,
      failing: ["a.test.mjs > old"],
      account: "complete",
      outsideTests: [],
      flaky: ["a.test.mjs > shaky"],
      skipped: 0,
    });
  });
});

describe("a test that fails and then passes on the same code is flaky", () => {
  const shaky = `import { existsSync, writeFileSync } from "node:fs"; import { test } from "node:test";
    test("shaky", () => { if (!existsSync("counter")) { writeFileSync("counter", ""); throw new Error("first time"); } });\n`;
  test.for<{ what: string; others: Record<string, "red" | "green">; base: Files; expected: Partial<ChecksResult> }>([
    { what: "alone", others: {}, base: {}, expected: { result: "flaky", ...nobody, flaky: ["a.test.mjs > shaky"] } },
    {
      what: "beside one that the change broke",
      others: { b: "red" },
      base: {},
      expected: { result: "failed", ...nobody, blamed: ["b.test.mjs > b"], flaky: ["a.test.mjs > shaky"] },
    },
    {
      what: "beside one that was red before",
      others: { b: "red" },
      base: { "b.test.mjs": suite({ b: "red" }) },
      expected: { result: "flaky", ...nobody, preexisting: ["b.test.mjs > b"], flaky: ["a.test.mjs > shaky"] },
    },
  ])("$what: $expected.result", async ({ others, base, expected }) => {
    using one = await project(
      { "z.test.mjs": suite({ z: "green" }), ...base },
      { "a.test.mjs": shaky, "b.test.mjs": suite(others) },
    );
    expect(await one.check()).toMatchObject(expected);
  });
});

describe("checks that come to no result", () => {
  test.for([null, "", "  ", []])("are not configured: %j", async (nothing) => {
    using one = await project({ a: "1" }, {});
    expect(await one.check({ command: nothing })).toEqual({ result: "not-configured", ...nobody, output: "" });
  });

  test("time out, by the clock or by silence, and are not repeated", async () => {
    using one = await project({ a: "1" }, {});
    const slow = { command: "sh -c 'echo run >> counter; sleep 60'" };
    expect(await one.check({ ...slow, timeoutMs: 500 })).toMatchObject({ result: "timed-out", ...nobody });
    expect(await one.check({ ...slow, silenceMs: 500 })).toMatchObject({
      result: "timed-out",
      note: expect.stringContaining("printed nothing for too long"),
    });
    expect(readFileSync(join(one.worktree.root, "counter"), "utf8")).toBe("run\n".repeat(2));
  });

  test("have a program that is not there: never a pass, and the note says what to do", async () => {
    using one = await project({ a: "1" }, {});
    expect(await one.check({ command: "no-such-runner --all" })).toMatchObject({
      result: "unusable",
      note: expect.stringContaining("no-such-runner was not found"),
    });
    expect(await one.check({ command: "./a" })).toMatchObject({
      result: "unusable",
      note: "./a is not executable: chmod +x it and commit that, or correct the command",
    });
  });

  test("are stopped by a person, which is thrown", async () => {
    using one = await project({ a: "1" }, {});
    const stop = new AbortController();
    const request = { command: "sh -c 'echo x; sleep 60'", signal: stop.signal, onOutput: () => stop.abort() };
    await expect(one.check(request)).rejects.toThrow("aborted");
  });

  test("need a shell, which is refused with the way to write it", async () => {
    using one = await project({ a: "1" }, {});
    await expect(one.check({ command: "npm test && true" })).rejects.toThrow("bash -c");
    expect(await one.check({ command: ["bash", "-c", "true && exit 0"] })).toMatchObject({ result: "passed" });
  });
});

test.for([
  { command: ["sh", "tools/pytest"], asked: "-vv --continue-on-collection-errors" },
  { command: ["sh", "-c", "sh tools/pytest"], asked: "-vv --continue-on-collection-errors" },
  { command: ["sh", "tools/other"], asked: "" },
])("pytest is asked for all of its tests by name, and nothing else is: $command", async ({ command, asked }) => {
  const says = 'echo "<$PYTEST_ADDOPTS>"';
  using one = await project({ "tools/pytest": says, "tools/other": says }, {});
  expect(await one.check({ command })).toMatchObject({ result: "passed", output: `<${asked}>\n` });
});

test("checks say whether they were sandboxed, and read their repository there", async () => {
  using one = await project({ a: "1" }, {});
  const result = await one.check({ command: "git log --oneline" });
  expect(result).toMatchObject({ result: "passed", output: expect.stringContaining("first") });
  expect(result.sandboxed === "bwrap" || result.notSandboxed !== undefined).toBe(true);
});
