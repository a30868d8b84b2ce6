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
  if (process.env.CHROMIUM || onPath()) return;
  if (process.platform === "linux" && process.getuid?.() === 0) {
    console.log("Installing Chromium for the tests of the board…");
    for (const [program, args] of INSTALL) spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
    if (onPath()) return;
  }
  console.error("No Chromium for the tests of the board. Install it (Debian: sudo apt-get install chromium),");
  console.error("or name one in CHROMIUM, and run this again.");
  process.exit(1);
}

function onPath() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => NAMES.some((name) => isProgram(join(folder, name))));
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
