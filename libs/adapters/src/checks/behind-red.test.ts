import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { splitArgv } from "./argv.ts";
import { behindRed } from "./behind-red.ts";

const folder = mkdtempSync(join(tmpdir(), "anneal-scripts-"));
const scripts = {
  test: "node --test",
  lint: "eslint .",
  check: "npm test && npm run lint",
  nested: "npm run check; tsc",
  odd: "node --test || exit 1",
  bails: "mocha --bail",
  short: "mocha",
  unit: "vitest run",
  postunit: "tsc",
  guarded: "vitest run",
  preguarded: "tsc",
  loop: "npm run loop",
};
mkdirSync(join(folder, "app"));
writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts }));
writeFileSync(join(folder, "app", "package.json"), JSON.stringify({ scripts: { test: "a && b" } }));
afterAll(() => rmSync(folder, { recursive: true }));

test.for<{ line: string; behind: string[] }>([
  { line: "npm test && npm run lint", behind: ["npm test || :; npm run lint"] },
  { line: "a && b && c", behind: ["a || :; b", "a || :; b || :; c"] },
  { line: "a &&\n  b", behind: ["a || :; b"] },
  { line: "cd app && pytest -q && ruff check .", behind: ["cd app && pytest -q || :; ruff check ."] },
  { line: "CI=1 pytest && cd app && ruff check .", behind: ["CI=1 pytest || :; cd app && ruff check ."] },
  { line: "echo 'a && b' && c", behind: ["echo 'a && b' || :; c"] },
  { line: "pytest", behind: [] },
  { line: `NODE_OPTIONS="--a --b" X='1 2' jest && tsc`, behind: [`NODE_OPTIONS="--a --b" X='1 2' jest || :; tsc`] },
  { line: "pytest 2>&1", behind: [] },
  { line: ". venv/bin/activate; pytest; ruff check .\n", behind: [] },
  { line: "a; sh -c 'b && c'", behind: ["a || :; sh -c 'b || :; c'"] },
])("behind a red program of a shell's line: $line", async ({ line, behind }) => {
  expect(await behindRed(["bash", "-c", line], folder)).toMatchObject({
    further: behind.map((one) => ["bash", "-c", one]),
  });
});

describe("what may end half way hides what comes after", () => {
  test.for([
    "pytest # && ruff check .",
    "a && b; c",
    "a && b || c",
    "a || b",
    "a | b",
    "a & b",
    "a && $B",
    "a && (b)",
    "if a && b",
    "if a; then b; fi",
    "! a && b",
    "a && exit 3",
    "a || exit 1; b",
    "set -e; a; b",
    "set -e\na\nb",
    "builtin set -e; a; b",
    "command set -e; a; b",
    "builtin command set -o errexit\na\nb",
    "time set -e; a; b",
    "shopt -so errexit; a; b",
    "setopt errexit; a; b",
    "emulate -o errexit sh; a; b",
    ". ./strict.sh; a; b",
    "source strict.sh\na\nb",
    "a\nb && c",
    "f() { a; }; f",
    "a && 'b",
    "a &&",
    "a && sh -c 'b || c'",
    "",
  ])("%s", async (line) => {
    expect(await behindRed(["bash", "-c", line], folder)).toEqual({
      unknown: expect.stringContaining("may have stopped before its last program"),
    });
  });

  test.for<{ command: [string, ...string[]]; further: string[][] | null }>([
    { command: ["echo", "-c", "a && b"], further: [] },
    { command: ["sh", "run.sh", "-c", "a || b"], further: [] },
    { command: ["sh", "-c", "a && b", "name"], further: null },
    { command: ["/bin/sh", "-e", "-c", "a && b"], further: [["/bin/sh", "-e", "-c", "a || :; b"]] },
    { command: ["env", "bash", "-euo", "pipefail", "-c", "a"], further: [] },
    { command: ["env", "bash", "-c", "a && b"], further: [["env", "bash", "-c", "a || :; b"]] },
    { command: ["bash", "-ec", "a; b"], further: null },
    { command: ["bash", "-euo", "pipefail", "-c", "a; b"], further: null },
    { command: ["bash", "-o", "errexit", "-c", "a; b"], further: null },
    { command: ["bash", "-c", "-e", "a; b"], further: null },
  ])("only a shell has a line: $command", async ({ command, further }) => {
    expect(await behindRed(command, folder)).toMatchObject(
      further === null ? { unknown: expect.any(String) } : { further },
    );
  });
});

