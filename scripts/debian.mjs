// Programs of the system that suites need, from Debian's packages where this user may install them.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first program on PATH that has one of the names. */
export function findProgram(names, env = process.env) {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

/** Only tries to: whoever asked looks again. */
export function tryToInstall(name, why) {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  console.log(`Installing ${name} for ${why}…`);
  for (const args of [
    ["update", "-qq"],
    ["install", "-y", "-qq", "--no-install-recommends", name],
  ])
    spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"] });
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
