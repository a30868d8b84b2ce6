import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { failingTests } from "./failing-tests.ts";

const load = (name: string) => readFileSync(new URL(`./fixtures/${name}.txt`, import.meta.url), "utf8");

describe("failing tests in the output of", () => {
  const node = [
    "a.test.mjs > suite > bad one",
    "a.test.mjs > suite > inner > deep bad",
    "a.test.mjs > top bad # hash",
    "b.test.mjs > b.test.mjs",
  ];
  const pytest = ["test_x.py::TestA::test_bad", "test_x.py::test_err", "test_x.py::test_param[2]"];
  test.for<{ runner: string; names: string[] }>([
    { runner: "node-tap", names: node },
    { runner: "node-spec-20", names: node },
    { runner: "node-spec-24", names: node },
    {
      runner: "vitest",
      names: ["a.test.ts > suite > bad > one", "a.test.ts > table 1", "a.test.ts > table 2", "b.test.ts"],
    },
    { runner: "jest", names: ["t/a.test.js > suite › bad › one", "t/a.test.js > suite › inner › deep", "t/b.test.js"] },
    {
      runner: "mocha",
      names: ['suite > "after all" hook for "bad one"', "suite > bad one", "suite > inner > deep:", "top"],
    },
    { runner: "pytest", names: [...pytest, "test_x.py::test_param[a b - c]", "test_y.py"] },
    { runner: "pytest-quiet", names: [...pytest, "test_x.py::test_param[a b - c]", "test_y.py"] },
    {
      runner: "unittest",
      names: [
        "setUpClass (test_x.TestB)",
        "test_bad (test_x.TestA.test_bad)",
        "test_err (test_x.TestA.test_err)",
        "test_table (test_x.TestA.test_table) [one of many] (n=1)",
        "test_table (test_x.TestA.test_table) [one of many] (n=3)",
        "test_y (unittest.loader._FailedTest.test_y)",
      ],
    },
    {
      runner: "go",
      names: [
        "example.com/app/cart.TestTable/empty_cart",
        "example.com/app/cart.TestTable/one_item",
        "example.com/app/cart.TestTotal",
        "example.com/app/store [build failed]",
      ],
    },
    { runner: "cargo", names: ["it_bad", "src/lib.rs -", "tests::bad"] },
  ])("$runner", ({ runner, names }) => {
    expect(failingTests(load(runner), "/project")).toEqual({ names: names.sort(), account: "complete" });
  });

  const spec = [
    "▶ p\n  ✖ works (1.5ms)\n✖ p (2ms)\n▶ q\n  ✖ works (1.7ms)\n  ✖ x # TODO y (1ms)\n✖ q (3ms)\n✖ works (1.5ms)",
    "ℹ tests 4\nℹ fail 4\nℹ cancelled 0\n\n✖ failing tests:\n\ntest at a.test.js:2:1\n✖ works (1.5ms)\n\ntest at a.test.js:3:1",
    "✖ works (1.7ms)\n\ntest at a.test.js:4:1\n✖ x # TODO y (1ms)\n\ntest at a.test.js:5:1\n✖ works (1.5ms)\n",
  ].join("\n");
  const inTap = (file: string, more = "") =>
    `not ok 1 - works${more}\n  ---\n  location: '/project/${file}:1:1'\n  failureType: 'testCodeFailure'\n  ...\n`;
  const crate = "test tests::works ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n";
  const bullet = "  ● p › works\n";
  const summary = "Summary of all failing tests\n";
  test.for<{ what: string; output: string; names: string[] }>([
    {
      what: "in suites of node:test",
      output: spec,
      names: ["a.test.js > p > works", "a.test.js > q > works", "a.test.js > q > x # TODO y", "a.test.js > works"],
    },
    {
      what: "in two files, as TAP",
      output: `TAP version 13\n${inTap("a.js")}${inTap("b.js")}${inTap("c.js", " # TODO")}1..3\n`,
      names: ["a.js > works", "b.js > works"],
    },
    {
      what: "in TAP without places",
      output: "TAP version 13\nnot ok 1 - works\nnot ok 2 - works\n1..2\n",
      names: ["works", "works"],
    },
    { what: "in two crates", output: `${crate}${crate}`, names: ["tests::works", "tests::works"] },
    {
      what: "in jest, where all are printed once more at the end",
      output: `FAIL a.js\n${bullet}${bullet}${summary}FAIL a.js\n${bullet}${bullet}Test Suites: 1 failed\nTests: 2 failed`,
      names: ["a.js > p › works", "a.js > p › works"],
    },
    {
      what: "in jest, for two errors of one test",
      output: `FAIL a.js\n${bullet}${bullet}Test Suites: 1 failed\nTests: 1 failed`,
      names: ["a.js > p › works"],
    },
  ])("tests of one name $what", ({ output, names }) => {
    expect(failingTests(output, "/project")).toEqual({ names, account: "complete" });
  });

  const hook = "▶ s\n  ✖ 1\n  ✖ 2\n✖ s (0.8ms)\nℹ tests 2\nℹ fail 0\nℹ cancelled 2\n\n✖ failing tests:\n\n";
  const listed = "test at a.js:2:64\n✖ 1\n\ntest at a.js:2:82\n✖ 2\n\ntest at a.js:2:1\n✖ s (0.8ms)\n";
  const red = "✖ old (1ms)\nℹ tests 1\nℹ fail 1\nℹ cancelled 0\n\n✖ failing tests:\n\ntest at a.js:1:1\n✖ old (1ms)\n";
  const workspace = (name: string) => `npm error code 1\nnpm error workspace ${name}@1.0.0\nnpm error command failed\n`;
  test.for<{ what: string; output: string; names: string[]; account?: string }>([
    {
      what: "a suite whose hook fails",
      output: `${hook}${listed}`,
      names: ["a.js > s", "a.js > s > 1", "a.js > s > 2"],
    },
    {
      what: "a workspace whose runner is known",
      output: `${red}${workspace("a")}`,
      names: ["a.js > old", "workspace a"],
    },
    {
      what: "a workspace that nobody tells more of",
      output: `${red}${workspace("a")}${workspace("b")}`,
      names: ["a.js > old", "workspace a", "workspace b"],
      account: "partial",
    },
    {
      what: "coverage of node:test",
      output: `${red}ℹ Error: 33.33% line coverage does not meet threshold of 90%.\n`,
      names: ["a.js > old", "line coverage"],
    },
    {
      what: "coverage of vitest",
      output: `${red}ERROR: Coverage for lines (50%) does not meet global threshold (90%)\n`,
      names: ["a.js > old", "lines coverage"],
    },
    {
      what: "coverage of jest",
      output: `${red}Jest: "global" coverage threshold for lines (90%) not met: 50%\n`,
      names: ["a.js > old", "lines coverage"],
    },
    {
      what: "coverage of pytest",
      output: `${red}FAIL Required test coverage of 90% not reached. Total coverage: 50.00%\n`,
      names: ["Required test coverage", "a.js > old"],
    },
  ])("outside the tests, $what", ({ output, names, account = "complete" }) => {
    expect(failingTests(output, "/project")).toEqual({ names, account });
  });

  test("several runners are put together", () => {
    const found = failingTests(`${load("go")}${load("mocha")}`, "/project");
    expect(found.names).toHaveLength(8);
    expect(found.account).toBe("complete");
  });

  test("unittest with successes that nobody expected", () => {
    const rule = "=".repeat(70);
    const listed = `${rule}\nUNEXPECTED SUCCESS: one (t.A.one)\nUNEXPECTED SUCCESS: two (t.A.two)\n`;
    const output = `${listed}Ran 2 tests in 0.000s\n\nFAILED (unexpected successes=2)\n`;
    expect(failingTests(output, "/project")).toEqual({
      names: ["one (t.A.one)", "two (t.A.two)"],
      account: "complete",
    });
  });

  test("one that colours its words", () => {
    const coloured = load("vitest").replaceAll(" FAIL ", " \u001b[41m\u001b[1m FAIL \u001b[22m\u001b[49m ");
    expect(failingTests(coloured, "/project")).toEqual(failingTests(load("vitest"), "/project"));
  });

  test.for(["", "make: *** [Makefile:3: test] Error 1\n", "FAILED: not a runner we know\nok then\n"])(
    "no known runner has no names: %j",
    (output) => {
      expect(failingTests(output, "/project")).toEqual({ names: [], account: "unknown" });
    },
  );
});

