import type { Locator } from "playwright-core";
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
    features: 8,
    refuses: /\/questions\/\d+\/draft$/,
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
  await page.getByText("The review passed; the pull request has no feedback yet.").waitFor();
  await expectAccessible(page);

  await forge.as("alice").comment(1, "Please do not accept two here.", { file: "a.js", line: 1 });
  const asked = page.getByRole("listitem").filter({ hasText: /alice: Please do not accept two here\./ });
  await asked.getByRole("button", { name: "a.js:1" }).waitFor();
  await page.getByText("Needs you: ready for human.").waitFor();
  await page.getByText("no checks", { exact: true }).waitFor();
  expect(await rail("Open PR").textContent()).toMatch(/^✓.*done/);
  expect(await rail("Feedback").textContent()).toMatch(/^◐.*waits for you/);
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
    { key: "r", follows: /Runs the current stage again/ },
  ]) {
    await card.focus();
    await page.keyboard.press(key);
    await dialog.getByText(follows).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  }
  const ends = /Ends the loop; the feature goes back to the backlog\./;
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
  await page.getByText("Nothing has been reviewed: the review was skipped.").waitFor();
  await rail("Review").getByText("left out").waitFor();
  await expectAccessible(page);
});

test("retry tries a broken review anew, refine sends a pull request back to work, and mark ready hands it to a person", async () => {
  const { page, world } = board;
  const made = build("c.js", "export const c = 1;\n");
  world.script("f3", [made]);
  await world.run("f3", ["waiting-for-human"]);
  await board.go("/review/f3?tab=history");
  await page.getByText("Needs you: review broke.").waitFor();
  await page.getByText("Nothing has been reviewed yet: the review failed.").waitFor();
  const broken = page.getByRole("list", { name: "Failed reviews" });
  await broken.getByRole("listitem").first().waitFor();
  await expectAccessible(page);
  world.script("f3", [made, passes, passes, fix("c.js", "export const c = 2;\n"), passes]);
  await act("Retry");
  await world.reached("f3", ["awaiting-feedback"]);
  await act("Refine", "Say two.");
  await page.getByText("Round 2", { exact: true }).waitFor();
  await page.getByText(/broke before/).waitFor();
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
  await page.getByText(/The review has not passed, so this opens a draft that says so\./).waitFor();
  await page.getByText("Nothing has been reviewed yet: round 1 is under way.").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create a draft" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a draft" });
  await dialog.getByText(/marked NOT REVIEWED/).waitFor();
  await dialog.getByRole("button", { name: "Create a draft" }).click();
  await page.getByText("draft, not reviewed", { exact: true }).waitFor();
  const { body } = await world.get<{ number: number }>(world.loop("f4", "/pull-request"));
  expect(await forge.get(body.number)).toMatchObject({ draft: true, title: "NOT REVIEWED: Feature 4" });
  await forge.as("alice").comment(body.number, "Why is it <script>1</script>?");
  await page
    .getByRole("region", { name: /^Questions/ })
    .getByText("alice: Why is it <script>1</script>?")
    .waitFor();
  await expectAccessible(page);
});

test("a reply to a question is drafted when a person asks for it, who edits and copies it; nobody posts it", async () => {
  const { page, world } = board;
  const made = [build("e.js", "export const e = 1;\n"), passes];
  world.script("f5", made);
  await world.run("f5", ["awaiting-feedback"]);
  const { body } = await world.get<{ number: number }>(world.loop("f5", "/pull-request"));
  await forge.as("alice").comment(body.number, "Why is it one?");
  await board.go("/review/f5?tab=pull-request");
  const question = page.getByRole("region", { name: /^Questions/ }).getByRole("listitem");
  const ask = question.getByRole("button", { name: "Draft a reply" });
  await ask.focus();

  world.script("f5", [...made, { role: "analyst", end: "hang" }]);
  await page.keyboard.press("Enter");
  await question.getByText("An agent reads the change and drafts a reply…").waitFor();
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Stop drafting" }).waitFor({ state: "detached" });

  world.script("f5", [...made, { role: "analyst", answer: "Because it is." }]);
  const pull = await world.get<{ questions: { sourceId: number }[] }>(world.loop("f5", "/pull-request"));
  const sourceId = pull.body.questions[0]?.sourceId;
  const path = world.loop("f5", `/questions/${sourceId}/draft`);
  // The server may not have heard yet that nobody waits for the other one.
  while ((await world.call("POST", path)).status === 409);
  await page.keyboard.press("Enter");
  const alert = question.getByRole("alert");
  await alert.waitFor();
  expect(await alert.textContent()).toMatch(/^scripted drafted no usable reply: /);
  await expectAccessible(page);

  const suggestedResponse = "One is what e.js exports.";
  const questionsToAnswer = [{ sourceId, author: "alice", question: "Why is it one?", suggestedResponse }];
  const nothingElse = { actionableIssues: [], requiresHumanDecision: [], overallStatus: "needs_human_input" };
  world.script("f5", [...made, { role: "analyst", answer: { ...nothingElse, questionsToAnswer } }]);
  const said = await forge.comments(body.number);
  await question.getByRole("button", { name: "Try again" }).press("Enter");
  const draft = question.getByRole("textbox", { name: "Draft of a reply to alice" });
  await draft.waitFor();
  expect(await draft.inputValue()).toBe("One is what e.js exports.");
  expect(await question.getByRole("alert").count()).toBe(0);
  await expectAccessible(page);

  await draft.press("End");
  await page.keyboard.type(" Is that all right?");
  await page.reload();
  await draft.waitFor();
  expect(await draft.inputValue()).toBe("One is what e.js exports. Is that all right?");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await question.getByRole("button", { name: "Copy" }).press("Enter");
  await question.getByText("Copied.").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await draft.inputValue());
  await question.getByRole("button", { name: "Discard" }).press("Enter");
  await ask.and(page.locator(":focus")).waitFor();
  expect(await forge.comments(body.number)).toEqual(said);
});

