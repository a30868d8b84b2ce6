import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { testTotals } from "./test-totals.ts";

const load = (name: string) => readFileSync(new URL(`./fixtures/${name}.txt`, import.meta.url), "utf8");

describe("the tests that ran, by the output of", () => {
  const node = { passed: ["good"], failed: ["bad one", "deep bad", "inner", "suite", "top bad # hash"] };
  test.for([
    { runner: "node-spec-20", ran: 4, skipped: 2, ...node },
    { runner: "node-spec-24", ran: 4, skipped: 2, ...node },
    { runner: "node-tap", ran: 6, skipped: 2, passed: ["good"] },
    { runner: "vitest", ran: 4, skipped: 0, passed: [] },
    { runner: "jest", ran: 3, skipped: 1, passed: [] },
    { runner: "mocha", ran: 4, skipped: 0, passed: [] },
    { runner: "pytest", ran: 6, skipped: 0, passed: [] },
    { runner: "pytest-quiet", ran: 6, skipped: 0, passed: [] },
    { runner: "unittest", ran: 5, skipped: 1, passed: [] },
    { runner: "go", ran: 3, skipped: 0, passed: [] },
    { runner: "cargo", ran: 5, skipped: 1, passed: ["tests::good", "it_ok"] },
  ])("$runner", ({ runner, ...totals }) => {
    expect(testTotals(load(runner))).toMatchObject(totals);
  });

  test.for([
    {
      what: "node:test with what does not count",
      output: [
        "✔ is there (0.27ms)",
        "﹣ s (0.13ms) # SKIP",
        "⚠ t (0.3ms) # TODO",
        "✔ t2 (1.2ms) # TODO",
        "▶ suite",
        "  ✔ adds (0.14ms)",
        "✔ suite (1.3ms)",
        "✔ b.test.js (31.4ms)",
        ...["ℹ tests 6", "ℹ suites 1", "ℹ pass 3", "ℹ fail 0", "ℹ cancelled 0", "ℹ skipped 1", "ℹ todo 2"],
      ],
      totals: { ran: 3, skipped: 3, passed: ["is there", "adds", "suite"], failed: [] },
    },
    {
      what: "node:test with a file that fails after its tests",
      output: ["✔ a (0.6ms)", "✖ c.test.js (54ms)", "ℹ tests 2", "ℹ pass 1", "ℹ fail 1", "ℹ skipped 0"],
      totals: { ran: 1, skipped: 0, passed: ["a"], failed: [] },
    },
    {
      what: "cargo with a test that is called as node:test begins a place",
      output: [
        "running 2 tests",
        "test at ... ok",
        "test bad ... FAILED",
        "test result: FAILED. 1 passed; 1 failed; 0 ignored",
      ],
      totals: { ran: 2, skipped: 0, passed: ["at"], failed: ["bad"] },
    },
    {
      what: "pytest -v with what does not count",
      output: [
        "collected 7 items",
        "test_x.py::test_a FAILED                                                 [ 12%]",
        "test_x.py::test_b PASSED                                                 [ 25%]",
        "test_x.py::test_c XFAIL                                                  [ 37%]",
        "test_x.py::test_d XPASS                                                  [ 50%]",
        "test_x.py::test_e SKIPPED (unconditional skip)                           [ 62%]",
        "test_x.py::test_f PASSED                                                 [ 75%]",
        "test_x.py::test_f ERROR                                                  [ 75%]",
        "test_x.py::test_g[a b] PASSED                                            [ 87%]",
        "==== 1 failed, 3 passed, 1 skipped, 1 xfailed, 1 xpassed, 1 error in 0.74s =====",
      ],
      totals: {
        ran: 4,
        skipped: 3,
        passed: ["test_x.py::test_b", "test_x.py::test_f", "test_x.py::test_g[a b]"],
        failed: ["test_x.py::test_a"],
      },
    },
    {
      what: "pytest -v -s with what tests print and log",
      output: [
        "collecting ... collected 4 items / 1 error",
        "test_x.py::test_a hello",
        "PASSED",
        "test_x.py::test_b[a b] hello",
        "and more",
        "FAILED",
        "test_x.py::test_c ",
        "-------------------------------- live log call ---------------------------------",
        "INFO     root:test_x.py:3 hello",
        "PASSED                                                                   [ 75%]",
        "test_x.py::test_d PASSED                                                 [100%]",
        "==== 1 failed, 3 passed, 2 errors in 0.74s =====",
      ],
      totals: {
        ran: 5,
        skipped: 0,
        passed: ["test_x.py::test_a", "test_x.py::test_c", "test_x.py::test_d"],
        failed: ["test_x.py::test_b[a b]"],
      },
    },
    {
      what: "pytest -v -n 2",
      output: [
        "[gw1] [ 50%] FAILED test_x.py::test_b[a b] ",
        "[gw0] [100%] PASSED test_x.py::test_a ",
        "==== 1 failed, 1 passed in 0.74s =====",
      ],
      totals: { ran: 2, skipped: 0, passed: ["test_x.py::test_a"], failed: ["test_x.py::test_b[a b]"] },
    },
    {
      what: "pytest -q with an error after a test",
      output: ["_______________ ERROR at teardown of test_f _______________", "2 passed, 1 error in 0.69s"],
      totals: { ran: 2, skipped: 0, passed: [], failed: [] },
    },
    {
      what: "pytest -q that passes and deselects",
      output: ["...                    [100%]", "3 passed, 2 deselected in 0.69s"],
      totals: { ran: 3, skipped: 2, passed: [], failed: [] },
    },
    {
      what: "vitest with skipped tests",
      output: [" Test Files  1 passed (1)", "      Tests  2 passed | 1 skipped | 1 todo (4)"],
      totals: { ran: 2, skipped: 2, passed: [], failed: [] },
    },
    {
      what: "unittest with skipped tests",
      output: ["Ran 6 tests in 0.001s", "", "OK (skipped=2, expected failures=1)"],
      totals: { ran: 3, skipped: 3, passed: [], failed: [] },
    },
    {
      what: "go test -v",
      output: [
        ...["=== RUN   TestA", "--- PASS: TestA (0.00s)", "=== RUN   TestB", "--- SKIP: TestB (0.00s)", "PASS"],
        "ok  \texample.com/app\t0.002s",
      ],
      totals: { ran: 1, skipped: 1, passed: ["TestA"], failed: [] },
    },
    {
      what: "go test of a package that has no tests left",
      output: ["ok  \ta\t0.002s [no tests to run]", "ok  \tb\t(cached)", "?   \tc\t[no test files]"],
      totals: { ran: 1, skipped: 0, passed: [], failed: [] },
    },
    {
      what: "two runners",
      output: ["Tests:       2 passed, 2 total", "  3 passing (5ms)", "  1 pending"],
      totals: { ran: 5, skipped: 1, passed: [], failed: [] },
    },
  ])("$what", ({ output, totals }) => {
    expect(testTotals(`${output.join("\n")}\n`)).toEqual(totals);
  });

  test("nothing that tells of tests", () => {
    expect(testTotals("> x@1.0.0 test\n> true\n\n")).toBeNull();
  });
});
