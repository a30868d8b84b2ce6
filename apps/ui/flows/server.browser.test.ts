import { renameSync } from "node:fs";
import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { approves, build, fix, rejects } from "../../server/src/testing/loop-world.ts";
import { expectAccessible, expectNoViolations, openBoard } from "./testing/board.ts";

test("a server that stops in the middle of a loop and starts again is seen to, and the page catches up with the log", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [
    build("a.js", "export const a = 1;\n"),
    { ...rejects("a.js", "A flaw"), delayMs: 2_000 },
    fix("a.js", "export const a = 2;\n"),
    approves,
  ]);
  await world.run("f1", ["reviewing"]);
  await board.go("/review/f1?tab=history");
  await page.getByText("Round 1/3").waitFor();

  // The page does not come back before the loop has ended, so that there is something to catch up with.
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Commands" }).waitFor();
  await page.keyboard.press("Escape");
  const tickets = "**/api/events/ticket";
  await page.route(tickets, (route) => route.abort("connectionrefused"));
  await world.stop();
  await page.getByText(/^Disconnected/).waitFor();
  await page.getByText("lost", { exact: true }).waitFor();
  await page.getByText("nothing that you do is sent").waitFor();
  await expectNothingSent(page);
  await expectAccessible(page);
  await board.restart();
  await world.reached("f1", ["ended"]);
  await page.getByText("Round 1/3").waitFor();
  await page.unroute(tickets);

  await page.getByText(/Connected again: [1-9]\d* events loaded\./).waitFor();
  await page.getByText("Round 2/3").waitFor();
  expect(await page.getByRole("button", { disabled: true }).count()).toBe(0);
  await page.getByRole("region", { name: "Settled, 1" }).getByText("A flaw").waitFor();
  const { body: loop } = await world.get<{ state: string; round: number; next: { sentence: string } }>(
    world.loop("f1"),
  );
  expect(loop).toMatchObject({ round: 2 });
  await page.getByText(loop.next.sentence).waitFor();
  await expectAccessible(page);

  const fresh = await board.another();
  await fresh.goto(page.url());
  await fresh.getByRole("region", { name: "Settled, 1" }).waitFor();
  const shown = (one: typeof page) => one.getByRole("complementary", { name: "Findings and actions" }).textContent();
  expect(await shown(page)).toBe(await shown(fresh));
});

test("code that cannot be loaded is told of where it would stand, and comes by itself when the server is back", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [build("a.js", "export const a = 1;\n"), approves]);
  await world.run("f1", ["ended"]);
  await refuse(page, /assets\/review-view/);
  await board.go();
  await page.getByRole("link", { name: /Feature 1/ }).click();
  const told = page.getByRole("alert");
  await told.getByText("Could not load the review.").waitFor();
  await page.getByRole("link", { name: "Board" }).waitFor();
  await expectAccessible(page);

  await page.unrouteAll();
  await refuse(page, /assets\/(engine|worker)/);
  await told.getByRole("button", { name: "Try again" }).click();
  await told.getByText("Could not load the diff.").waitFor();
  await expectAccessible(page);

  await page.unrouteAll();
  await world.stop();
  await page.getByText(/^Disconnected/).waitFor();
  await board.restart();
  await page.getByText("export const a = 1;").waitFor();
  expect(await told.count()).toBe(0);

  // The page draws a diff without its workers, and without colours.
  for (const what of [/assets\/worker/, /assets\/javascript/]) {
    await refuse(page, what);
    await page.reload();
    await page.getByText("export const a = 1;").waitFor();
    await page.unrouteAll();
  }
});

test("a server that goes after the board was loaded takes nothing of the review along", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [build("a.js", "export const a = 1;\n"), approves]);
  await world.run("f1", ["ended"]);
  const ahead = [/assets\/engine/, /assets\/themes/].map((what) => page.waitForResponse(what));
  await board.go();
  for (const loaded of ahead) await (await loaded).finished();
  await world.stop();
  await page.getByText(/^Disconnected/).waitFor();
  await page.getByRole("link", { name: /Feature 1/ }).click();
  await page.getByRole("heading", { name: /Feature 1/ }).waitFor();
  await board.restart();
  await page.getByText("export const a = 1;").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("while answers take long every screen says that it loads, and none looks empty", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [build("a.js", "export const a = 1;\n"), approves]);
  await world.run("f1", ["ended"]);
  const tabs = ["diff", "transcript", "history", "pull-request", "certificate"].map((tab) => `/review/f1?tab=${tab}`);
  const settings = ["general", "prompts", "policies", "agents"].map((tab) => `/settings/${tab}`);
  for (const [held, paths] of [
    [/\/api\/projects/, ["", "/analytics", ...tabs, ...settings]],
    [/\/loops\//, tabs],
    [/\/(columns|items)/, ["", ...tabs.slice(0, 1)]],
  ] as const)
    for (const path of paths) {
      const release = await hold(page, held);
      await board.go(path);
      await expectLoading(page);
      await release();
    }

  const releaseText = await hold(page, /\/transcripts\/./);
  await board.go("/review/f1?tab=transcript");
  await expectLoading(page, page.getByRole("tabpanel"));
  await releaseText();

  await page.route(/\/items\?limit/, (route) =>
    route.fulfill({ json: { items: [], next: null, total: 0, version: "" } }),
  );
  const release = await hold(page, /\/stories/);
  await board.go();
  await expectLoading(page);
  await release();
  await page.getByText("No work yet.").waitFor();
});

