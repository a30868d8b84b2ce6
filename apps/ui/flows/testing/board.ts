import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import { type LoopWorld, loopWorld } from "../../../server/src/testing/loop-world.ts";
import { closeSharedBrowser, sharedBrowser } from "./chromium.ts";

const PAGES = fileURLToPath(new URL("../../dist/", import.meta.url));

afterAll(closeSharedBrowser);

export interface Board extends AsyncDisposable {
  world: LoopWorld;
  browser: Browser;
  page: Page;
  /** Another browser that is logged in. */
  another(visit?: Visit): Promise<Page>;
  /** Starts the server again, which knows no session of before: the page reaches it once its browser has logged in there. */
  restart(): Promise<void>;
  /** Goes to a screen of the project. */
  go(path?: string): Promise<void>;
  /** The column that a card stands in, by its title. */
  columnOf(title: string): Promise<string>;
}

/** Keeps a page from a server that comes back until its browser is logged in there. */
export async function loggedInFirst(page: Page, comesBack: () => Promise<string>): Promise<void> {
  const all = "**/api/**";
  await page.route(all, (route) => route.abort("connectionrefused"));
  await page.context().request.get(await comesBack());
  await page.unroute(all);
}

interface Visit {
  /** Nobody has sat at this browser before. */
  first?: boolean;
}

interface Opening {
  features?: number;
  /** Makes the project what the test needs, before anybody looks at it. */
  prepare?: (world: LoopWorld) => Promise<void> | void;
  /** Addresses that the server refuses in this flow; the browser notes each refusal in its console. */
  refuses?: RegExp;
}

/** The board in a real browser, over a real server whose agents do what a test says. Any error in its console fails the test. */
export async function openBoard({ features = 1, prepare, refuses }: Opening = {}): Promise<Board> {
  const world = await loopWorld(features, { pages: PAGES });
  await prepare?.(world);
  const browser = await sharedBrowser();
  const contexts: BrowserContext[] = [];
  const errors: string[] = [];
  const enter = async ({ first = false }: Visit = {}) => {
    const context = await newContext(browser, first);
    contexts.push(context);
    const page = await context.newPage();
    page.on(
      "console",
      (message) => message.type() === "error" && errors.push(`${message.text()} ${message.location().url}`),
    );
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(world.server.loginUrl());
    await page.getByText("live", { exact: true }).waitFor();
    return page;
  };
  const page = await enter();
  return {
    world,
    browser,
    page,
    another: enter,
    restart: async () => {
      await loggedInFirst(page, async () => {
        await world.start();
        return world.server.loginUrl();
      });
    },
    go: async (path = "") => {
      await page.goto(`${world.server.url}/p/${world.project}${path}`);
    },
    async columnOf(title) {
      const column = page.locator("section", { has: page.getByText(title, { exact: true }) });
      return (await column.getAttribute("aria-label"))?.replace(/, \d+ cards$/, "") ?? "";
    },
    async [Symbol.asyncDispose]() {
      for (const context of contexts) await context.close();
      await world[Symbol.asyncDispose]();
      expect(errors.filter((text) => !isLostConnection(text) && !isRefusal(text, refuses))).toEqual([]);
    },
  };
}

/** A server that a test stops is told of by the browser itself. */
function isLostConnection(text: string): boolean {
  return /ERR_CONNECTION_(REFUSED|RESET)|status of 503|WebSocket connection to|Failed to fetch dynamically|worker script failed/.test(
    text,
  );
}

function isRefusal(text: string, refuses: RegExp | undefined): boolean {
  return refuses !== undefined && /responded with a status of [45]\d\d/.test(text) && refuses.test(text);
}

async function newContext(browser: Browser, first: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    locale: "en-US",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(30_000);
  // The tour of the first visit has a test of its own.
  if (first) return context;
  await context.addInitScript(() => {
    localStorage.getItem("anneal") ??
      localStorage.setItem("anneal", JSON.stringify({ state: { toured: true }, version: 0 }));
  });
  return context;
}

/** Takes a card and holds it over a column. */
export async function dragOnto(page: Page, held: Locator, over: Locator): Promise<void> {
  await held.hover();
  await page.mouse.down();
  await over.hover();
  // A drag begins with the first move and is told of with the next.
  await over.hover({ position: { x: 30, y: 60 } });
}

/** Nothing on the screen keeps anybody out, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ["dark", "light"] as const) {
    await drawIn(page, theme);
    const seen = await violations(page);
    // A screen that moved while it was looked at is looked at again: what is really wrong stays.
    const told = seen.length === 0 ? seen : await violations(page);
    expect(told.map((one) => `${theme}: ${one}`)).toEqual([]);
  }
}

/** The same for a page of the server, which has no themes of its own to choose from. */
export async function expectNoViolations(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

/** No frame of another origin is on our pages, and only those need axe's other mode, which gathers its results in a page of its own. */
async function violations(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}

/** The browser tells its pages of another colour scheme once; a page that is just being drawn can miss that. */
async function drawIn(page: Page, theme: "dark" | "light"): Promise<void> {
  const drawn = page.locator(`html[data-theme=${theme}]`);
  for (let tries = 1; ; tries += 1) {
    await page.emulateMedia({ colorScheme: theme });
    const seen = await drawn.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (seen) return;
    if (tries === 5) throw new Error(`the page does not take the ${theme} theme`);
    await page.emulateMedia({ colorScheme: theme === "dark" ? "light" : "dark" });
  }
}
