import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { openTestRepo } from "../../../git/src/testing/make-repo.ts";
import { project } from "../testing/check-project.ts";
import { failingTests } from "./failing-tests.ts";

test("what a test prints between exclamation marks does not end pytest", () => {
  const output = `=== test session starts ===\n--- Captured stdout call ---\n!!! careful !!!\n=== short test summary info ===\nFAILED t.py::a - assert\n=== 1 failed in 0.1s ===\n`;
  expect(failingTests(output, "/project")).toMatchObject({ names: ["t.py::a"], account: "complete" });
});

describe("a runner that stopped before its end accounts for nothing", () => {
  const pytest = (why: string) =>
    `=== test session starts ===\n=== short test summary info ===\nERROR t.py\n!!! ${why} !!!\n=== 1 error in 0.1s ===\n`;
  test.for<{ what: string; output: string; advice: string }>([
    {
      what: "pytest at a file that it cannot collect",
      output: pytest("Interrupted: 1 error during collection"),
      advice: "add --continue-on-collection-errors",
    },
    { what: "pytest -x", output: pytest("stopping after 1 failures"), advice: "remove -x or --maxfail" },
    {
      what: "pytest-xdist -x",
      output: pytest("xdist.dsession.Interrupted: stopping after 1 failures"),
      advice: "remove -x or --maxfail",
    },
    {
      what: "pytest by a test's word",
      output: pytest("_pytest.outcomes.Exit: enough"),
      advice: "pytest was ended before its last test",
    },
    {
      what: "jest --bail",
      output:
        "FAIL a.test.js\n  ● red\n\nTest Suites: 1 failed, 1 of 3 total\nTests:       1 failed, 1 passed, 2 total\n",
      advice: "remove --bail from",
    },
    {
      what: "vitest --bail, in a file",
      output:
        " RUN  v5.1.0 /project\n\n FAIL  a.test.js > red\n\n Test Files  1 failed (1)\n      Tests  1 failed (3)\n",
      advice: "remove --bail from",
    },
    {
      what: "vitest --bail, between files",
      output:
        " RUN  v5.1.0 /project\n\n FAIL  a.test.js > red\n\n Test Files  1 failed (2)\n      Tests  1 failed (1)\n",
      advice: "remove --bail from",
    },
    {
      what: "cargo test",
      output:
        "test bad ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n\nerror: test failed, to rerun pass `--lib`\n",
      advice: "add --no-fail-fast",
    },
    {
      what: "TAP",
      output: "TAP version 13\nnot ok 1 - x\n1..1\nBail out! no more\n",
      advice: "ended before its last test",
    },
  ])("$what", ({ output, advice }) => {
    expect(failingTests(output, "/project")).toMatchObject({
      account: "partial",
      stopped: expect.stringContaining(advice),
    });
  });
});

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
describe.runIf(hasPytest)("pytest on a red base", () => {
  const pytest = ["python3", "-m", "pytest", "-p", "no:cacheprovider"];
  const green = "from calc import add\ndef test_add(): assert add(1, 2) == 3\n";

  test("with a file that cannot be collected: the others run and are judged", async () => {
    const base = { "calc.py": "def add(a, b): return a + b\n", "test_a.py": "import not_there\n", "test_b.py": green };
    using one = await project(base, {});
    expect(await one.check({ command: pytest })).toMatchObject({ result: "passed", preexisting: ["test_a.py"] });
    openTestRepo(one.worktree.root).write({ "calc.py": "def add(a, b): return a - b\n" });
    expect(await one.check({ command: pytest })).toMatchObject({ result: "failed", blamed: ["test_b.py::test_add"] });
  });

  test("that stops at the first failure: nothing is excused, and the note says what to do", async () => {
    const base = { "calc.py": "def add(a, b): return a + b\n", "test_a.py": "def test_red(): assert 0\n" };
    using one = await project({ ...base, "test_b.py": green }, { "calc.py": "def add(a, b): return a - b\n" });
    expect(await one.check({ command: [...pytest, "-x"] })).toMatchObject({
      result: "failed",
      blamed: [],
      note: "pytest stopped at a failure, so other failures stay unknown: remove -x or --maxfail from the test command, or from pytest's settings",
    });
  });
});
