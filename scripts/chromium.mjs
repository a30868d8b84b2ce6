// The browser of the tests: $CHROMIUM, else one on PATH, else Debian's package where this user may install it.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const INSTALL = [
  ["apt-get", ["update", "-qq"]],
  ["apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"]],
];

/** Makes sure that there is a browser; without one the run fails loudly with the command that installs it. */
export function needChromium() {
  if (findChromium() !== undefined) return;
  if (process.platform === "linux" && process.getuid?.() === 0) {
    console.log("Installing Chromium for the tests of the board…");
    for (const [program, args] of INSTALL) spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
    if (findChromium() !== undefined) return;
  }
  console.error("No Chromium for the tests of the board. Install it (Debian: sudo apt-get install chromium),");
  console.error("or name one in CHROMIUM, and run this again.");
  process.exit(1);
}

/** Where the browser is, if there is one. */
export function findChromium(env = process.env) {
  if (env.CHROMIUM) return env.CHROMIUM;
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