test.for<{ command: string[]; stops: string | null }>([
  { command: ["mocha", "--bail"], stops: "--bail" },
  { command: ["npx", "mocha", "-b"], stops: "-b" },
  { command: ["bash", "-c", "cd app && mocha -b"], stops: "-b" },
  { command: ["python3", "-m", "unittest", "-vf"], stops: "-vf" },
  { command: ["python3", "manage.py", "test", "--failfast"], stops: "--failfast" },
  { command: ["go", "test", "-failfast", "./..."], stops: "-failfast" },
  { command: ["npm", "test", "--", "--bail=1"], stops: "--bail=1" },
  { command: ["vitest", "run", "--bail=0"], stops: null },
  { command: ["vitest", "run", "--bail", "0"], stops: null },
  { command: ["cargo", "test", "--no-fail-fast"], stops: null },
  { command: ["python3", "-m", "unittest", "-v"], stops: null },
  { command: ["tar", "-f", "x"], stops: null },
])("the words that stop tests at a failure: $command", async ({ command: [program = "", ...args], stops }) => {
  expect(await behindRed([program, ...args], folder)).toEqual(
    stops === null
      ? { further: [] }
      : { unknown: expect.stringContaining(`with ${stops} the tests stop at the first failure`) },
  );
});

describe("scripts of package.json are lines as well", () => {
  test.for<{ command: string; further: string[][] }>([
    { command: "npm test", further: [] },
    { command: "npm ci", further: [] },
    { command: "yarn test", further: [] },
    { command: "pnpm run -s lint", further: [] },
    { command: "bun test", further: [] },
    { command: "pnpm test -r -c x", further: [] },
    { command: "npx jest -c x", further: [] },
    { command: "npm run check", further: [["npm", "exec", "-c", "npm test || :; npm run lint"]] },
    { command: "pnpm check", further: [["pnpm", "exec", "-c", "npm test || :; npm run lint"]] },
    { command: "npm run check -- 'a b'", further: [["npm", "exec", "-c", "npm test || :; npm run lint 'a b'"]] },
    { command: "npm run unit", further: [["npm", "exec", "-c", "vitest run || :; tsc"]] },
    { command: "npm run unit -- --dir x", further: [["npm", "exec", "-c", "vitest run --dir x || :; tsc"]] },
    { command: "npm run guarded", further: [["npm", "exec", "-c", "tsc || :; vitest run"]] },
    {
      command: "npm run nested",
      further: [["npm", "exec", "-c", "npm exec -c 'npm test || :; npm run lint'"]],
    },
    {
      command: "sh -c 'cd app && CI=1 npm test'",
      further: [["sh", "-c", "cd app && CI=1 npm exec -c 'a || :; b'"]],
    },
  ])("$command", async ({ command, further }) => {
    expect(await behindRed(splitArgv(command), folder)).toMatchObject({ further });
  });

  test.for([
    { command: "yarn check", why: "may have stopped before its last program" },
    { command: "bun run unit", why: "may have stopped before its last program" },
    { command: "npm run odd", why: "may have stopped before its last program" },
    { command: "npm run bails", why: "with --bail the tests stop" },
    { command: "npm run short -- -b", why: "with -b the tests stop" },
    { command: "npm run loop", why: "runs itself" },
    { command: "npm test -w app", why: "with -w it may run several scripts" },
    { command: "npm test --workspaces", why: "with --workspaces it may run several" },
    { command: "pnpm -r test", why: "with -r it may run several" },
    { command: "yarn workspaces run test", why: "with workspaces it may run several" },
    { command: "npx -c 'a && b'", why: "one of its arguments is a whole command line" },
    { command: "npm exec -c 'a && b'", why: "one of its arguments is a whole command line" },
    { command: "npm run gone", why: "package.json has no script gone" },
    { command: "npm --loglevel=error test", why: "its options come before" },
    { command: "npm run --loglevel=error test", why: "its options come before" },
    { command: "yarn --frozen-lockfile test", why: "its options come before" },
    { command: "timeout 100 npm test", why: "npm is run by another program" },
    { command: "env CI=1 npm test", why: "npm is run by another program" },
    { command: "sh -c 'nice npm test && true'", why: "npm is run by another program" },
    { command: "npm it", why: "it may run scripts" },
    { command: "npm rum test", why: "rum may run scripts" },
    { command: "pnpm run '/^te.*/'", why: "package.json has no script /^te.*/" },
    { command: "node --run test", why: "it runs a script" },
    { command: "sh -c 'cd gone && npm test'", why: "its folder has no readable package.json" },
  ])("$command hides what comes after", async ({ command, why }) => {
    expect(await behindRed(splitArgv(command), folder)).toEqual({ unknown: expect.stringContaining(why) });
  });
});
