import { expect, test } from "vitest";
import { approves, build, fix, rejects } from "../../server/src/testing/loop-world.ts";
import { expectAccessible, openBoard } from "./testing/board.ts";

test("a server that stops in the middle of a loop and starts again is seen to, and the page catches up with the log", async () => {
  await using board = await openBoard();
  const { page, world } = board;
  world.script("f1", [
    build("a.js", "export const a = 1;\n"),
    { ...rejects("a.js", "A flaw"), delayMs: 2_000 },
    fix("a.js", "export const a = 2;\n"),
    approves,
  ]);
  await world.run("f1", ["reviewing"]);
  await board.go("/review/f1?tab=history");
  await page.getByText("Round 1/3").waitFor();

  // The page does not come back before the loop has ended, so that there is something to catch up with.
  const isTicket = "**/api/events/ticket";
  await page.route(isTicket, (route) => route.abort("connectionrefused"));
  await world.stop();
  await page.getByText(/^Disconnected/).waitFor();
  await page.getByText("lost", { exact: true }).waitFor();
  await expectAccessible(page);
  await world.start();
  await world.reached("f1", ["ended"]);
  await page.getByText("Round 1/3").waitFor();
  await page.unroute(isTicket);

  await page.getByText(/Connected again: [1-9]\d* events replayed\./).waitFor();
  await page.getByText("Round 2/3").waitFor();
  await page.getByRole("region", { name: "Settled, 1" }).getByText("A flaw").waitFor();
  const { body: loop } = await world.get<{ state: string; round: number; next: { sentence: string } }>(
    world.loop("f1"),
  );
  expect(loop).toMatchObject({ round: 2 });
  await page.getByText(loop.next.sentence).waitFor();
  await expectAccessible(page);

  const fresh = await board.another();
  await fresh.goto(page.url());
  await fresh.getByRole("region", { name: "Settled, 1" }).waitFor();
  const shown = (one: typeof page) => one.getByRole("complementary", { name: "Findings and actions" }).textContent();
  expect(await shown(page)).toBe(await shown(fresh));
});

test("who comes without the link is told how to come in, and sees nothing", async () => {
  await using board = await openBoard({ refuses: /\/api\// });
  const { page, world } = board;
  await page.context().clearCookies();
  await board.go();
  await page.getByRole("heading", { name: "Not logged in" }).waitFor();
  await page.getByText("anneal serve --open").waitFor();
  expect(await page.getByText("Feature 1").count()).toBe(0);
  await expectAccessible(page);
  await page.goto(world.server.loginUrl());
  await page.getByText("Feature 1").waitFor();
});
