import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { answer, faultServer, plays } from "../../../libs/adapters/src/notify/testing/fault-server.ts";
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
  const rounds = page.getByLabel("Maximum rounds");
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

test("a channel is set up in the settings, and a test arrives", async () => {
  await using slack = await faultServer(plays.ok, answer(404, "no_service"));
  await using board = await openBoard();
  const { page } = board;
  await board.go("/settings/notifications?scope=global");
  const test = page.getByRole("button", { name: "Send test over Slack" });
  await page.getByText("Slack has no webhook address").waitFor();
  expect(await test.isDisabled()).toBe(true);
  await page.getByLabel("Webhook address").fill(slack.url);
  await page.getByLabel("People to tag").fill("U012AB3CD");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The global settings are saved.").waitFor();
  await test.click();
  await page.getByText("Slack: the test was sent").waitFor();
  expect(JSON.parse(slack.received[0]?.body ?? "").text).toBe("<@U012AB3CD> A test from Anneal");
  await page.getByText("Last: “A test from Anneal”, sent").waitFor();
  await test.click();
  await page.getByText("Slack: the test was not sent: it answered 404 (no_service)").first().waitFor();
  await expectAccessible(page);
  await page.reload();
  expect(await page.getByLabel("Webhook address").inputValue()).toBe("(set, not shown)");
});

test("what is typed on one page is not typed on another, and neither takes it from the other", async () => {
  await using board = await openBoard();
  const { page } = board;
  const other = await page.context().newPage();
  await board.go("/settings/loop");
  const [mine, theirs] = [page, other].map((one) => one.getByLabel("Maximum rounds")) as [Locator, Locator];
  const saved = await mine.inputValue();
  await mine.fill("7");
  await other.goto(page.url());
  await theirs.waitFor();
  expect(await theirs.inputValue()).toBe(saved);
  await theirs.fill("8");
  await page.reload();
  await expect.poll(() => mine.inputValue()).toBe("7");
});

test("what is written at once is sent once, however often it is clicked", async () => {
  await using board = await openBoard({
    prepare: (world) => write(world, { ".automaker/settings.json": JSON.stringify(OWN_PROMPT) }),
  });
  const { page, world } = board;
  const sent: string[] = [];
  page.on("request", (request) => /^(PATCH|PUT)$/.test(request.method()) && sent.push(request.method()));
  await board.go("/settings/prompts");
  await page.getByRole("button", { name: "Reset to Default" }).first().click();
  await page.getByRole("button", { name: "Reset it" }).evaluate(clickTwice);
  await page.getByText("The prompt is reset.").waitFor();
  expect(sent).toEqual(["PATCH"]);

  write(world, { ".automaker/settings.json": "{" });
  await page.getByRole("button", { name: "Fix it here" }).click();
  await page.getByRole("button", { name: "Replace the file" }).evaluate(clickTwice);
  await page.getByText("The file is fixed.").waitFor();
  expect(sent).toEqual(["PATCH", "PUT"]);
});

const OWN_PROMPT = {
  promptCustomization: { codeReview: { reviewSystemPrompt: { enabled: true, value: "Look at the rhymes." } } },
};

function clickTwice(button: { click(): void }): void {
  button.click();
  button.click();
}

const WIDTHS = [1440, 1280, 900, 720, 640, 390];
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

test("the analytics keep their hands off a day that is typed, and show findings of their days alone", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [
    build("a.js", "export const a = 1;\n"),
    rejects("a.js", "A flaw"),
    { role: "fixer", answer: "No." },
  ]);
  await world.run("f1", ["waiting-for-human"]);
  await board.go("/analytics?from=2026-11-01&to=2026-11-16");
  const [from, to] = [page.getByLabel("from", { exact: true }), page.getByLabel("to", { exact: true })];
  const days = () => Promise.all([from.inputValue(), to.inputValue()]);
  await to.focus();
  await page.keyboard.type("1");
  expect(new URL(page.url()).searchParams.get("to")).toBe("2026-11-16");
  await page.keyboard.type("1152026");
  expect(await days()).toEqual(["2026-11-01", "2026-11-15"]);
  await page.keyboard.press("Enter");
  await page.waitForURL(/to=2026-11-15/);
  expect(await days()).toEqual(["2026-11-01", "2026-11-15"]);

  await from.focus();
  await page.keyboard.type("11202026");
  await to.focus();
  await page.getByText("The day “to” is before the day “from”.").waitFor();
  expect(await days()).toEqual(["2026-11-20", "2026-11-15"]);
  await expectAccessible(page);

  const { body } = await world.get<{ findings: { finding: { category: string } }[] }>(world.loop("f1", "/findings"));
  const category = body.findings[0]?.finding.category ?? "";
  const today = await page.evaluate<string>("new Date().toISOString().slice(0, 10)");
  const yesterday = await page.evaluate<string>("new Date(Date.now() - 86400000).toISOString().slice(0, 10)");
  for (const { last, shown } of [
    { last: today, shown: 1 },
    { last: yesterday, shown: 0 },
  ]) {
    // Days on which nothing was found have nothing to click on: the counts of all days stand in for theirs.
    await page.route(/\/analytics\?/, async (route) =>
      route.fulfill({ response: await route.fetch({ url: route.request().url().replace(/\?.*/, "") }) }),
    );
    await board.go(`/analytics?from=2026-01-01&to=${last}`);
    await page
      .getByRole("button", { name: new RegExp(category) })
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: /^Findings about/ });
    await dialog.getByText(shown === 1 ? "A flaw" : "1 more on other days.").waitFor();
    expect(await dialog.getByRole("link").count()).toBe(shown);
  }
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