describe("an output that does not account for every failure is partial", () => {
  const without = (name: string, pattern: RegExp) =>
    load(name)
      .split("\n")
      .filter((line) => !pattern.test(line))
      .join("\n");
  test.for([
    { what: "TAP without its plan", output: without("node-tap", /^1\.\./) },
    { what: "TAP with a result missing", output: without("node-tap", /^not ok 2 - top/) },
    { what: "node:test without its list", output: without("node-spec-24", /^test at/) },
    { what: "vitest that died before its counts", output: without("vitest", /^\s+Tests /) },
    { what: "vitest with a failure missing", output: without("vitest", /FAIL {2}a.test.ts > table 1/) },
    { what: "vitest with an error outside any test", output: `⎯ Unhandled Errors ⎯\n${load("vitest")}` },
    { what: "jest with a failure missing", output: without("jest", /● suite › inner/) },
    { what: "mocha with a failure missing", output: without("mocha", /^ {2}4\)/) },
    { what: "pytest that died before its counts", output: without("pytest", /^=+ 3 failed/) },
    { what: "pytest with a failure missing", output: without("pytest", /^ERROR test_y/) },
    { what: "unittest with a failure missing", output: without("unittest", /^FAIL: test_bad/) },
    { what: "unittest without its counts", output: without("unittest", /^FAILED/) },
    {
      what: "unittest with a success that nobody expected",
      output: load("unittest").replace("expected failures=1", "unexpected successes=1"),
    },
    { what: "go after a panic", output: `panic: runtime error\n${load("go")}` },
    { what: "go that died before the package's line", output: `${load("go")}--- FAIL: TestLate (0.00s)\n` },
    { what: "cargo with a failure missing", output: without("cargo", /^test it_bad/) },
  ])("$what", ({ output }) => {
    expect(failingTests(output, "/project").account).toBe("partial");
  });
});
