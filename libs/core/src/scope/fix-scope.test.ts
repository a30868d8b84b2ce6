import { describe, expect, test } from "vitest";
import { finding } from "../testing/build.ts";
import { type FixedFile, type FixTask, outOfScope } from "./fix-scope.ts";

const NONE = { mode: "000000", text: null };
const PLAIN = "100644";

interface Touch {
  path: string;
  oldPath?: string;
  from?: string | null;
  to?: string | null;
  modes?: [string, string];
}

/** A file that was changed from one text to another; null where there is none. */
function file({ path, oldPath, from = "a\n", to = "b\n", modes = [PLAIN, PLAIN] }: Touch): FixedFile {
  const [was, is] = modes;
  const lines = (from ?? "").split("\n");
  const kept = new Set((to ?? "").split("\n"));
  return {
    path,
    oldPath,
    before: from === null ? NONE : { mode: was, text: from },
    after: { ...(to === null ? NONE : { mode: is, text: to }), blob: `blob of ${to}` },
    removed: lines.filter((line) => line !== "" && !kept.has(line)).length,
  };
}

/** What a fix of one finding in src/cart.ts comes to. */
function scope(touches: Touch[], over: Partial<FixTask> = {}) {
  const task = {
    findings: [finding()],
    words: ["Add a cart."],
    changed: ["src/cart.ts"],
    texts: [],
    round: 1,
    from: "c1",
    ...over,
  };
  const { strays, unnamed } = outOfScope(touches.map(file), task);
  return { strays: strays.map((one) => `${one.finding.severity}: ${one.finding.title}`), unnamed };
}

const MENDED: Touch = { path: "src/cart.ts", from: "broken\n", to: "mended\n" };
const long = (lines: number) => Array.from({ length: lines }, (_, n) => `line ${n}\n`).join("");
const json = (value: object) => `${JSON.stringify(value)}\n`;

describe("a fix that leaves its scope", () => {
  test.for<{ what: string; touch: Touch; says: string }>([
    { what: "CI", touch: { path: ".github/workflows/ci.yml" }, says: "(CI)" },
    { what: "CI that was not there", touch: { path: ".gitlab-ci.yml", from: null }, says: "adds .gitlab-ci.yml (CI)" },
    { what: "CI that is gone", touch: { path: ".circleci/config.yml", to: null }, says: "deletes" },
    { what: "a hook", touch: { path: ".husky/pre-commit" }, says: "(git hooks)" },
    { what: "Anneal's settings", touch: { path: ".automaker/settings.json" }, says: "(settings" },
    { what: "a unit's reviewer", touch: { path: ".choo.yaml" }, says: "(settings" },
    { what: "what agents are told", touch: { path: "CLAUDE.md" }, says: "(settings" },
    { what: "an agent's settings", touch: { path: ".claude/settings.json", from: null }, says: "(settings" },
    {
      what: "a script of a manifest",
      touch: {
        path: "package.json",
        from: json({ scripts: { test: "node --test" } }),
        to: json({ scripts: { test: "true" } }),
      },
      says: "(scripts of a manifest",
    },
    { what: "a target", touch: { path: "Makefile", from: "test:\n\tx\n", to: "test:\n\ttrue\n" }, says: "(scripts" },
    {
      what: "a section about tests",
      touch: { path: "pyproject.toml", from: "", to: '[tool.pytest.ini_options]\naddopts = "-k a"\n' },
      says: "(scripts",
    },
    { what: "a lock file", touch: { path: "package-lock.json" }, says: "(a lock file)" },
    { what: "a link", touch: { path: "src/data", from: null, modes: [PLAIN, "120000"] }, says: "(a link)" },
    { what: "a submodule", touch: { path: "lib", modes: ["160000", "160000"] }, says: "(a link)" },
    {
      what: "an executable bit of the very file",
      touch: { ...MENDED, modes: [PLAIN, "100755"] },
      says: "(an executable bit)",
    },
    {
      what: "a new program",
      touch: { path: "src/x.sh", from: null, modes: [PLAIN, "100755"] },
      says: "executable bit",
    },
    {
      what: "a hook under another name",
      touch: { path: "src/old", oldPath: ".husky/pre-push", to: "a\n" },
      says: "hooks",
    },
  ])("holds the change for $what", ({ touch, says }) => {
    const { strays, unnamed } = scope([MENDED, touch].slice(touch.path === MENDED.path ? 1 : 0));
    expect(strays).toEqual([expect.stringContaining(says)]);
    expect(strays[0]).toMatch(/^critical: The fix of round 1 /);
    expect(unnamed).toEqual([]);
  });

  test.for([
    ...[".overcommit.yml", "build.rs", ".gitleaksignore", ".idea/runConfigurations/x.xml", "hooks/pre-commit"],
    ...[
      ".builds/ci.yml",
      "Dockerfile",
      "docker/api.Dockerfile",
      "Dockerfile.dev",
      "docker-compose.yml",
      "setup.py",
      "binding.gyp",
    ],
    ...[".yarn/plugins/x.cjs", "gradle/wrapper/gradle-wrapper.properties", ".kiro/hooks/a.json", ".zed/settings.json"],
  ])("holds the change for %s, changed or new", (path) => {
    const titles = [scope([MENDED, { path }]), scope([MENDED, { path, from: null }])].map(({ strays }) => strays);
    expect(titles).toEqual([
      [expect.stringContaining(`changes ${path} (`)],
      [expect.stringContaining(`adds ${path} (`)],
    ]);
  });

  test.for(["requirements.txt", "requirements-dev.txt", "lib/CMakeLists.txt"])(
    "tells of a plain line in %s",
    (path) => {
      expect(scope([MENDED, { path }])).toEqual({ strays: [], unnamed: [path] });
    },
  );

  test.for<{ what: string; touch: Touch }>([
    { what: "deletes a file far away", touch: { path: "lib/old.ts", to: null } },
    { what: "rewrites much of one", touch: { path: "lib/big.ts", from: long(60), to: "1\n" } },
  ])("holds it where it $what", ({ touch }) => {
    expect(scope([MENDED, touch]).strays).toEqual([
      expect.stringMatching(/^high: The fix of round 1 .* no finding names/),
    ]);
  });

  test("only tells of a few lines in a file far away", () => {
    const touch = { path: "lib/big.ts", from: long(60), to: long(55) };
    expect(scope([MENDED, touch])).toEqual({ strays: [], unnamed: ["lib/big.ts"] });
  });
});

