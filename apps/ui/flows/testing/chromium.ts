import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../../../../scripts/chromium.mjs";

/** The browser of these tests; `npm test` installs one where it may. */
function chromiumPath(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  throw new Error("no Chromium: install it (Debian: apt-get install chromium), or name one in CHROMIUM");
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
