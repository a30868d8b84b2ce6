import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findings, implement } from "../../../libs/engine/src/golden/testing/sample-stories.ts";
import { approves, build, type LoopWorld, rejects } from "../../server/src/testing/loop-world.ts";
import { type Board, dragOnto, expectAccessible, openBoard } from "./testing/board.ts";
import { addStory, runBeside, write } from "./testing/plans.ts";

const BUSY = { role: "implementer", end: "hang" };

let board: Board;
beforeAll(async () => {
  board = await openBoard({ features: 7, prepare, refuses: /\/features(\/f5)?$/ });
}, 120_000);
afterAll(() => board[Symbol.asyncDispose](), 60_000);

async function prepare(world: LoopWorld): Promise<void> {
  addStory(world, "2.1", "Lend books", [implement, findings(1, [0, 0, 0])]);
  for (const id of ["f1", "f2"]) world.script(id, [BUSY]);
  world.script("f3", [build("c.js", "export const c = 1;\n"), rejects("c.js"), { role: "fixer", answer: "No." }]);
  world.script("f4", [{ ...build("d.js", "export const d = 1;\n"), delayMs: 1_000 }, approves]);
  world.script("f6", [build("e.js", "export const e = 1;\n"), approves]);
  await world.run("f3", ["waiting-for-human"]);
  const unknown = { id: "f7", title: "Feature 7", description: "Do it.", status: "backlog", policy: "no-such-policy" };
  write(world, { ".automaker/features/f7/feature.json": JSON.stringify(unknown) });
  await runBeside(world, "story:2.1", ["ended"]);
}

const column = (name: string, page = board.page) => page.getByRole("region", { name: new RegExp(`^${name},`) });
const card = (title: string, page = board.page) => page.getByRole("link", { name: new RegExp(title) });

test("a card that is dragged lights the columns that take it; the others fade and say why", async () => {
  const { page } = board;
  await board.go();
  await dragOnto(page, card("Feature 1"), column("Completed"));
  await column("Completed").and(page.locator('[data-drop="no"]')).waitFor();
  await column("Completed")
    .getByText(/cannot move a feature/)
    .waitFor();
  await column("In Progress").and(page.locator('[data-drop="yes"]')).waitFor();
  expect(await column("Backlog").getAttribute("data-drop")).toBeNull();
  await expectAccessible(page);
  await page.mouse.up();
  await page.getByText(/“Feature 1” stays where it is/).waitFor();
  expect(await board.columnOf("Feature 1")).toBe("Backlog");

  await dragOnto(page, card("Feature 1"), column("In Progress"));
  await column("In Progress").and(page.locator('[data-drop="here"]')).waitFor();
  await page.mouse.up();
  await column("In Progress").getByText("Feature 1").waitFor();
  await expectAccessible(page);
});

