import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { approves, build, fix } from "../../server/src/testing/loop-world.ts";
import { expectAccessible, openBoard } from "./testing/board.ts";
import { finds, needleIn } from "./testing/needle.ts";

const { long, implemented, ALPHA, BETA } = needleIn({ lines: 60, flawed: 40 });

/** Three rounds that found something in alpha; what was wrong in beta was fixed after the first. */
const STUCK = [
  implemented,
  finds(ALPHA, BETA),
  fix("beta.js", 'export const beta = "better";\n'),
  finds(ALPHA),
  fix("alpha.js", long("second")),
  finds(ALPHA),
  fix("alpha.js", long("third")),
  approves,
];

test("comments on lines reach the fixer: beside an open finding at once, others with the next word", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", STUCK);
  await world.run("f1", ["waiting-for-human"]);
  await board.go("/review/f1");
  await page.locator("diffs-container").first().waitFor();
  const form = page.getByRole("textbox", { name: /^Comment on / });

  await page.keyboard.press("w");
  await page.getByText(/choose a line first/).waitFor();
  await page.keyboard.press("n");
  await page.keyboard.press("w");
  await page.getByLabel("Comment on beta.js, line 1").fill("Say better than what.");
  await page.getByText("Kept in this browser, and sent to the fixer with").waitFor();
  await expectAccessible(page);
  await page.reload();
  await form.waitFor();
  expect(await form.inputValue()).toBe("Say better than what.");
  await form.press("Control+Enter");
  await page.getByText("Your comment, not sent yet: ").waitFor();
  await page.reload();
  const waiting = page.getByRole("region", { name: "Your comments" });
  await waiting.getByText(/Say better than what\./).waitFor();
  await page.locator("diffs-container").first().waitFor();
  await page.keyboard.press("n");
  await page.getByText("Your comment, not sent yet: ").waitFor();
  await expectAccessible(page);

  await page.keyboard.press("p");
  await page.keyboard.press("w");
  await page.getByLabel("Comment on alpha.js, line 1").fill("Start with a header.");
  await page.getByText("The next fixer reads it with “The needle is wrong”.").waitFor();
  await form.press("Control+Enter");
  await form.waitFor({ state: "detached" });
  await page.getByText("Waiting for the next fixer: a note").waitFor();

  await page.locator("[data-column-number='5']").first().click();
  await page.getByRole("button", { name: "Comment on line 5" }).click();
  await page.getByLabel("Comment on alpha.js, line 5").fill("This goes.");
  await page.getByRole("button", { name: "Cancel" }).click();
  await form.waitFor({ state: "detached" });

  await page.keyboard.press("Shift+R");
  const dialog = page.getByRole("dialog", { name: "Resume" });
  await dialog.getByText("Your comment on the diff will be sent:").waitFor();
  await expectAccessible(page);
  await dialog.getByLabel(/A note/).fill("Once more.");
  await dialog.getByRole("button", { name: "Resume" }).click();
  await world.reached("f1", ["ended"]);
  await waiting.waitFor({ state: "detached" });
  const { body } = await world.get<string>(world.loop("f1", "/rounds/4/prompt?of=maker"));
  for (const told of ["Once more.", "beta.js, line 1: Say better than what.", "alpha.js, line 1: Start with a header."])
    expect(body).toContain(told);
  expect(body).not.toContain("This goes.");
});

test("a finding that was fixed leads to the hunk that fixed it, and files stay viewed until they change", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", STUCK);
  await world.run("f1", ["waiting-for-human"]);
  await board.go("/review/f1");
  await page.getByText("Files and rounds").click();
  const viewed = (file: string) => page.getByRole("checkbox", { name: `${file} viewed` });
  await viewed("alpha.js").check();
  await viewed("beta.js").check();
  await page.reload();
  await page.getByText("Files and rounds").click();
  await expect.poll(() => marks(page)).toEqual([true, true]);

  await page
    .getByRole("region", { name: /^Settled/ })
    .getByRole("button", { name: /Beta is no good/ })
    .click();
  await page.getByRole("button", { name: "Show the hunk" }).click();
  const ends = () => Promise.all(["From", "To"].map((end) => page.getByLabel(end, { exact: true }).inputValue()));
  await expect.poll(ends).toEqual(["1", "2"]);
  await expect.poll(() => new URL(page.url()).searchParams.get("file")).toBe("beta.js");
  // As it is now it was looked at, so that it is folded.
  await viewed("beta.js").uncheck();
  await page.getByText('"better"').waitFor();
  await page.getByText("✓ fixed here").waitFor();
  await expectAccessible(page);
  await viewed("beta.js").check();
  await page.keyboard.press("0");
  await page.getByText(/^2 files/).waitFor();
  await page.keyboard.press("h");
  await expect.poll(ends).toEqual(["1", "2"]);
  // What was fetched before is drawn anew all the same.
  await page.keyboard.press("0");
  await viewed("alpha.js").uncheck();
  await page.getByText('"second"').waitFor();
  await viewed("alpha.js").check();
  expect(await marks(page)).toEqual([true, true]);

  await page.keyboard.press("Shift+R");
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await world.reached("f1", ["ended"]);
  await expect.poll(() => marks(page)).toEqual([false, true]);
});

/** Whether alpha and beta count as viewed. */
function marks(page: Page): Promise<boolean[]> {
  return Promise.all(
    ["alpha.js", "beta.js"].map((file) => page.getByRole("checkbox", { name: `${file} viewed` }).isChecked()),
  );
}

test("a transcript leads to its errors and shows what the agent was told; keys, addresses and buttons keep to what there is", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [
    build("a.js", "export const a = 1;\n"),
    { role: "reviewer", answer: "I cannot say.", error: "it fell over" },
    approves,
  ]);
  await world.run("f1", ["ended"]);
  await board.go("/review/f1?tab=transcript");
  const transcripts = page.getByRole("combobox", { name: "Transcript" });
  await transcripts.selectOption("reviewing-1");
  await transcripts.blur();
  await page.getByRole("status").getByText("1 error").waitFor();
  await page.keyboard.press("Shift+E");
  await page.getByText("error 1 of 1").waitFor();
  await expect.poll(() => page.locator(":focus").textContent()).toContain("it fell over");
  await expectAccessible(page);

  await transcripts.selectOption("implementing-1");
  await page.getByText("no errors").waitFor();
  await transcripts.blur();
  await page.keyboard.press("Shift+W");
  await page
    .getByRole("region", { name: "Prompt", exact: true })
    .getByText(/Feature 1/)
    .first()
    .waitFor();
  await expectAccessible(page);

  await page.keyboard.press("4");
  await page.getByText("The loop has ended without a pull request.").waitFor();
  expect(await page.getByRole("button", { name: "Create the pull request" }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard" });
  for (const title of ["Dismiss: the finding", "Note for the fixer: the finding", "Look at: Rounds", "Show what fixed"])
    await sheet.getByText(title).waitFor();
  await page.setViewportSize({ width: 1280, height: 500 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");

  await board.go("/settings/shortcuts");
  for (const title of ["Accept the risk: the finding", "Look at: Certificate", "Comment on the line for the fixer"])
    await page.getByText(title).first().waitFor();
  await board.go("?kind=");
  await page.getByRole("link", { name: /Feature 1/ }).waitFor();
  await page.keyboard.press("i");
  await expect.poll(() => new URL(page.url()).search).toBe("?needsMe=true");
});
