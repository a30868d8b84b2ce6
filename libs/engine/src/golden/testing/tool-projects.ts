import { spawnSync } from "node:child_process";
import type { Files } from "../../../../git/src/testing/make-repo.ts";

/** A small project in which one test is red, one fails every other time, and one is about to be broken. */
export interface ToolProject {
  files: Files;
  /** What `anneal init` must find. */
  setup: string[];
  /** The command that runs the tests, where `anneal init` finds none. */
  testCommand?: string;
  /** A file that only the set-up makes. */
  installed: string;
  /** The change breaks what "adds up" tests; the fix mends it. */
  source: { path: string; broken: string; mended: string };
}

/** Nobody listens there: whoever asks a registry fails at once. */
const NOWHERE = "http://127.0.0.1:9/";

const jsTest = (title: string, body: string) =>
  `import assert from "node:assert/strict";\nimport { test } from "node:test";\n${body.includes("sum") ? 'import { sum } from "../src/sum.js";\n' : ""}test("${title}", () => {\n  ${body}\n});\n`;

const FLAKY_JS = `import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
test("now and then", () => {
  mkdirSync(".cache", { recursive: true });
  const again = existsSync(".cache/ran");
  if (again) rmSync(".cache/ran");
  else writeFileSync(".cache/ran", "");
  assert.ok(again);
});
`;

const sumJs = (sign: string) =>
  `import { zero } from "shelf";\n\nexport const sum = (list) => list.reduce((a, b) => a ${sign} b, zero);\n`;

/** Its package comes from a folder next to it, so that no registry is needed. */
function nodeProject(lock: Files, link: string): Pick<ToolProject, "files" | "source" | "installed"> {
  const manifest = {
    name: "library",
    version: "1.0.0",
    private: true,
    type: "module",
    scripts: { test: "node --test" },
    dependencies: { shelf: link },
  };
  return {
    files: {
      "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
      "vendor/shelf/package.json":
        '{ "name": "shelf", "version": "1.0.0", "type": "module", "exports": "./index.js" }\n',
      "vendor/shelf/index.js": "export const zero = 0;\n",
      "src/sum.js": sumJs("+"),
      "test/red.test.js": jsTest("red before", "assert.equal(1, 2);"),
      "test/flaky.test.js": FLAKY_JS,
      "test/sum.test.js": jsTest("adds up", "assert.equal(sum([1, 2]), 3);"),
      ".npmrc": `registry=${NOWHERE}\nfetch-retries=0\nupdate-notifier=false\n`,
      ".gitignore": ".cache/\n",
      ...lock,
    },
    installed: "node_modules/shelf/index.js",
    source: { path: "src/sum.js", broken: sumJs("-"), mended: sumJs("+") },
  };
}

const NPM_LOCK = {
  name: "library",
  version: "1.0.0",
  lockfileVersion: 3,
  requires: true,
  packages: {
    "": { name: "library", version: "1.0.0", dependencies: { shelf: "file:vendor/shelf" } },
    "node_modules/shelf": { resolved: "vendor/shelf", link: true },
    "vendor/shelf": { name: "shelf", version: "1.0.0" },
  },
};

export const npm: ToolProject = {
  ...nodeProject({ "package-lock.json": `${JSON.stringify(NPM_LOCK, null, 2)}\n` }, "file:vendor/shelf"),
  setup: ["npm ci"],
};

const PNPM_LOCK = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

importers:

  .:
    dependencies:
      shelf:
        specifier: link:vendor/shelf
        version: link:vendor/shelf
`;

export const pnpm: ToolProject = {
  ...nodeProject({ "pnpm-lock.yaml": PNPM_LOCK }, "link:vendor/shelf"),
  setup: ["pnpm install --frozen-lockfile"],
};

/** Builds its wheel by itself: pip would fetch any other builder from a registry. */
const BACKEND = `import os, zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = "shelf-1.0-py3-none-any.whl"
    info = "shelf-1.0.dist-info"
    files = {"shelf/__init__.py": open("shelf/__init__.py").read(), "shelf/__main__.py": open("shelf/__main__.py").read()}
    files[info + "/METADATA"] = "Metadata-Version: 2.1\\nName: shelf\\nVersion: 1.0\\n"
    files[info + "/WHEEL"] = "Wheel-Version: 1.0\\nGenerator: backend\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    files[info + "/RECORD"] = "".join(path + ",,\\n" for path in [*files, info + "/RECORD"])
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    return name
`;

/** Runs the functions of tests/*.py and writes TAP. */
const RUNNER = `import glob, importlib.util, sys

def tests():
    for path in sorted(glob.glob("tests/*.py")):
        spec = importlib.util.spec_from_file_location(path, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name in sorted(vars(module)):
            if name.startswith("test_"):
                yield path + " " + name[5:].replace("_", " "), getattr(module, name)

sys.path.insert(0, ".")
print("TAP version 13")
failed = count = 0
for name, test in tests():
    count += 1
    try:
        test()
        print("ok", count, "-", name)
    except Exception as error:
        failed += 1
        print("not ok", count, "-", name)
        print("  ---\\n  error: " + repr(error) + "\\n  ...")
print("1.." + str(count))
sys.exit(1 if failed else 0)
`;

const FLAKY_PY = `import os

def test_now_and_then():
    os.makedirs(".cache", exist_ok=True)
    again = os.path.exists(".cache/ran")
    if again:
        os.remove(".cache/ran")
    else:
        open(".cache/ran", "w").close()
    assert again
`;

const sumPy = (sign: string) => `from shelf import ZERO

def total(values):
    result = ZERO
    for value in values:
        result ${sign}= value
    return result
`;

export const pip: ToolProject = {
  files: {
    "requirements.txt": "--no-index\n./vendor/shelf\n",
    "vendor/shelf/pyproject.toml":
      '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n\n[project]\nname = "shelf"\nversion = "1.0"\n',
    "vendor/shelf/backend.py": BACKEND,
    "vendor/shelf/shelf/__init__.py": "ZERO = 0\n",
    "vendor/shelf/shelf/__main__.py": RUNNER,
    "total.py": sumPy("+"),
    "tests/red.py": "def test_red_before():\n    assert 1 == 2\n",
    "tests/flaky.py": FLAKY_PY,
    "tests/total.py": "from total import total\n\ndef test_adds_up():\n    assert total([1, 2]) == 3\n",
    ".gitignore": ".cache/\n",
  },
  setup: ["python3 -m venv .venv", ".venv/bin/python -m pip install --quiet -r requirements.txt"],
  testCommand: ".venv/bin/python -m shelf",
  installed: ".venv/bin/python",
  source: { path: "total.py", broken: sumPy("-"), mended: sumPy("+") },
};

/** Why a tool cannot be used on this machine, or null. */
export function missing(...command: [string, ...string[]]): string | null {
  const [program, ...args] = command;
  // Corepack's stand-ins would fetch what they stand for.
  const env = { ...process.env, COREPACK_ENABLE_NETWORK: "0", COREPACK_ENABLE_DOWNLOAD_PROMPT: "0" };
  const { status, error, stderr } = spawnSync(program, args, { env, encoding: "utf8" });
  if (status === 0) return null;
  const last = error?.message ?? stderr.trim().split("\n").at(-1) ?? "";
  return `${command.join(" ")} does not work here: ${last}`;
}
