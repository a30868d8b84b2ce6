// `node scripts/agents.mjs [--all]`: installs the agents that the tests run, once per version, outside of the project.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { install, nodePath, root } from "./bootstrap.mjs";

const pins = JSON.parse(readFileSync(join(root, "scripts", "agents.json"), "utf8"));

/** Installs what is missing and says so; silent where everything is there. */
export function installAgents({ all = false } = {}) {
  for (const [name, pin] of Object.entries(pins)) if (all || pin.tested === "always") installAgent(name, pin);
}

function installAgent(name, { package: packageName, version }) {
  const cache = join(cacheHome(), "anneal", "agents");
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(programIn(folder, name))) return;
  console.error(`Installing ${packageName}@${version} for the tests (once; some hundred megabytes)…`);
  mkdirSync(cache, { recursive: true });
  // Made aside and moved into place, so that two that install at once never see a half.
  const aside = mkdtempSync(join(cache, `.${name}-`));
  try {
    writeFileSync(
      join(aside, "package.json"),
      JSON.stringify({ private: true, allowScripts: { [packageName]: true } }),
    );
    npm(["install", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error", `${packageName}@${version}`], aside);
    checkVersion(programIn(aside, name), version);
    moveInto(folder, aside, name);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Whoever comes second finds the folder there, and leaves its own away; a damaged one is replaced. */
function moveInto(folder, aside, name) {
  try {
    renameSync(aside, folder);
  } catch (error) {
    if (existsSync(programIn(folder, name))) return;
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    rmSync(folder, { recursive: true, force: true });
    renameSync(aside, folder);
  }
}

function cacheHome() {
  return process.env.ANNEAL_AGENTS_CACHE || process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
}

function programIn(folder, name) {
  return join(folder, "node_modules", ".bin", name);
}

/** On our Node: an older one makes npm choose older packages beneath, without a word. */
function npm(args, cwd) {
  const own = process.env.npm_execpath;
  const [command, argv] = own ? [nodePath(), [own, ...args]] : ["npm", args];
  run(
    command,
    argv,
    cwd,
    "The agents could not be installed. Check the network or the registry setting, then run it again.",
  );
}

function checkVersion(program, version) {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8", env: environment() });
  if (stdout?.includes(version)) return;
  throw new Error(`${program} does not say that it is ${version}: ${stdout}`);
}

function run(command, args, cwd, hint) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    env: environment(),
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error([hint, error?.message].filter(Boolean).join(" "));
}

/** Without the settings that an outer npm hands down, which are about the project. */
function environment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|command)/.test(name));
  return { ...Object.fromEntries(kept), PATH: [dirname(nodePath()), process.env.PATH].join(delimiter) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  install();
  installAgents({ all: process.argv.includes("--all") });
}
