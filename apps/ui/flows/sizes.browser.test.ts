import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ApiItem, ApiItemPage } from "@anneal/types";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { approves, build, fix, rejects } from "../../server/src/testing/loop-world.ts";
import { openBoard } from "./testing/board.ts";
import { firstLoad, importsOf } from "./testing/first-load.ts";

const PAGES = fileURLToPath(new URL("../dist/", import.meta.url));
const KB = 1_024;

test.for([
  { module: 'import{a as b}from"./a.js";import"./b.js";b();', needs: ["a.js", "b.js"] },
  { module: 'const c=()=>import("./c.js");export{c};', needs: [] },
  { module: 'export*from"./d.js";', needs: ["d.js"] },
  { module: 'import e from"./e.js";const f=()=>import("./f.js");', needs: ["e.js"] },
])("$module needs $needs before it starts", ({ module, needs }) => {
  expect(importsOf(module)).toEqual(needs);
});

test("the board loads under 200 KB before it shows", () => {
  const bytes = firstLoad(PAGES).reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
  // React alone is more than this: less would mean that something was not counted.
  expect(bytes).toBeGreaterThan(60 * KB);
  expect(bytes).toBeLessThan(200 * KB);
});

test.for(["review-view", "diff-view", "analytics-view", "settings-view"])("%s is loaded when it is needed", (name) => {
  const isOf = (file: string) => new RegExp(`(^|/)${name}-[^/]+\\.js$`).test(file);
  // A screen that loads with the board has no file of its own.
  expect(readdirSync(`${PAGES}assets`).filter(isOf)).toHaveLength(1);
  expect(firstLoad(PAGES).filter(({ file }) => isOf(file))).toEqual([]);
});

test("5,000 cards with all that a card can show take under 1,500 elements, wherever they are scrolled to", async () => {
  await using board = await openBoard();
  const { page } = board;
  await page.route(/\/items\?limit=/, async (route) => {
    const response = await route.fetch();
    const { items, ...rest }: ApiItemPage = await response.json();
    await route.fulfill({ response, json: { ...rest, items: manyOf(items[0]) } });
  });
  await board.go();
  const backlog = page.getByRole("region", { name: "Backlog, 834 cards" });
  await backlog.getByRole("link").first().waitFor();
  expect(await elements(page)).toBeLessThan(1_500);
  const first = await backlog.getByRole("link").first().getAttribute("data-item");
  const column = `[...document.querySelectorAll("section > div")][0]`;
  const height = await page.evaluate<number>(`${column}.scrollHeight`);
  // All of them are there: a column is as high as its cards.
  expect(height).toBeGreaterThan(834 * 100);
  await page.evaluate(`${column}.scrollTo(0, ${height})`);
  await page.locator(`[data-item="${first}"]`).waitFor({ state: "detached" });
  await backlog.getByRole("link").first().waitFor();
  expect(await elements(page)).toBeLessThan(1_500);
});

test("a loop on a board of 2,000 cards never makes the page read the whole list again", async () => {
  await using board = await openBoard({ features: 2_000 });
  const { page, world } = board;
  world.script("f2000", [
    build("a.js", "export const a = 1;\n"),
    rejects("a.js"),
    fix("a.js", "export const a = 2;\n"),
    approves,
  ]);
  await page.getByRole("region", { name: "Backlog, 2000 cards" }).waitFor();
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(new URL(request.url()).pathname.replace(/^.*\//, "")));
  await page.getByLabel("Search the board").fill("2000");
  await page.getByRole("link", { name: /Feature 2000/ }).focus();
  await page.keyboard.press("g");
  await page
    .getByRole("region", { name: /^Verified/ })
    .getByText("approved")
    .waitFor();
  await world.reached("f2000", ["ended"]);
  expect([...asked]).toContain("item-changes");
  expect([...asked]).not.toContain("items");
});

const COLUMNS = ["backlog", "in_progress", "code_review", "waiting_approval", "verified", "completed"];

/** So many cards as are hard to bear, made of a real one. */
function manyOf(card: ApiItem | undefined) {
  const loop = { id: "f1~1", legal: [], round: 2, maxRounds: 3, blockers: 4, resolved: 5, costUsd: 1.25 };
  const all = {
    needsYou: true,
    badge: "addressing_feedback",
    blockedBy: ["f1"],
    byHand: true,
    error: "it could not start",
    loop,
  };
  return Array.from({ length: 5_000 }, (_, n) => ({
    ...card,
    ...all,
    id: `f${n}`,
    title: `Feature ${n} with a title that is long enough for two lines of a card`,
    column: COLUMNS[n % COLUMNS.length],
  }));
}

function elements(page: Page): Promise<number> {
  return page.evaluate<number>("document.querySelectorAll('*').length");
}