test("the keyboard moves a card as the mouse does", async () => {
  const { page } = board;
  await board.go("?text=f2");
  await card("Feature 2").waitFor();
  await page.keyboard.press("j");
  await expect.poll(() => focusedText(page)).toContain("Feature 2");
  await page.keyboard.press("m");
  const dialog = page.getByRole("dialog", { name: /Move “Feature 2” to/ });
  const refused = dialog.getByRole("button", { name: /^Completed/ });
  await refused.getByText(/cannot move a feature/).waitFor();
  expect(await refused.isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  expect(await focusedText(page)).toContain("In Progress");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await board.world.reached("f2", ["implementing"]);
  await column("In Progress").getByText("Feature 2").waitFor();
});

test("what the board shows is in its address: text, kind, and what needs a person", async () => {
  const { page } = board;
  await board.go();
  await card("Feature 3").getByText("needs you").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("lend");
  await expect.poll(() => page.url()).toContain("text=lend");
  await card("Feature 5").waitFor({ state: "detached" });
  await card("Lend books").waitFor();
  await page.getByLabel("Search the board").fill("");
  await page.getByLabel("Kind of work").selectOption("story");
  await card("Feature 5").waitFor({ state: "detached" });
  await card("Lend books").waitFor();
  await page.reload();
  await card("Lend books").waitFor();
  expect(await page.getByLabel("Kind of work").inputValue()).toBe("story");
  expect(await card("Feature").count()).toBe(0);

  await page.getByLabel("Kind of work").selectOption("");
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await card("Feature 5").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Needs me 1" }).click();
  await card("Feature 5").waitFor({ state: "detached" });
  expect(await page.getByRole("link", { name: /Feature/ }).count()).toBe(1);
  expect(page.url()).toContain("needsMe=true");
  await expectAccessible(page);
});

test("a start that fails says so once, and its card and its review say why until somebody starts it again", async () => {
  const { page } = board;
  await board.go("/review/f7");
  await page.getByRole("button", { name: "Start it" }).click();
  const toasts = page.locator("[data-sonner-toast]");
  await toasts.getByText(/no-such-policy/).waitFor();
  await expect.poll(() => toasts.count()).toBe(1);
  await page.reload();
  await page.getByText(/^this item could not start: .*no-such-policy/).waitFor();
  await expectAccessible(page);
  await board.go();
  await card("Feature 7")
    .getByText(/^this item could not start: .*no-such-policy/)
    .waitFor();
  await expectAccessible(page);
});

test("Ctrl+K finds every command, and ? shows the keys", async () => {
  const { page } = board;
  await board.go();
  await card("Feature 5").waitFor();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  await palette.getByPlaceholder("Type what you want to do").waitFor();
  await palette.getByText("no card is selected: press j").first().waitFor();
  await expectAccessible(page);
  await page.keyboard.type("analytics");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("/analytics");
  await page.keyboard.press("Shift+B");
  await card("Feature 5").waitFor();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard" });
  await sheet.getByText("Move the card to…").waitFor();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
});

test("what the server does not take is said beside its field, and nothing typed is lost", async () => {
  const { page, world } = board;
  await board.go();
  await card("Feature 5").waitFor();
  await page.keyboard.press("n");
  await page.getByLabel("Title").fill("   ");
  await page.getByLabel("What should be done").fill("A long thought.");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const told = page.getByRole("alert");
  await told.waitFor();
  expect(await page.getByLabel("Title").getAttribute("aria-describedby")).toBe(await told.getAttribute("id"));
  expect(await page.getByLabel("What should be done").inputValue()).toBe("A long thought.");
  await expectAccessible(page);
  await page.getByLabel("Title").fill("Thought through");
  const dialog = page.getByRole("dialog", { name: "Add a feature" });
  await page.mouse.click(5, 5);
  await dialog.waitFor();
  for (const away of [() => page.keyboard.press("Escape"), () => page.reload()]) {
    await away();
    await dialog.waitFor({ state: "detached" });
    await card("Feature 5").waitFor();
    await page.keyboard.press("n");
    await expect.poll(() => page.getByLabel("What should be done").inputValue()).toBe("A long thought.");
  }

  // While the server takes its time a second click adds nothing.
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/features", async (route) => {
    if (route.request().method() === "POST") await promise;
    await route.continue();
  });
  await page.getByLabel("Title").press("Enter");
  await page.getByLabel("Title").press("Enter");
  expect(await dialog.getByRole("button", { name: "Add", exact: true }).isDisabled()).toBe(true);
  resolve();
  await column("Backlog").getByText("Thought through").waitFor();
  await page.unroute("**/features");
  const { body } = await world.get<{ total: number }>(`/api/projects/${world.project}/items?text=thought`);
  expect(body.total).toBe(1);
  await page.keyboard.press("n");
  expect(await page.getByLabel("What should be done").inputValue()).toBe("");
  await page.keyboard.press("Escape");
});

