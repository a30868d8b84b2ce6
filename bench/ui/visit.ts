import { fileURLToPath } from "node:url";
import type { RunningServer } from "../../apps/server/src/index.ts";
import { launch } from "../../apps/ui/flows/testing/chromium.ts";
import { mainThread, type Task } from "./main-thread.ts";

const IN_PAGE = fileURLToPath(new URL("./in-page.js", import.meta.url));
const POLLING = { polling: 100 };

type Browser = Awaited<ReturnType<typeof launch>>;
export type Page = Awaited<ReturnType<Browser["newPage"]>>;

/** What somebody saw who opened an address and did something there. */
export interface Seen {
  /** From the start of the navigation until what was looked for was on the screen. */
  shownMs: number;
  /** What the main thread had to do for the page, from its start to the end of the visit. */
  tasks: Task[];
  elements: number;
  /** From the start of the navigation until the columns had all cards. */
  allCardsMs: number;
}

export interface Visit {
  path: string;
  /** A selector of what is looked for. */
  shows: string;
  /** How many cards there are, where it is a board. */
  cards?: number;
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
    async visit(server, { path, shows, cards, act }) {
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
      if (cards !== undefined) await context.addInitScript(`bench.lookForCards(${cards})`);
      const page = await context.newPage();
      await browser.startTracing(page, { categories: ["toplevel"] });
      await page.goto(`${server.url}${path}`, { waitUntil: "commit" });
      const shown = await page.waitForFunction(() => Reflect.get(globalThis, "bench").shownMs, undefined, POLLING);
      await page.getByText("live", { exact: true }).waitFor();
      if (cards !== undefined)
        await page.waitForFunction(() => Reflect.get(globalThis, "bench").allCardsMs, undefined, POLLING);
      const allCardsMs = await page.evaluate<number>("Number(bench.allCardsMs)");
      await act?.(page);
      await page.waitForLoadState("networkidle");
      const tasks = mainThread(await browser.stopTracing());
      const elements = await page.evaluate<number>("bench.elements()");
      const shownMs = Number(await shown.jsonValue());
      await context.close();
      return { shownMs, allCardsMs, tasks, elements };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
