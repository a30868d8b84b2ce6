import { fileURLToPath } from "node:url";
import type { RunningServer } from "../../apps/server/src/index.ts";
import { launch } from "../../apps/ui/flows/testing/chromium.ts";
import { mainThread, type Task } from "./main-thread.ts";

const IN_PAGE = fileURLToPath(new URL("./in-page.js", import.meta.url));

type Browser = Awaited<ReturnType<typeof launch>>;
export type Page = Awaited<ReturnType<Browser["newPage"]>>;

/** What somebody saw who opened an address and did something there. */
export interface Seen {
  /** From the start of the navigation until what was looked for was on the screen. */
  shownMs: number;
  /** What the main thread had to do for the page, from its start to the end of the visit. */
  tasks: Task[];
  elements: number;
}

export interface Visit {
  path: string;
  /** A selector of what is looked for. */
  shows: string;
  /** What is done then. */
  act?: (page: Page) => Promise<void>;
}

export interface Visitor extends AsyncDisposable {
  /** Opens an address in a browser that is logged in and has nothing in its cache. */
  visit(server: RunningServer, visit: Visit): Promise<Seen>;
}

export async function visitor(): Promise<Visitor> {
  const browser = await launch();
  return {
    async visit(server, { path, shows, act }) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        reducedMotion: "reduce",
        locale: "en-US",
        timezoneId: "UTC",
      });
      context.setDefaultTimeout(120_000);
      await context.request.get(server.loginUrl());
      await context.addInitScript({ path: IN_PAGE });
      await context.addInitScript(`bench.lookFor(${JSON.stringify(shows)})`);
      const page = await context.newPage();
      await browser.startTracing(page, { categories: ["toplevel"] });
      await page.goto(`${server.url}${path}`, { waitUntil: "commit" });
      const shown = await page.waitForFunction(() => Reflect.get(globalThis, "bench").shownMs, undefined, {
        polling: 100,
      });
      await page.getByText("live", { exact: true }).waitFor();
      await act?.(page);
      await page.waitForLoadState("networkidle");
      const tasks = mainThread(await browser.stopTracing());
      const elements = await page.evaluate<number>("bench.elements()");
      const shownMs = Number(await shown.jsonValue());
      await context.close();
      return { shownMs, tasks, elements };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
