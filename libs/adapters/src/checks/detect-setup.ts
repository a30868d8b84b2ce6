import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a project seems to need, for a person to confirm. */
export interface DetectedSetup {
  setup: string[];
  copy: string[];
  /** The test commands that were found; the first is the one to propose. */
  tests: string[];
}

/** Proposes set-up and test commands from the files at the top of a project. Nothing is run. */
export async function detectSetup(root: string): Promise<DetectedSetup> {
  const files = new Set(await readdir(root));
  const read = (name: string) => readFile(join(root, name), "utf8").catch(() => "");
  const parts = [await node(files, read), await python(files, read), golang(files), rust(files)];
  return {
    setup: parts.flatMap(({ setup }) => setup),
    tests: parts.flatMap(({ tests }) => tests),
    copy: [...files].filter((name) => /^\.env(\.(local|test|development)(\.local)?)?$/.test(name)).sort(),
  };
}

type Found = Pick<DetectedSetup, "setup" | "tests">;
type Read = (name: string) => Promise<string>;
const nothing: Found = { setup: [], tests: [] };

async function node(files: Set<string>, read: Read): Promise<Found> {
  if (!files.has("package.json")) return nothing;
  const { manager, install } = nodeManager(files);
  const manifest = readManifest(await read("package.json"));
  const test = manifest.scripts?.test;
  // What `npm init` writes where there are no tests.
  const real = typeof test === "string" && !test.includes("no test specified");
  const needed =
    install !== null && (manifest.dependencies ?? manifest.devDependencies ?? manifest.workspaces) !== undefined;
  return { setup: needed ? [install] : [], tests: real ? [`${manager} test`] : [] };
}

function nodeManager(files: Set<string>): { manager: string; install: string | null } {
  if (files.has("pnpm-lock.yaml")) return { manager: "pnpm", install: "pnpm install --frozen-lockfile" };
  if (files.has("yarn.lock")) {
    const frozen = files.has(".yarnrc.yml") ? "--immutable" : "--frozen-lockfile";
    return { manager: "yarn", install: `yarn install ${frozen}` };
  }
  if (files.has("bun.lock") || files.has("bun.lockb"))
    return { manager: "bun run", install: "bun install --frozen-lockfile" };
  const locked = files.has("package-lock.json") || files.has("npm-shrinkwrap.json");
  return { manager: "npm", install: locked ? "npm ci" : "npm install --no-package-lock" };
}

interface Manifest {
  scripts?: { test?: unknown };
  dependencies?: unknown;
  devDependencies?: unknown;
  workspaces?: unknown;
}

function readManifest(text: string): Manifest {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

async function python(files: Set<string>, read: Read): Promise<Found> {
  const project = files.has("pyproject.toml") ? await read("pyproject.toml") : "";
  const requirements = [...files].filter((name) => /^requirements([-_.]\w+)?\.txt$/.test(name)).sort();
  if (project === "" && requirements.length === 0) return nothing;
  const texts = [project, ...(await Promise.all(requirements.map(read)))];
  const tested = files.has("pytest.ini") || files.has("conftest.py") || texts.some((text) => /\bpytest\b/.test(text));
  const tests = (start: string) => (tested ? [`${start} pytest`] : []);
  if (files.has("uv.lock")) return { setup: ["uv sync --frozen"], tests: tests("uv run --frozen") };
  if (files.has("poetry.lock")) return { setup: ["poetry install --no-interaction"], tests: tests("poetry run") };
  const wanted = requirements.length > 0 ? requirements.map((name) => `-r ${name}`).join(" ") : "-e .";
  const setup = ["python3 -m venv .venv", `.venv/bin/python -m pip install --quiet ${wanted}`];
  return { setup, tests: tests(".venv/bin/python -m") };
}

function golang(files: Set<string>): Found {
  return files.has("go.mod") ? { setup: ["go mod download"], tests: ["go test ./..."] } : nothing;
}

function rust(files: Set<string>): Found {
  // Without the option cargo stops at the first binary that fails, and the rest is never seen.
  return files.has("Cargo.toml") ? { setup: ["cargo fetch"], tests: ["cargo test --no-fail-fast"] } : nothing;
}
