import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../../../../scripts/chromium.mjs";

/** The browser of these tests; `npm test` installs one where it may. */
function chromiumPath(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  throw new Error("no Chromium: install it (Debian: apt-get install chromium), or name one in CHROMIUM");
}

let shared: Browser | undefined;

/** The one browser of this process, which takes long to start: what one test sees in it no other does, in contexts of their own. */
export async function sharedBrowser(): Promise<Browser> {
  if (shared?.isConnected() !== true) shared = await launch();
  return shared;
}

export async function closeSharedBrowser(): Promise<void> {
  await shared?.close();
  shared = undefined;
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
