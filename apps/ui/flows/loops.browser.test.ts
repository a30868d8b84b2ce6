import { expect, test } from "vitest";
import { approves, build, fix, rejects } from "../../server/src/testing/loop-world.ts";
import { expectAccessible, openBoard } from "./testing/board.ts";

test("a feature is added, built, rejected, fixed and approved, and the board shows it without a reload", async () => {
  await using board = await openBoard({ features: 0 });
  const { page, world } = board;
  await page.getByRole("button", { name: "Add the first feature" }).click();
  await page.getByLabel("Title").fill("Sign in");
  await page.getByLabel("What should be done").fill("Nobody signs in without a password.");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const card = page.getByRole("link", { name: /Sign in/ });
  await card.waitFor();
  expect(await board.columnOf("Sign in")).toBe("Backlog");

  const id = (await card.getAttribute("data-item")) ?? "";
  world.script(id, [
    build("login.js", "export const login = () => true;\n"),
    rejects("login.js", "Empty password is accepted"),
    fix("login.js", 'export const login = (word) => word !== "";\n'),
    approves,
  ]);
  await card.click();
  await page.getByRole("button", { name: "Start it" }).click();
  await page.getByText("Round 2/3").waitFor();
  await page
    .getByText("approved", { exact: true })
    .or(page.getByText("verified", { exact: true }))
    .first()
    .waitFor();
  const settled = page.getByRole("region", { name: "Settled, 1" });
  await settled.getByText("Empty password is accepted").waitFor();
  await expectAccessible(page);

  await page.getByRole("tab", { name: "Rounds" }).click();
  await page.getByText("Round 1", { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Board" }).click();
  await page
    .getByRole("region", { name: /^Verified/ })
    .getByText("Sign in")
    .waitFor();
  await expectAccessible(page);
});

test("three rejected rounds ask for a person, who resumes with a note, and the note reaches the fixer", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [
    build("a.js", "export const a = 1;\n"),
    rejects("a.js", "First flaw"),
    fix("a.js", "export const a = 2;\n"),
    rejects("a.js", "Second flaw"),
    fix("a.js", "export const a = 3;\n"),
    rejects("a.js", "Third flaw"),
    fix("a.js", "export const a = 4;\n"),
    approves,
  ]);
  await world.run("f1", ["waiting-for-human"]);
  await page
    .getByRole("link", { name: /Feature 1/ })
    .getByText("needs you")
    .waitFor();
  await board.go("/review/f1");
  await page.getByText("Needs you: rounds exhausted.").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByLabel(/A note/).fill("Use four.");
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await world.reached("f1", ["ended"]);
  await page.getByText("Round 4/", { exact: false }).waitFor();
  await page.getByRole("tab", { name: "Certificate" }).click();
  await page.getByText("Use four.").waitFor();
  await page.getByText("1 file, not seen 0", { exact: true }).waitFor();
  await expectAccessible(page);
});
