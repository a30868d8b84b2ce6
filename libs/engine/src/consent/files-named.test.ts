import { describe, expect, test } from "vitest";
import { filesNamed, type ReadFiles } from "./files-named.ts";

const TREE: Record<string, string> = {
  "scripts/setup.sh": "echo set-up",
  "scripts/check.mjs": "check()",
  "test/login.test.js": "test()",
  "package.json": JSON.stringify({
    scripts: {
      test: "npm run build && node scripts/check.mjs",
      pretest: "echo before",
      build: "tsc",
      postinstall: "./scripts/setup.sh",
      deploy: "never named",
    },
  }),
  "koe/package.json": JSON.stringify({ scripts: { typecheck: "tsc -p ." } }),
  "koe/run.sh": "echo koe",
  ".npmrc": "script-shell=./evil.sh",
  Makefile: "all:\n\techo made",
  "a b.sh": "spaces",
};
const read: ReadFiles = async (paths) =>
  paths.map((path) => (Object.hasOwn(TREE, path) ? Buffer.from(TREE[path] ?? "") : null));

describe("what a command line names in the tree", () => {
  test.for<{ line: string; folder?: string; names: string[] }>([
    { line: "pytest -q", names: [] },
    { line: "./scripts/setup.sh --fast", names: ["scripts/setup.sh"] },
    { line: "bash scripts/setup.sh", names: ["scripts/setup.sh"] },
    { line: "bash -c 'cd /tmp && ./scripts/setup.sh; true'", names: ["scripts/setup.sh"] },
    { line: "FOO=scripts/setup.sh x", names: ["scripts/setup.sh"] },
    { line: "node --test test/login.test.js", names: ["test/login.test.js"] },
    { line: "make all", names: ["Makefile"] },
    { line: "./run.sh", folder: "koe", names: ["koe/run.sh"] },
    { line: "cat ../../etc/passwd /etc/passwd .git/config", names: [] },
    {
      line: "npm test",
      names: [
        ".npmrc",
        "package.json (scripts.build)",
        "package.json (scripts.pretest)",
        "package.json (scripts.test)",
        "scripts/check.mjs",
      ],
    },
    {
      line: "npm ci",
      names: [".npmrc", "package.json (scripts.postinstall)", "scripts/setup.sh"],
    },
    { line: "pnpm -C koe typecheck", names: [".npmrc", "koe/package.json (scripts.typecheck)"] },
    { line: "yarn", names: ["package.json (scripts.postinstall)", "scripts/setup.sh"] },
  ])("$line", async ({ line, folder = "", names }) => {
    expect((await filesNamed(line, read, { folder })).map(({ path }) => path)).toEqual(names);
  });

  test("but for those that are passed over", async () => {
    const passesOver = (path: string) => path.includes(".test.");
    expect(await filesNamed("node --test test/login.test.js", read, { passesOver })).toEqual([]);
  });

  test("and a package.json that cannot be read names no script", async () => {
    expect(await filesNamed("npm test", async (paths) => paths.map(() => Buffer.from("{")))).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ path: expect.stringContaining("scripts.") })]),
    );
  });
});
