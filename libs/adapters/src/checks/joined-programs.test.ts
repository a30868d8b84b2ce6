import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { openTestRepo } from "../../../git/src/testing/make-repo.ts";
import { project, suite } from "../testing/check-project.ts";

describe("another program's failure is not excused by tests that were red before", () => {
  const lint = `import { readFileSync } from "node:fs";
    const bad = readFileSync("app.js", "utf8").split("\\n").flatMap((line, at) => (line.includes("var ") ? [at + 1] : []));
    for (const at of bad) console.log("app.js:" + at + ":1: error: " + "no var");
    process.exit(bad.length > 0 ? 1 : 0);`;
  const base = { "a.test.mjs": suite({ old: "red" }), "lint.mjs": lint, "app.js": "var one = 1;\n" };
  const node = process.execPath;
  test.for([
    { reporter: "tap", joined: `${node} --test --test-reporter=tap; ${node} lint.mjs` },
    { reporter: "spec", joined: `${node} --test --test-reporter=spec; ${node} lint.mjs` },
  ])("joined by a shell: $reporter", async ({ joined }) => {
    const request = { command: ["sh", "-c", joined] };
    using one = await project(base, { "app.js": "let two = 2;\nvar one = 1;\n" });
    expect(await one.check(request)).toMatchObject({ result: "passed", preexisting: ["a.test.mjs > old"] });
    openTestRepo(one.worktree.root).write({ "app.js": "var two = 2;\nvar one = 1;\n" });
    expect(await one.check(request)).toMatchObject({
      result: "failed",
      blamed: [],
      note: "new errors outside the tests: app.js:#:#: error: no var",
    });
  });
});

test("a line that may end half way has nothing excused, and the note says what to do", async () => {
  using one = await project({ "a.test.mjs": suite({ old: "red" }) }, {});
  const line = `set -e; ${process.execPath} --test --test-reporter=tap; sh lint.sh`;
  expect(await one.check({ command: ["sh", "-c", line] })).toMatchObject({
    result: "failed",
    blamed: [],
    preexisting: ["a.test.mjs > old"],
    note: expect.stringMatching(
      /may have stopped before its last program, so .* unknown: let the test command name programs/,
    ),
  });
});

test("a program that a shell does not get to, because tests before it were red already, is run nevertheless", async () => {
  const command = ["sh", "-c", `${process.execPath} --test --test-reporter=tap && sh lint.sh`];
  const base = { "a.test.mjs": suite({ old: "red" }), "lint.sh": "grep -q good app.js", "app.js": "good" };
  using one = await project(base, {});
  expect(await one.check({ command })).toMatchObject({ result: "passed", preexisting: ["a.test.mjs > old"] });
  openTestRepo(one.worktree.root).write({ "app.js": "bad" });
  expect(await one.check({ command })).toMatchObject({
    result: "failed",
    blamed: [],
    note: expect.stringMatching(
      /^`.* \|\| :; sh lint.sh` fails, which an earlier failing program had hidden: exit code 1; before/,
    ),
  });
});

test("a change that mends the first program is not blamed for the second, which was red before and is seen for the first time", async () => {
  const tests = (name: string) => `${process.execPath} --test --test-reporter=tap ${name}.test.mjs`;
  const command = ["sh", "-c", `${tests("first")} && ${tests("second")}`];
  const base = { "first.test.mjs": suite({ one: "red" }), "second.test.mjs": suite({ two: "red", three: "green" }) };
  using mended = await project(base, { "first.test.mjs": suite({ one: "green" }) });
  expect(await mended.check({ command })).toMatchObject({
    result: "passed",
    blamed: [],
    preexisting: ["second.test.mjs > two"],
  });
  openTestRepo(mended.worktree.root).write({ "second.test.mjs": suite({ two: "red", three: "red" }) });
  expect(await mended.check({ command })).toMatchObject({ result: "failed", blamed: ["second.test.mjs > three"] });
});

const hasNpm = spawnSync("npm", ["--version"]).status === 0;
test.runIf(hasNpm).for([
  { what: "behind && in its script", scripts: { test: "node --test --test-reporter=tap && sh lint.sh" } },
  { what: "after its script", scripts: { test: "node --test --test-reporter=tap", posttest: "sh lint.sh" } },
])("a program that npm does not get to is run nevertheless: $what", async ({ scripts }) => {
  const base = { "a.test.mjs": suite({ old: "red" }), "lint.sh": "grep -q good app.js", "app.js": "good" };
  using one = await project({ ...base, "package.json": JSON.stringify({ scripts }) }, {});
  expect(await one.check({ command: "npm test" })).toMatchObject({
    result: "passed",
    preexisting: ["a.test.mjs > old"],
  });
  openTestRepo(one.worktree.root).write({ "app.js": "bad" });
  expect(await one.check({ command: "npm test" })).toMatchObject({
    result: "failed",
    note: expect.stringMatching(
      /^`.* \|\| :; sh lint.sh` fails, which an earlier failing program had hidden: exit code 1; before/,
    ),
  });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;
test.runIf(hasPython)(
  "what a test of python's unittest prints is not taken for another program's failure",
  async () => {
    const tests = (words: string) => `import unittest
class T(unittest.TestCase):
    def test_old(self):
        print("${words}")
        self.fail()
unittest.main()
`;
    using one = await project({ "t.py": tests("hello") }, { "t.py": tests("Error: other words") });
    expect(await one.check({ command: "python3 t.py" })).toMatchObject({ result: "passed", blamed: [] });
  },
);
