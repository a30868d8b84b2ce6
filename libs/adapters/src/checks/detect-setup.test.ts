import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { splitArgv } from "./argv.ts";
import { detectSetup } from "./detect-setup.ts";

const manifest = JSON.stringify({ scripts: { test: "vitest run" }, devDependencies: { vitest: "1" } });
const placeholder = JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } });
const venv = ["python3 -m venv .venv", ".venv/bin/python -m pip install --quiet -r requirements.txt"];

describe("a project's set-up and tests are proposed from its files", () => {
  test.for<{ what: string; files: Record<string, string>; setup: string[]; tests: string[]; copy?: string[] }>([
    {
      what: "npm",
      files: { "package.json": manifest, "package-lock.json": "{}" },
      setup: ["npm ci"],
      tests: ["npm test"],
    },
    {
      what: "npm without a lock",
      files: { "package.json": manifest },
      setup: ["npm install --no-package-lock"],
      tests: ["npm test"],
    },
    { what: "npm without tests", files: { "package.json": placeholder }, setup: [], tests: [] },
    {
      what: "pnpm",
      files: { "package.json": manifest, "pnpm-lock.yaml": "" },
      setup: ["pnpm install --frozen-lockfile"],
      tests: ["pnpm test"],
    },
    {
      what: "yarn 1",
      files: { "package.json": manifest, "yarn.lock": "" },
      setup: ["yarn install --frozen-lockfile"],
      tests: ["yarn test"],
    },
    {
      what: "yarn",
      files: { "package.json": manifest, "yarn.lock": "", ".yarnrc.yml": "" },
      setup: ["yarn install --immutable"],
      tests: ["yarn test"],
    },
    { what: "a damaged manifest", files: { "package.json": "{", "package-lock.json": "" }, setup: [], tests: [] },
    { what: "pip", files: { "requirements.txt": "pytest==8\n" }, setup: venv, tests: [".venv/bin/python -m pytest"] },
    { what: "pip without pytest", files: { "requirements.txt": "flask\n" }, setup: venv, tests: [] },
    {
      what: "uv",
      files: { "pyproject.toml": "[tool.pytest]", "uv.lock": "" },
      setup: ["uv sync --frozen"],
      tests: ["uv run --frozen pytest"],
    },
    {
      what: "poetry",
      files: { "pyproject.toml": "pytest", "poetry.lock": "" },
      setup: ["poetry install --no-interaction"],
      tests: ["poetry run pytest"],
    },
    { what: "go", files: { "go.mod": "module x" }, setup: ["go mod download"], tests: ["go test ./..."] },
    { what: "rust", files: { "Cargo.toml": "" }, setup: ["cargo fetch"], tests: ["cargo test --no-fail-fast"] },
    {
      what: "nothing known, with env files",
      files: { ".env": "A=1", ".env.local": "", ".env.example": "", README: "" },
      setup: [],
      tests: [],
      copy: [".env", ".env.local"],
    },
    {
      what: "two languages",
      files: { "package.json": manifest, "package-lock.json": "", "go.mod": "" },
      setup: ["npm ci", "go mod download"],
      tests: ["npm test", "go test ./..."],
    },
  ])("$what", async ({ files, setup, tests, copy = [] }) => {
    const root = mkdtempSync(join(tmpdir(), "anneal-detect-"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    const found = await detectSetup(root);
    rmSync(root, { recursive: true });
    expect(found).toEqual({ setup, tests, copy });
    for (const line of [...found.setup, ...found.tests]) expect(splitArgv(line).join(" ")).toBe(line);
  });
});
