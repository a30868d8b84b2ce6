// The browser of the tests: $CHROMIUM, else one on PATH, else Debian's package.
import { findProgram, tryToInstall } from "./debian.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Makes sure that there is a browser; without one the run fails loudly with the command that installs it. */
export function needChromium() {
  if (findChromium() !== undefined) return;
  tryToInstall("chromium", "the tests of the board");
  if (findChromium() !== undefined) return;
  console.error("No Chromium for the tests of the board. Install it (Debian: sudo apt-get install chromium),");
  console.error("or name one in CHROMIUM, and run this again.");
  process.exit(1);
}

/** Where the browser is, if there is one. */
export function findChromium(env = process.env) {
  return env.CHROMIUM || findProgram(NAMES, env);
}
