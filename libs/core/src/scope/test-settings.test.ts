import { describe, expect, test } from "vitest";
import { testSettings } from "./test-settings.ts";

const json = (value: object) => `${JSON.stringify(value)}\n`;

describe("what decides which tests run", () => {
  test.for([
    { path: "pytest.ini", from: "", to: "[pytest]\naddopts = --deselect a\n" },
    { path: "app/conftest.py", from: "", to: 'collect_ignore = ["test_a.py"]\n' },
    { path: "conftest.py", from: "", to: "@pytest.fixture\ndef db():\n    pytest.skip()\n" },
    { path: "conftest.py", from: "", to: "@pytest.fixture(autouse=True)\ndef db():\n    return 1\n" },
    { path: "conftest.py", from: "", to: "@pytest.fixture\ndef db(a=hide()):\n    return 1\n" },
    { path: "conftest.py", from: "", to: "from helpers import pytest_ignore_collect\n" },
    { path: "conftest.py", from: "", to: "@pytest.fixture\ndef db():\n    return 1\nhide()\n" },
    { path: "conftest.py", from: "", to: "def pytest_ignore_collect():\n    return True\n" },
    { path: "vitest.config.ts", from: "a", to: "b" },
    { path: ".mocharc.json", from: "a", to: "b" },
    { path: "Makefile", from: "test:\n\tnode --test\n", to: "test:\n\ttrue\n" },
    {
      path: "package.json",
      from: json({ scripts: { test: "node --test" } }),
      to: json({ scripts: { test: "true" } }),
    },
    { path: "lib/package.json", from: json({}), to: json({ jest: { testPathIgnorePatterns: ["a"] } }) },
    { path: "package.json", from: json({}), to: "{" },
    {
      path: "pyproject.toml",
      from: '[project]\nname = "x"\n',
      to: '[project]\nname = "x"\n\n[tool.pytest.ini_options]\naddopts = ["-k", "a"]\n',
    },
    { path: "pyproject.toml", from: "", to: 'tool.pytest.ini_options.addopts = "-k a"\n' },
    { path: "setup.cfg", from: "[tool:pytest]\n", to: "[tool:pytest]\naddopts = -k a\n" },
    { path: "Cargo.toml", from: "[lib]\n", to: "[lib]\ntest = false\n" },
    { path: "requirements.txt", from: "a==1\n", to: "a==1\nb @ https://evil.example/b.tgz\n" },
    { path: "requirements-dev.txt", from: "", to: "--index-url https://evil.example/\n" },
    { path: "requirements/base.txt", from: "", to: "-e ../evil\n" },
    { path: "CMakeLists.txt", from: "project(a)\n", to: "project(a)\nexecute_process(COMMAND evil)\n" },
    { path: "package.json", from: json({}), to: json({ dependencies: { a: "https://evil.example/a.tgz" } }) },
    { path: "package.json", from: json({}), to: json({ devDependencies: { a: "npm:evil" } }) },
    { path: "package.json", from: json({}), to: json({ devDependencies: { a: "evil/a" } }) },
    { path: "package.json", from: json({}), to: json({ "simple-git-hooks": { "pre-commit": "evil" } }) },
    { path: "package.json", from: json({}), to: json({ husky: { hooks: { "pre-commit": "evil" } } }) },
    { path: "package.json", from: json({}), to: json({ overrides: { a: "npm:evil" } }) },
  ])("$path: $to", ({ path, from, to }) => {
    expect(testSettings(path, to)).not.toBe(testSettings(path, from));
  });

  test.for([
    {
      path: "package.json",
      from: json({ scripts: { test: "node --test" } }),
      to: json({ version: "2.0.0", scripts: { test: "node --test" }, dependencies: { a: "1" } }),
    },
    {
      path: "pyproject.toml",
      from: '[tool.pytest.ini_options]\naddopts = "-q"\n',
      to: '[project]\ndependencies = ["a"]\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    },
    { path: "Cargo.toml", from: "[package]\n", to: '[package]\n\n[dependencies]\na = "1"\n' },
    {
      path: "conftest.py",
      from: "import pytest\n\ncollect_ignore = []\n",
      to: 'import pytest\nfrom app import db\n\ncollect_ignore = []\n\n\n@pytest.fixture(scope="session")\ndef one(two):\n    x = db()\n\n    yield x\n',
    },
    { path: "conftest.py", from: "", to: "import pytest\n\n\n@pytest.fixture\ndef db() -> int:\n    return 1" },
    { path: "src/add.js", from: "a", to: "b" },
    { path: "requirements.txt", from: "a==1\n", to: "a==2  # newer\nb>=1\n" },
    { path: "CMakeLists.txt", from: "add_library(a a.c)\n", to: "add_library(a a.c b.c)\n" },
    { path: "package.json", from: json({}), to: json({ dependencies: { a: "^1", "@b/c": "workspace:*" } }) },
  ])("is not touched: $path: $to", ({ path, from, to }) => {
    expect(testSettings(path, to)).toBe(testSettings(path, from));
  });
});
