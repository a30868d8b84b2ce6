import { expect, test } from "vitest";
import { approves, build, fix } from "../../server/src/testing/loop-world.ts";
import { expectAccessible, openBoard } from "./testing/board.ts";
import { finds, needleIn } from "./testing/needle.ts";

const { long, implemented, ALPHA, BETA } = needleIn({ lines: 120, flawed: 90 });

test("a whole review is done with the keyboard alone", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [
    implemented,
    finds(ALPHA, BETA),
    fix("beta.js", 'export const beta = "better";\n'),
    finds(ALPHA),
    fix("alpha.js", long("second")),
    finds(ALPHA, BETA),
    fix("alpha.js", long("third")),
    approves,
  ]);
  await world.run("f1", ["waiting-for-human"]);
  const press = (keys: string) => page.keyboard.press(keys);
  const address = () => new URL(page.url()).searchParams;
  const ends = () => Promise.all(["From", "To"].map((end) => page.getByLabel(end, { exact: true }).inputValue()));

  await press("j");
  await expect.poll(() => page.locator(":focus").textContent()).toContain("Feature 1");
  await press("v");
  await page.getByRole("region", { name: "Blocks, 2" }).waitFor();
  await page.locator("diffs-container").first().waitFor();
  await expectAccessible(page);

  await press("j");
  const open = page.getByRole("region", { name: /^Blocks/ }).getByRole("button", { name: /needle/, expanded: true });
  await open.waitFor();
  await page.getByText("Suggested: Check it.").waitFor();
  await press("j");
  await page
    .getByRole("button", { name: /Beta is no good/, expanded: true })
    .first()
    .waitFor();

  await press("d");
  await page.getByLabel("Why is it not a defect?").fill("Beta is a name.");
  await expectAccessible(page);
  await press("Control+Enter");
  await page.getByRole("region", { name: "Blocks, 1" }).waitFor();
  const settled = page.getByRole("region", { name: /^Settled/ });
  await settled.getByText(/Beta is a name\./).waitFor();
  for (let before = address().get("finding"); !(await open.isVisible()); before = address().get("finding")) {
    await press("k");
    await expect.poll(() => address().get("finding")).not.toBe(before);
  }
  await press("t");
  await page.getByLabel("What should the fixer know?").fill("The needle is called third.");
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await press("t");
  await expect
    .poll(() => page.getByLabel("What should the fixer know?").inputValue())
    .toBe("The needle is called third.");
  await press("Control+Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await press("[");
  await expect.poll(ends).toEqual(["2", "3"]);
  await press("[");
  await expect.poll(ends).toEqual(["1", "2"]);
  await page.getByText(/^1 file /).waitFor();
  await press("]");
  await expect.poll(ends).toEqual(["2", "3"]);
  await press("0");
  await page.getByText(/^2 files/).waitFor();

  await press("Shift+R");
  await page.getByLabel(/A note/).fill("Once more.");
  await page.reload();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await press("Shift+R");
  await expect.poll(() => page.getByLabel(/A note/).inputValue()).toBe("Once more.");
  await press("Control+Enter");
  await page.getByText("Round 4/").waitFor();
  await page.getByRole("region", { name: "Blocks, 0" }).waitFor();
  const told = await world.get<string>(world.loop("f1", "/rounds/4/prompt?of=maker"));
  expect(told.body).toContain("The needle is called third.");
  expect(told.body).toContain("Once more.");

  await press("3");
  await page.getByText("Round 4", { exact: true }).waitFor();
  await expectAccessible(page);
  await press("2");
  await page.getByRole("combobox", { name: "Transcript" }).waitFor();
  await expectAccessible(page);
  await press("u");
  await page.getByRole("link", { name: /Feature 1/ }).waitFor();
});

test("a review that broke is tried again with a key, and goes on", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  const made = build("a.js", "export const a = 1;\n");
  world.script("f1", [made]);
  await world.run("f1", ["waiting-for-human"]);
  await board.go("/review/f1");
  await page.getByText("Needs you: review broke.").waitFor();
  await expectAccessible(page);
  world.script("f1", [made, approves, approves, approves, approves]);
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog", { name: "Retry" });
  await dialog
    .or(page.getByText("verified", { exact: true }))
    .first()
    .waitFor();
  if (await dialog.isVisible()) await page.keyboard.press("Control+Enter");
  await world.reached("f1", ["ended"]);
  await page
    .getByText(/^(approved|verified)$/)
    .first()
    .waitFor();
});

test("a finding, a line and an interdiff have addresses, the diff is searched whole, and files stand beside rounds", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [implemented, finds(ALPHA), fix("alpha.js", long("second")), approves]);
  await world.run("f1", ["ended"]);
  const { body } = await world.get<{ findings: { fingerprint: string }[] }>(world.loop("f1", "/findings"));
  await board.go(`/review/f1?finding=${body.findings[0]?.fingerprint}`);
  await page.getByText('"second"').waitFor();
  await page.getByRole("button", { name: /The needle is wrong/, expanded: true }).waitFor();
  await board.go("/review/f1?file=alpha.js&line=110");
  await page.getByText("line110", { exact: false }).first().waitFor();

  await page.getByLabel("From", { exact: true }).selectOption("1");
  await page.getByLabel("To", { exact: true }).selectOption("2");
  await page.getByText(/^1 file /).waitFor();
  await page.getByText('"first"').waitFor();
  await page.getByText('"second"').waitFor();
  await page.getByLabel("To", { exact: true }).blur();
  await page.keyboard.press("0");
  await page.getByText(/^2 files/).waitFor();

  await page.keyboard.press("/");
  await page.keyboard.type("NEEDLE");
  await page.getByText("2 found").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("1 of 2").waitFor();
  await page.getByText('"second"').waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("2 of 2").waitFor();
  await page.keyboard.press("Escape");

  await page.getByText("Files and rounds").click();
  const matrix = page.getByRole("table");
  const beta = matrix.getByRole("row", { name: /beta\.js/ });
  expect((await beta.getByRole("cell").allTextContents()).slice(1, 3)).toEqual(["+1 −0", "·"]);
  const alpha = matrix.getByRole("row", { name: /alpha\.js/ });
  expect((await alpha.getByRole("cell").allTextContents()).slice(1, 3)).toEqual(["+120 −0 ●1", "+1 −1"]);
  await expectAccessible(page);
});

test("what an agent says is seen while it works", async () => {
  // Asked for what comes after the end of a transcript, the server says that there is nothing.
  await using board = await openBoard({ refuses: /416.*\/transcripts\// });
  const { page, world } = board;
  world.script("f1", [
    build("a.js", "export const a = 1;\n"),
    { role: "reviewer", answer: "Reading a.js now.", delayMs: 4_000, end: "hang" },
  ]);
  await world.run("f1", ["reviewing"]);
  await board.go("/review/f1?tab=transcript");
  await page.getByText("No output yet.").waitFor();
  await page.getByText("Reading a.js now.").waitFor();
  expect(await page.getByRole("combobox", { name: "Transcript" }).textContent()).toContain("running");
  await expectAccessible(page);
});
