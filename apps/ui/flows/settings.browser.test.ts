import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { approves, build, rejects } from "../../server/src/testing/loop-world.ts";
import { expectAccessible, openBoard } from "./testing/board.ts";
import { write } from "./testing/plans.ts";

test("a review prompt of one's own is in the prompt of the next review", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [build("a.js", "export const a = 1;\n"), approves]);
  await board.go("/settings/prompts");
  const custom = page.getByRole("switch", { name: /^Use custom/ }).first();
  await custom.click();
  const text = page.locator("textarea").first();
  await text.fill(`${await text.inputValue()}\n\nLook at the rhymes first.`);
  await expectAccessible(page);
  await page.keyboard.press("Control+s");
  await page.getByText("The project settings are saved.").waitFor();

  await world.run("f1", ["ended"]);
  const prompt = await world.get<string>(world.loop("f1", "/rounds/1/prompt"));
  expect(prompt.body).toContain("Look at the rhymes first.");
  await page.getByRole("button", { name: "Reset to Default" }).first().click();
  await page.getByRole("button", { name: "Reset it" }).click();
  await page.getByText("The prompt is reset.").waitFor();
});

test("what the server does not take is said in its own words, and nothing typed is lost", async () => {
  await using board = await openBoard({ refuses: /\/settings$/ });
  const { page, world } = board;
  await board.go("/settings/loop");
  const rounds = page.getByLabel("Rounds at most");
  await rounds.fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").first().waitFor();
  expect(await rounds.inputValue()).toBe("0");
  await expectAccessible(page);
  await page.reload();
  await expect.poll(() => rounds.inputValue()).toBe("0");
  await rounds.fill("1");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The project settings are saved.").waitFor();
  const { body } = await world.get<{ settings: { reviewLoop: { maxIterations: number } } }>(
    `/api/projects/${world.project}/settings`,
  );
  expect(body.settings.reviewLoop.maxIterations).toBe(1);
});

const WIDTHS = [1440, 1280, 900, 720, 640];
const WORD = "Unbreakable".repeat(20);

test("every tab of the settings, the analytics and a damaged card keep nobody out, and all screens fit into any window", async () => {
  await using board = await openBoard({
    prepare: (world) => write(world, { ".automaker/features/torn/feature.json": "{" }),
  });
  const { page, world } = board;
  const title = `Feature 1 ${"with a long title ".repeat(10)}`;
  const feature = { id: "f1", title, description: "Do it.", status: "backlog" };
  write(world, { ".automaker/features/f1/feature.json": JSON.stringify(feature) });
  world.script("f1", [
    build("package-lock.json", "{}\n".repeat(4_001)),
    rejects("package-lock.json", WORD),
    { role: "fixer", answer: "No." },
  ]);
  await world.run("f1", ["waiting-for-human"]);
  await board.go("/review/f1");
  await page.getByRole("button", { name: new RegExp(WORD) }).waitFor();
  await page.locator("diffs-container").first().waitFor();
  await expectFits(page);
  const panel = page.getByRole("complementary", { name: "Findings and actions" });
  const edge = await rightOf(panel);
  for (const each of await panel.getByText(WORD).all()) expect(await rightOf(each)).toBeLessThanOrEqual(edge);
  const [before, after] = await Promise.all(["‹", "›"].map((sign) => page.getByText(sign).boundingBox()));
  expect(before?.y).toBe(after?.y);
  for (const tab of ["transcript", "history", "pull-request", "certificate"]) {
    await board.go(`/review/f1?tab=${tab}`);
    await page.getByRole("tab", { selected: true }).waitFor();
    await expectFits(page);
  }
  await board.go();
  await page.getByRole("link", { name: /torn/ }).waitFor();
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await rightOf(page.getByRole("region", { name: /^Completed/ }))).toBeLessThanOrEqual(1280);
  await page.setViewportSize({ width: 1440, height: 900 });
  await board.go("/review/torn");
  await page.getByRole("heading", { level: 1, name: "torn" }).waitFor();
  await expectAccessible(page);
  for (const tab of ["General", "Policies", "Agents", "Notifications", "Shortcuts"]) {
    await board.go(`/settings/${tab.toLowerCase()}`);
    await page.getByRole("tab", { name: tab, selected: true }).waitFor();
    await page.getByText(/^Loading/).waitFor({ state: "detached" });
    await expectAccessible(page);
    await expectFits(page);
  }
  await board.go("/analytics");
  await page.getByRole("heading", { level: 1, name: "Analytics" }).waitFor();
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: "detached" });
  await expectAccessible(page);
  await expectFits(page);
});

/** However narrow the window is, the page is no wider. */
async function expectFits(page: Page): Promise<void> {
  const wide: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const drawn = await page.evaluate<number>("document.scrollingElement.scrollWidth");
    if (drawn > width) wide.push(`${new URL(page.url()).pathname} is ${drawn} wide at ${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(wide).toEqual([]);
}

async function rightOf(one: Locator): Promise<number> {
  const box = await one.boundingBox();
  return box === null ? Number.NaN : box.x + box.width;
}
