import { afterAll, beforeAll, expect, test } from "vitest";
import type { FakeForge } from "../../../libs/adapters/src/forges/fake/index.ts";
import { selfReview } from "../../../libs/engine/src/golden/testing/login-review-loop.ts";
import { build, fix } from "../../server/src/testing/loop-world.ts";
import { type Board, dragOnto, expectAccessible, openBoard } from "./testing/board.ts";
import { addForge } from "./testing/plans.ts";

const passes = selfReview("pass", [], "It does what was asked.");
const fails = (file: string) =>
  selfReview(
    "needs_work",
    [{ severity: "high", category: "security", file, lineStart: 1, description: "Anything gets in." }],
    "Not yet.",
  );
const hangs = { role: "reviewer", end: "hang" };

let board: Board;
let forge: FakeForge;
beforeAll(async () => {
  board = await openBoard({
    features: 4,
    async prepare(world) {
      forge = await addForge(world);
    },
  });
}, 120_000);
afterAll(() => board[Symbol.asyncDispose](), 60_000);

test("a feature goes from its self-review to a pull request, its feedback, an approval and the merge", async () => {
  const { page, world } = board;
  world.script("f1", [
    build("a.js", "export const a = 1;\n"),
    fails("a.js"),
    fix("a.js", "export const a = 2;\n"),
    passes,
    fix("a.js", "export const a = 3;\n"),
    passes,
  ]);
  await world.run("f1", ["awaiting-feedback"]);
  await board.go("/review/f1?tab=pull-request");
  await page.getByRole("link", { name: "Pull request #1" }).waitFor();
  await page.getByText("no review yet").waitFor();
  await expectAccessible(page);

  await forge.as("alice").comment(1, "Please do not accept two here.", { file: "a.js", line: 1 });
  const asked = page.getByRole("listitem").filter({ hasText: /alice: Please do not accept two here\./ });
  await asked.getByRole("button", { name: "a.js:1" }).waitFor();
  await page.getByText("Needs you: ready for human.").waitFor();
  await expectAccessible(page);

  await forge.as("alice").review(1, { state: "approved", body: "Good." });
  await page.getByText("approved", { exact: true }).first().waitFor();
  await forge.as("alice").merge(1);
  await world.reached("f1", ["ended"]);
  await page.getByText("merged", { exact: true }).first().waitFor();
  await page.getByRole("link", { name: "Board" }).click();
  await page
    .getByRole("region", { name: /^Completed/ })
    .getByText("Feature 1")
    .waitFor();
});

test("a review that is skipped becomes a draft that says so, once it was asked whether that is meant", async () => {
  const { page, world } = board;
  world.script("f2", [build("b.js", "export const b = 1;\n"), hangs]);
  await world.run("f2", ["reviewing"]);
  await board.go();
  const card = page.getByRole("link", { name: /Feature 2/ });
  const dialog = page.getByRole("dialog", { name: /^(Skip review|Retry|Stop): Feature 2$/ });
  for (const { key, follows } of [
    { key: "s", follows: /marked NOT REVIEWED/ },
    { key: "r", follows: /tried once more/ },
  ]) {
    await card.focus();
    await page.keyboard.press(key);
    await dialog.getByText(follows).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  }
  const ends = /The loop ends, and the feature goes back to the backlog\./;
  await card.focus();
  await page.keyboard.press("m");
  const backlog = page.getByRole("dialog", { name: /^Move/ }).getByRole("button", { name: /^Backlog/ });
  await backlog.getByText(ends).waitFor();
  await expectAccessible(page);
  await backlog.click();
  await dialog.getByText(ends).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await dragOnto(page, card, page.getByRole("region", { name: /^Backlog/ }));
  await page.mouse.up();
  await dialog.getByText(ends).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await board.columnOf("Feature 2")).toBe("Code Review");
  const { body: loop } = await world.get<{ stage: string; signals: unknown[] }>(world.loop("f2"));
  expect(loop.stage).toBe("reviewing");

  await board.go("/review/f2?tab=pull-request");
  await page.getByText("No pull request yet.").waitFor();
  await act("Skip review");
  await page.getByText("draft, not reviewed", { exact: true }).waitFor();
  expect((await forge.get(2)).title).toBe("NOT REVIEWED: Feature 2");
  await expectAccessible(page);
});

test("retry tries a broken review anew, refine sends a pull request back to work, and mark ready hands it to a person", async () => {
  const { page, world } = board;
  const made = build("c.js", "export const c = 1;\n");
  world.script("f3", [made]);
  await world.run("f3", ["waiting-for-human"]);
  await board.go("/review/f3?tab=history");
  await page.getByText("Needs you: review broke.").waitFor();
  world.script("f3", [made, passes, passes, fix("c.js", "export const c = 2;\n"), passes]);
  await act("Retry");
  await world.reached("f3", ["awaiting-feedback"]);
  await act("Refine", "Say two.");
  await page.getByText("Round 2", { exact: true }).waitFor();
  await world.reached("f3", ["awaiting-feedback"]);
  await act("Mark ready");
  await page.getByText("Needs you: ready for human.").waitFor();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  expect(await page.getByRole("button", { name: "Mark ready" }).count()).toBe(0);
});

test("a pull request is asked for in its own pane: a draft while the review has not passed, and questions are told", async () => {
  const { page, world } = board;
  world.script("f4", [build("d.js", "export const d = 1;\n"), hangs]);
  await world.run("f4", ["reviewing"]);
  await board.go("/review/f4?tab=pull-request");
  await page.getByText(/The review has not passed: a draft says so\./).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create a draft" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a draft" });
  await dialog.getByText(/marked NOT REVIEWED/).waitFor();
  await dialog.getByRole("button", { name: "Create a draft" }).click();
  await page.getByText("draft, not reviewed", { exact: true }).waitFor();
  const { body } = await world.get<{ number: number }>(world.loop("f4", "/pull-request"));
  expect(await forge.get(body.number)).toMatchObject({ draft: true, title: "NOT REVIEWED: Feature 4" });
  await forge.as("alice").comment(body.number, "Why is it one?");
  await page
    .getByRole("region", { name: /^Questions/ })
    .getByText("alice: Why is it one?")
    .waitFor();
  await expectAccessible(page);
});

/** Says a word to the loop, which asks first. */
async function act(name: string, note?: string): Promise<void> {
  const { page } = board;
  const words = page.getByRole("region", { name: "What you can say to this loop" });
  await words.getByRole("button", { name, exact: true }).click();
  const dialog = page.getByRole("dialog", { name });
  if (note !== undefined) await dialog.getByLabel(/A note/).fill(note);
  await expectAccessible(page);
  await dialog.getByRole("button", { name, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}