test("what a pull request asks for is open in the list of findings and on its line, though the review passed", async () => {
  const { page, world } = board;
  world.script("f6", [build("f.js", "export const f = 1;\n"), passes, { role: "fixer", end: "hang" }]);
  await world.run("f6", ["awaiting-feedback"]);
  const { body } = await world.get<{ number: number }>(world.loop("f6", "/pull-request"));
  const { head } = await forge.get(body.number);
  // Heard at once or not at all.
  await forge.limitUntil(Date.now() + 5_000);
  await forge.setCheck(head.sha, { name: "build", conclusion: "failure", summary: "It does not build." });
  const comments = [{ file: "f.js", line: 1, body: "Please do not accept one here." }];
  await forge.as("alice").review(body.number, { state: "changes_requested", body: "Please add a test.", comments });
  await forge.limitUntil(null);
  await world.reached("f6", ["fixing"]);
  await board.go("/review/f6");
  const blocks = page.getByRole("region", { name: "Blocks, 0" });
  await blocks.getByText("The review passed; 2 requests of the pull request and 1 failing check are open.").waitFor();
  const asked = page.getByRole("region", { name: "Requested on the pull request, 3" });
  await asked.getByText("It does not build.").waitFor();
  await asked.getByRole("link", { name: /do not accept one here/ }).click();
  await page.waitForURL(/file=f\.js&line=1/);
  await page.getByText("alice asks for this on the pull request").waitFor();
  await expectAccessible(page);
  await blocks.getByRole("link", { name: "See the pull request" }).click();
  await page.getByText("checks failing", { exact: true }).waitFor();
  await page.getByText("changes-requested", { exact: true }).waitFor();
});

test("what somebody pushed and merged is told as not reviewed, and its certificate does not hold", async () => {
  const { page, world } = board;
  world.script("f8", [build("h.js", "export const h = 1;\n"), passes]);
  await world.run("f8", ["awaiting-feedback"]);
  const { body } = await world.get<{ number: number }>(world.loop("f8", "/pull-request"));
  const { head } = await forge.get(body.number);
  const theirs = await forge.as("bob").push(head.branch, { "theirs.js": "export {};\n" });
  await forge.as("alice").merge(body.number);
  await world.reached("f8", ["ended"]);
  await board.go("/review/f8?tab=pull-request");
  await page.getByText(`merged at ${theirs.slice(0, 12)}, not reviewed`, { exact: true }).waitFor();
  expect(await page.getByText("for an earlier head").count()).toBe(0);
  await expectAccessible(page);
  await board.go("/review/f8?tab=certificate");
  await page.getByText("does not hold", { exact: true }).waitFor();
  await page.getByText(theirs, { exact: true }).waitFor();
});

test("an approval holds for what was on the screen when it was asked: a head that came since is looked at first", async () => {
  const { page, world } = board;
  world.script("f7", [build("g.js", "export const g = 1;\n"), passes, fix("g.js", "export const g = 2;\n"), passes]);
  await world.run("f7", ["awaiting-feedback"]);
  const { body: pull } = await world.get<{ number: number }>(world.loop("f7", "/pull-request"));
  const headNow = async () => (await world.get<{ head: string }>(world.loop("f7"))).body.head;
  const say = (signal: string, note?: string) =>
    world.call("POST", `/api/projects/${world.project}/items/f7/signal`, { signal, note });
  await say("ready");
  await board.go("/review/f7");
  const words = page.getByRole("region", { name: "Actions for this loop" });
  const approve = words.getByRole("button", { name: "Approve", exact: true });
  await approve.click();
  const dialog = page.getByRole("dialog", { name: "Approve" });
  const confirm = dialog.getByRole("button", { name: "Approve", exact: true });
  expect(await confirm.isEnabled()).toBe(true);
  const before = await headNow();

  await say("refine", "Say two.");
  await world.reached("f7", ["awaiting-feedback"]);
  await say("ready");
  const after = await headNow();
  await dialog.getByText(`${after.slice(0, 7)} after round 2`).waitFor();
  expect(await dialog.getByRole("alert").textContent()).toBe(
    `The loop changed while this dialog was open: it was ${before.slice(0, 7)} after round 1 and is now ${after.slice(0, 7)} after round 2. Close the dialog, check the new state, and try again.`,
  );
  expect(await confirm.isDisabled()).toBe(true);
  await expectAccessible(page);
  expect((await forge.get(pull.number)).state).toBe("open");

  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await approve.click();
  expect(await dialog.getByRole("alert").count()).toBe(0);
  await confirm.click();
  await world.reached("f7", ["ended"]);
  expect(await forge.get(pull.number)).toMatchObject({ state: "merged", head: { sha: after } });
});

/** A stop of the rail. */
function rail(name: string): Locator {
  return board.page.getByRole("list", { name: "Stages" }).getByRole("listitem").filter({ hasText: name });
}

/** Says a word to the loop, which asks first. */
async function act(name: string, note?: string): Promise<void> {
  const { page } = board;
  const words = page.getByRole("region", { name: "Actions for this loop" });
  await words.getByRole("button", { name, exact: true }).click();
  const dialog = page.getByRole("dialog", { name });
  if (note !== undefined) await dialog.getByLabel(/A note/).fill(note);
  await expectAccessible(page);
  await dialog.getByRole("button", { name, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}