test("two people who edit a feature lose nothing: neither what the other saved nor what was typed", async () => {
  const { page, world } = board;
  const other = await board.another();
  const start = async (each: Page) => {
    await each.goto(`${world.server.url}/p/${world.project}/review/f5`);
    await each.getByRole("button", { name: "Edit" }).click();
    await each.getByLabel("Title").waitFor();
  };
  const feature = async () =>
    (await world.get<Record<string, string>>(`/api/projects/${world.project}/features/f5`)).body;
  for (const each of [page, other]) await start(each);
  await other.getByLabel("Title").fill("Feature 5, renamed");
  await page.getByLabel("What should be done").fill("What took an hour to write.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // The events of other work make every screen look again.
  const looked = other.waitForResponse((response) => response.url().endsWith("/features/f5"));
  await world.run("f6", ["ended"]);
  await looked;
  await other.getByRole("button", { name: "Save" }).click();
  await other.getByText("Someone else changed it meanwhile.").waitFor();
  expect(await other.getByLabel("What should be done").inputValue()).toBe("What took an hour to write.");
  await expectAccessible(other);
  await other.getByRole("button", { name: "Save mine as well" }).click();
  await other.getByRole("dialog").waitFor({ state: "detached" });
  expect(await feature()).toMatchObject({
    title: "Feature 5, renamed",
    description: "What took an hour to write.",
  });

  for (const each of [page, other]) await start(each);
  await page.getByLabel("Title").fill("Feature 5");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await other.getByLabel("Title").fill("Feature 5, mine");
  await other.reload();
  await other.getByRole("button", { name: "Edit" }).click();
  await expect.poll(() => other.getByLabel("Title").inputValue()).toBe("Feature 5, mine");
  await other.getByRole("button", { name: "Save" }).click();
  const told = other.getByRole("alert");
  await told.getByText("Feature 5", { exact: true }).waitFor();
  expect(await other.getByLabel("Title").inputValue()).toBe("Feature 5, mine");
  await other.getByRole("button", { name: "Save mine over it" }).waitFor();
  await expectAccessible(other);
  await told.getByRole("button", { name: "Take theirs" }).click();
  expect(await other.getByLabel("Title").inputValue()).toBe("Feature 5");
  await other.context().close();
});

test("the first visit is told on one screen what there is, and only once", async () => {
  const page = await board.another({ first: true });
  await page.getByRole("dialog", { name: "Welcome to the board" }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.reload();
  await card("Feature 5", page).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.context().close();
});

test("the theme that somebody chooses stays", async () => {
  const page = await board.another();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html[data-theme=dark]").waitFor();
  await page.keyboard.press("Shift+T");
  await page.locator("html[data-theme=light]").waitFor();
  await page.reload();
  await page.locator("html[data-theme=light]").waitFor();
  await page.context().close();
});

test("two browsers stay in step, without a reload", async () => {
  const { page, world } = board;
  await board.go();
  const other = await board.another();
  await card("Feature 4", other).waitFor();
  await card("Feature 4").focus();
  await page.keyboard.press("g");
  for (const each of [page, other]) {
    await column("Verified", each).getByText("Feature 4").waitFor();
    await card("Feature 4", each).getByText("approved").waitFor();
  }
  await world.reached("f4", ["ended"]);
  expect(await cards(other)).toEqual(await cards(page));
  await other.context().close();
});

test("what somebody adds or edits elsewhere shows on every board, without a reload", async () => {
  const { page, world } = board;
  await board.go();
  const other = await board.another();
  await card("Feature 4", other).waitFor();
  await page.keyboard.press("n");
  await page.getByLabel("Title").fill("Added over there");
  await page.getByLabel("What should be done").fill("Do it.");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await card("Added over there", other).waitFor();
  const tool = (title: string) =>
    write(world, {
      ".automaker/features/tool/feature.json": JSON.stringify({
        id: "tool",
        title,
        description: "Do it.",
        status: "backlog",
      }),
    });
  tool("Written by a tool");
  for (const each of [page, other]) await card("Written by a tool", each).waitFor();
  tool("Written anew");
  for (const each of [page, other]) await card("Written anew", each).waitFor();
  rmSync(join(world.root, ".automaker/features/tool"), { recursive: true });
  for (const each of [page, other]) await card("Written anew", each).waitFor({ state: "detached" });
  await other.context().close();
});

function focusedText(page: Page): Promise<string | null> {
  return page.locator(":focus").textContent();
}

async function cards(page: Page): Promise<string[]> {
  return (await page.locator("main").getByRole("link").allTextContents()).sort();
}
