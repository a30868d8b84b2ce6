import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { failuresOutsideTests } from "./failures-outside-tests.ts";

const load = (name: string) => readFileSync(new URL(`./fixtures/${name}.txt`, import.meta.url), "utf8");

const RUNNERS = [
  ...["node-tap", "node-spec-20", "node-spec-24", "vitest", "jest", "mocha", "pytest", "pytest-quiet"],
  ...["unittest", "go", "cargo"],
];

describe("what fails outside the tests", () => {
  test.for(RUNNERS)("is nothing of what %s itself prints", (runner) => {
    expect(failuresOutsideTests(load(runner), "/project")).toEqual([]);
  });

  test.for(["node-tap", "vitest", "pytest", "cargo"])("can come before %s", (runner) => {
    expect(failuresOutsideTests(`a.ts(1,2): error TS2322: no\n${load(runner)}`, "/project")).toEqual([
      "a.ts(#,#): error TS2322: no",
    ]);
  });

  test.for(
    RUNNERS.flatMap((runner) =>
      [
        { program: "tsc", said: "a.ts(1,2): error TS2322: no\n", lines: ["a.ts(#,#): error TS2322: no"] },
        {
          program: "eslint",
          said: "\n/project/a.js\n  3:1  error  Unexpected var  no-var\n\n✖ 2 problems (2 errors, 0 warnings)\n",
          lines: ["#:#  error  Unexpected var  no-var", "✖ 2 problems (2 errors, # warnings)"],
        },
        {
          program: "ruff",
          said: "F401 [*] `os` imported but unused\n --> a.py:1:8\n  |\n1 | import os\n\nFound 1 error.\n",
          lines: ["Found 1 error."],
        },
        {
          program: "mypy",
          said: "a.py:3: error: Incompatible types\nFound 1 error in 1 file (checked 20 source files)\n",
          lines: ["Found 1 error in # file (checked # source files)", "a.py:#: error: Incompatible types"],
        },
        {
          program: "flake8",
          said: "./a.py:1:1: E302 expected 2 blank lines\n",
          lines: ["./a.py:#:#: E302 expected # blank lines"],
        },
        { program: "black", said: "would reformat /project/a.py\n", lines: ["would reformat a.py"] },
        { program: "prettier", said: "[warn] src/a.ts\n", lines: ["[warn] src/a.ts"] },
        { program: "node", said: "TypeError: x is not a function\n", lines: ["TypeError: x is not a function"] },
      ].map((one) => ({ runner, ...one })),
    ),
  )("is what $program says after $runner", ({ runner, said, lines }) => {
    expect(failuresOutsideTests(`${load(runner)}${said}`, "/project")).toEqual(lines);
  });

  test("is what tox says of an environment", () => {
    const said = "  py: FAIL code 1 (0.52=setup[0.01]+cmd[0.51] seconds)\n  lint: FAIL code 1 (0.04 seconds)\n";
    expect(failuresOutsideTests(`${load("pytest")}${said}`, "/project")).toEqual([
      "lint: FAIL code # (# seconds)",
      "py: FAIL code # (#=setup[#]+cmd[#] seconds)",
    ]);
  });

  test.for([
    "✖ 3 problems (0 errors, 3 warnings)",
    "0 errors, 1 warning, 0 informations",
    "src/a.rs:3:1: warning: unused variable",
    "dist/errors-B4x1.js   1.20 kB",
    "src/error.ts -> dist/error.js",
    "npm error A complete log of this run can be found in: /root/.npm/_logs/2026-01-01T10_00_00_123Z-debug-0.log",
    "12:30:01 server listens on 127.0.0.1:3000",
    "error: test failed, to rerun pass `--lib`",
  ])("is not: %s", (line) => {
    expect(failuresOutsideTests(`${load("vitest")}${line}\n`, "/project")).toEqual([]);
  });
});
