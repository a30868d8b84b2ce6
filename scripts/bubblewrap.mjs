// The sandbox of the tests. Systems without one are supported, and tested without one; where there can be one, it is tested.
import { findProgram, tryToInstall } from "./debian.mjs";

export function wantBubblewrap() {
  if (process.platform !== "linux" || findProgram(["bwrap"]) !== undefined) return;
  tryToInstall("bubblewrap", "the tests that shut agents in");
  if (findProgram(["bwrap"]) !== undefined) return;
  console.error("No bubblewrap: the tests that shut agents in are skipped (Debian: sudo apt-get install bubblewrap).");
}