describe("a fix that stays in its scope", () => {
  const about = (over: object) => ({ findings: [finding(over)] });
  const locked = { path: "package-lock.json" };
  const manifest = { path: "package.json", from: json({ name: "a" }), to: json({ dependencies: { b: "1" } }) };
  test.for<{ what: string; touches: Touch[]; over?: Partial<FixTask> }>([
    { what: "mends the file", touches: [MENDED] },
    { what: "adds a test beside it", touches: [MENDED, { path: "src/cart.test.ts", from: null }] },
    { what: "adds a helper beside it", touches: [{ path: "src/totals.ts", from: null }] },
    { what: "adds a hook of a page", touches: [{ path: "web/hooks/use-cart.ts", from: null }] },
    { what: "adds a page about Docker", touches: [{ path: "docs/dockerfile.md", from: null }] },
    { what: "adds a reader of Dockerfiles", touches: [{ path: "lib/dockerfile.ts", from: null }] },
    { what: "adds a file elsewhere", touches: [{ path: "lib/totals.ts", from: null }] },
    { what: "mends its test in another folder", touches: [{ path: "test/unit/cart.test.ts" }] },
    { what: "mends a file beside it", touches: [{ path: "src/shop.ts" }] },
    { what: "goes on with a file of the change", touches: [{ path: "lib/b.ts" }], over: { changed: ["lib/b.ts"] } },
    { what: "drops a file of the change", touches: [{ path: "lib/b.ts", to: null }], over: { changed: ["lib/b.ts"] } },
    {
      what: "mends what the file imports",
      touches: [{ path: "lib/money.ts" }],
      over: { texts: [{ path: "src/cart.ts", text: 'import { sum } from "../lib/money.ts";\n' }] },
    },
    {
      what: "mends a package by its folder",
      touches: [{ path: "lib/money/index.ts" }],
      over: { texts: [{ path: "src/cart.ts", text: 'import { sum } from "../lib/money";\n' }] },
    },
    {
      what: "mends who imports the file",
      touches: [{ path: "app/main.py", from: "from src.cart import total\n", to: "from src.cart import sum\n" }],
      over: { texts: [{ path: "src/cart.py", text: "" }] },
    },
    { what: "adds a line to a document", touches: [{ path: "CHANGELOG.md" }, { path: "docs/use.md" }] },
    {
      what: "mends what the finding's words name",
      touches: [{ path: "lib/money.ts" }],
      over: about({ description: "the sum in money.ts is wrong" }),
    },
    {
      what: "mends CI that a finding names",
      touches: [{ path: ".github/workflows/ci.yml" }],
      over: about({ file: ".github/workflows/ci.yml" }),
    },
    {
      what: "mends CI that the item names",
      touches: [{ path: ".github/workflows/ci.yml" }],
      over: { words: ["Run it in .github/workflows/ci.yml too."] },
    },
    {
      what: "adds a dependency that a finding asks for",
      touches: [manifest, locked],
      over: about({ file: "package.json" }),
    },
    {
      what: "makes a program of a file as it is told",
      touches: [{ ...MENDED, modes: [PLAIN, "100755"] }],
      over: about({ title: "It is not executable" }),
    },
    {
      what: "adds a fixture",
      touches: [{ path: "tests/conftest.py", from: "", to: "@pytest.fixture\ndef db():\n    return 1\n" }],
      over: { changed: ["tests/a.py"] },
    },
  ])("passes: $what", ({ touches, over }) => {
    expect(scope(touches, over)).toEqual({ strays: [], unnamed: [] });
  });

  test.for<{ what: string; touches: Touch[]; over: Partial<FixTask> }>([
    { what: "a manifest", touches: [manifest, locked], over: {} },
    {
      what: "another settings.json",
      touches: [{ path: ".claude/settings.json" }],
      over: { words: ["Read settings.json."] },
    },
    { what: "a longer name", touches: [{ path: ".husky/pre-commit" }], over: { words: ["Uses my-pre-commit.ts."] } },
    { what: "the code of a program", touches: [{ ...MENDED, modes: ["100755", PLAIN] }], over: {} },
  ])("is not one whose words only name $what", ({ touches, over }) => {
    expect(scope(touches, over).strays).toHaveLength(1);
  });
});

test("the same content of the same file is one finding, and other content another", () => {
  const named = (to: string) =>
    outOfScope([file({ path: "Makefile", to })], {
      findings: [],
      words: [],
      changed: [],
      texts: [],
      round: 1,
      from: "c1",
    }).strays[0]?.fingerprint;
  expect(named("b\n")).toBe(named("b\n"));
  expect(named("b\n")).not.toBe(named("c\n"));
});
