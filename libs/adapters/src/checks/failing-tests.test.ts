import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { failingTests } from "./failing-tests.ts";

const load = (name: string) => readFileSync(new URL(`./fixtures/${name}.txt`, import.meta.url), "utf8");

describe("failing tests in the output of", () => {
  const nodeSpec = ["a.test.mjs > bad one", "a.test.mjs > deep bad", "a.test.mjs > top bad # hash"];
  const pytest = ["test_x.py::TestA::test_bad", "test_x.py::test_err", "test_x.py::test_param[2]"];
  test.for<{ runner: string; names: string[] }>([
    { runner: "node-tap", names: ["b.test.mjs", "suite > bad one", "suite > inner > deep bad", "top bad # hash"] },
    { runner: "node-spec-20", names: [...nodeSpec, "b.test.mjs > b.test.mjs"] },
    { runner: "node-spec-24", names: [...nodeSpec, "b.test.mjs > b.test.mjs"] },
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