test("who comes without the link is told how to come in, and sees nothing", async () => {
  await using board = await openBoard({ refuses: /\/(api\/|login\?|\/p\/)/ });
  const { page, world } = board;
  await page.context().clearCookies();
  await board.go("/review/f1?tab=history");
  await page.getByRole("heading", { name: "Not logged in" }).waitFor();
  await page.getByText("anneal serve --open").waitFor();
  expect(await page.getByText("Feature 1").count()).toBe(0);
  await expectAccessible(page);
  const link = world.server.loginUrl();
  await page.goto(link);
  await page.getByRole("heading", { name: "Feature 1" }).waitFor();
  expect(page.url()).toMatch(/\/review\/f1\?tab=history$/);
  await page.goto(link);
  await page.getByRole("region", { name: /^Backlog/ }).waitFor();
  expect(page.url()).toMatch(new RegExp(`/p/${world.project}$`));

  await page.context().clearCookies();
  await page.goto(`${world.server.url}//p/${world.project}`);
  await page.getByRole("heading", { name: "Not logged in" }).waitFor();
  await page.goto(world.server.loginUrl());
  await page.getByRole("region", { name: /^Backlog/ }).waitFor();

  await page.context().clearCookies();
  await page.goto(link);
  await page.getByText("This link has expired").waitFor();
  await expectNoViolations(page);
});

test("a page that nobody is logged in at goes on where it was when somebody comes in by another one", async () => {
  await using board = await openBoard({ refuses: /\/api\// });
  const { page, world } = board;
  await page.context().clearCookies();
  await board.go("/review/f1?tab=history");
  const closed = page.getByRole("heading", { name: "Not logged in" });
  await closed.waitFor();
  const looksAgain = () => page.evaluate(`window.dispatchEvent(new Event("focus"))`);
  const refused = page.waitForResponse(/\/api\/projects$/);
  await looksAgain();
  await refused;
  expect(await closed.isVisible()).toBe(true);

  const other = await page.context().newPage();
  await other.goto(world.server.loginUrl());
  await other.getByText("live", { exact: true }).waitFor();
  await looksAgain();
  await page.getByRole("heading", { name: "Feature 1" }).waitFor();
  await page.getByText("live", { exact: true }).waitFor();
  expect(page.url()).toMatch(/\/review\/f1\?tab=history$/);
});

test("an address that leads nowhere has a page that says so, in whatever way it is written", async () => {
  await using board = await openBoard({ refuses: /\/(foo|p|projects)\// });
  const { page, world } = board;
  for (const path of ["/foo/bar", "/foo/%zz", "/p/a/b/c/d"]) {
    await page.goto(`${world.server.url}${path}`);
    await page.getByText("Page not found.").waitFor();
  }
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to the board" }).click();
  await page.getByText("Feature 1").waitFor();
});

test("a project whose folder is back is shown again by itself", async () => {
  await using board = await openBoard({ refuses: /\/api\// });
  const { page, world } = board;
  renameSync(world.root, `${world.root} moved`);
  await board.go();
  await page.getByText(/the folder of .* is gone/).waitFor();
  renameSync(`${world.root} moved`, world.root);
  await page.getByText("Feature 1").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});

/** As a server that is away does: the browser gets no answer. */
async function refuse(page: Page, what: RegExp): Promise<void> {
  await page.route(what, (route) => route.abort("connectionrefused"));
}

/** Neither the mouse nor the keyboard gets past the page, and both are told why. */
async function expectNothingSent(page: Page): Promise<void> {
  const sent: string[] = [];
  const note = (request: Request) => request.method() !== "GET" && !isTicket(request.url()) && sent.push(request.url());
  page.on("request", note);
  const pause = page.getByRole("button", { name: "Pause" });
  await pause.and(page.getByTitle(/nothing was sent/)).waitFor();
  expect(await pause.isDisabled()).toBe(true);
  await pause.click({ force: true });
  await page.getByText("No connection to the server: nothing was sent.").waitFor();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  await palette.getByText(/Pause.*nothing was sent/).waitFor();
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
  page.off("request", note);
  expect(sent).toEqual([]);
}

const isTicket = (url: string) => url.endsWith("/api/events/ticket");

/** Keeps the answers to some requests back, until they are released. */
async function hold(page: Page, what: RegExp): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(what, async (route) => {
    await promise;
    await route.fallback();
  });
  return async () => {
    resolve();
    await page.unroute(what);
  };
}

async function expectLoading(page: Page, where = page.locator("main")): Promise<void> {
  await page.getByText("live", { exact: true }).waitFor();
  await where
    .getByText(/^Loading /)
    .first()
    .waitFor();
  const empty = /No work|There is no|Nobody|Nothing|No (transcript|round|loop)|blocks this change/;
  expect(await where.getByText(empty).allTextContents(), page.url()).toEqual([]);
}
