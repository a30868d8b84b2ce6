// Plain Node 20: what has to happen before the project's own Node 24 is there.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const stamp = join(root, "node_modules", ".anneal-install");

/**
 * Installs what the lock file says, once per lock file. Not `npm ci`: it refuses a lock file that lacks the optional
 * binaries of other platforms, and registries that mirror only some platforms produce such lock files.
 */
export function install() {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock && existsSync(nodePath())) return;
  console.error("Installing the locked dependencies (once; about half a minute)…");
  const npm = process.env.npm_execpath;
  const args = ["install", "--no-save", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const [command, argv] = npm ? [process.execPath, [npm, ...args]] : ["npm", args];
  step(command, argv, "npm install failed. Check the network or the registry setting, then run the command again.");
  if (!existsSync(nodePath())) {
    fail(
      "The project's own Node 24 did not arrive: allow install scripts for the package `node`, then run `npm install`.",
    );
  }
  writeFileSync(stamp, lock);
}

/** The Node 24 that the devDependency `node` brought. */
export function nodePath() {
  return join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
}

/** Runs one of the installed tools on Node 24; ends this process with its exit code when it fails. */
export function tool(name, args, hint) {
  step(join(bin, name), args, hint);
}

export function node(args, hint) {
  step(nodePath(), args, hint);
}

function step(command, args, hint) {
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
  const { status, error, signal } = spawnSync(command, args, { cwd: root, env, stdio: "inherit" });
  if (status === 0) return;
  if (error) console.error(error.message);
  if (hint) console.error(hint);
  process.exit(status ?? (signal ? 130 : 1));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
