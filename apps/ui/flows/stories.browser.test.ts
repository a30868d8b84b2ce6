import { afterAll, beforeAll, expect, test } from "vitest";
import * as epic from "../../../libs/engine/src/golden/testing/sample-epics.ts";
import * as story from "../../../libs/engine/src/golden/testing/sample-stories.ts";
import { type Board, expectAccessible, openBoard } from "./testing/board.ts";
import { addEpic, addStory, runBeside } from "./testing/plans.ts";

const CHOICES = [
  { id: "2.1", key: "a", verb: "take-over", ends: "blocked" },
  { id: "2.2", key: "b", verb: "accept", ends: "done" },
  { id: "2.3", key: "c", verb: "one-more", ends: "done" },
] as const;

const exhausted = [1, 2, 3].flatMap((round) => [
  story.findings(round, [1, round === 1 ? 1 : 0, 0]),
  story.fixElsewhere(`round ${round}`),
]);

let board: Board;
beforeAll(async () => {
  board = await openBoard({
    async prepare(world) {
      for (const { id } of CHOICES)
        addStory(world, id, `Lend ${id}`, [story.implement, ...exhausted, story.findings(4, [0, 0, 0])]);
      addStory(world, "2.4", "Lend 2.4", [story.implement, ...exhausted, story.findings(4, [3, 2, 0])]);
      await runBeside(world, "story:2.4", ["waiting-for-human"]);
      for (const { id } of CHOICES) await runBeside(world, `story:${id}`, ["waiting-for-human"]);
    },
  });
}, 180_000);
afterAll(() => board[Symbol.asyncDispose](), 60_000);

test.for(CHOICES)(
  "a story whose rounds have run out asks, and ($key) $verb makes it $ends",
  async ({ id, key, ends }) => {
    const { page, world } = board;
    await board.go(`/review/${encodeURIComponent(`story:${id}`)}`);
    const packet = page.getByRole("region", { name: "Needs you" });
    await packet.getByText(/Open after round 3 of 3: 1 critical/).waitFor();
    await expectAccessible(page);
    await packet.getByRole("button").first().waitFor();
    const words = page.getByRole("region", { name: "Actions for this loop" });
    for (const name of ["Take over", "Accept", "One more round"])
      expect(await words.getByRole("button", { name, exact: true }).count()).toBe(0);
    await page.keyboard.press(key);
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    const { body } = await world.get<{ choices: { key: string; consequence: string; text: string }[] }>(
      world.loop(`story:${id}`, "/escalation"),
    );
    const choice = body.choices.find((one) => one.key === key);
    await dialog.getByText(choice?.consequence ?? "").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: choice?.text ?? "" }).click();
    await packet.waitFor({ state: "detached" });
    await page.getByText(ends, { exact: true }).first().waitFor();
  },
);

test("an answer holds for the round that was on the screen: what another round found is looked at first", async () => {
  const { page, world } = board;
  await board.go(`/review/${encodeURIComponent("story:2.4")}`);
  const packet = page.getByRole("region", { name: "Needs you" });
  await packet.getByText(/Open after round 3 of 3: 1 critical/).waitFor();
  await packet.getByRole("button").first().waitFor();
  await page.keyboard.press("b");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  const item = `/api/projects/${world.project}/items/${encodeURIComponent("story:2.4")}`;
  expect(await world.call("POST", `${item}/signal`, { signal: "one-more" })).toMatchObject({ status: 200 });
  await world.reached("story:2.4", ["waiting-for-human"]);
  await dialog
    .getByText(
      /^The loop changed while this dialog was open: it was \w{7} after round 3 and is now \w{7} after round 4/,
    )
    .waitFor();
  await page.getByText(/Open after round 4 of 4: 3 critical, 2 important/).waitFor();
  const accept = dialog.getByRole("button", { name: /accept/i });
  expect(await accept.isDisabled()).toBe(true);
  await dialog.getByLabel(/A note/).fill("Good enough.");
  await dialog.getByLabel(/A note/).press("Control+Enter");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await packet.waitFor();
  await page.keyboard.press("b");
  expect(await dialog.getByLabel(/A note/).inputValue()).toBe("Good enough.");
  await accept.click();
  await packet.waitFor({ state: "detached" });
  await page.getByText("done", { exact: true }).first().waitFor();
});

test("a ticket shows its scorecard: six dimensions, what each has to reach, and what it came to", async () => {
  const { page, world } = board;
  const { build, fail, pass, revise } = epic;
  addEpic(world, { bucket: {} }, { bucket: [build("bucket"), fail("bucket"), revise("bucket", "null"), pass] });
  await runBeside(world, "ticket:limits/bucket", ["ended"]);
  await board.go(`/review/${encodeURIComponent("ticket:limits/bucket")}?tab=history`);
  const card = page.getByRole("region", { name: "Scorecard of round 2" });
  await card.waitFor();
  expect(await card.getByRole("row").count()).toBe(7);
  await card.getByText(/overall, 75 needed/).waitFor();
  await page.getByRole("button", { name: /Round 1/ }).click();
  const first = page.getByRole("region", { name: "Scorecard of round 1" });
  const low = first.getByRole("row", { name: /requirement adherence/ });
  expect((await low.getByRole("cell").allTextContents()).map((text) => text.trim())).toEqual([
    "requirement adherence",
    "70",
    "90",
    "3",
  ]);
  await expectAccessible(page);
});
