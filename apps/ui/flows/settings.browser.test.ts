import { expect, test } from "vitest";
import { approves, build, rejects } from "../../server/src/testing/loop-world.ts";
import { expectAccessible, openBoard } from "./testing/board.ts";

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

test("every tab of the settings and the analytics keep nobody out", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [build("a.js", "export const a = 1;\n"), rejects("a.js"), { role: "fixer", answer: "No." }]);
  await world.run("f1", ["waiting-for-human"]);
  for (const tab of ["General", "Policies", "Agents", "Notifications", "Shortcuts"]) {
    await board.go(`/settings/${tab.toLowerCase()}`);
    await page.getByRole("tab", { name: tab, selected: true }).waitFor();
    await page.getByText(/^Loading/).waitFor({ state: "detached" });
    await expectAccessible(page);
  }
  await board.go("/analytics");
  await page.getByRole("heading", { level: 1, name: "Analytics" }).waitFor();
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: "detached" });
  await expectAccessible(page);
});
