import type { ApiItem, ApiMoves } from "@anneal/types";
import { afterAll, beforeAll, expect, test } from "vitest";
import { approves, build, type LoopWorld, loopWorld } from "../testing/loop-world.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld(1);
  world.script("f1", [
    build("a.js", "export const a = 1;\n"),
    approves,
    build("a.js", "export const a = 2;\n"),
    approves,
  ]);
  await world.run("f1", ["ended"]);
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

const at = (rest = "") => `/api/projects/${world.project}/items/f1${rest}`;
const move = (body: object) => world.call("POST", at("/move"), body);
const itemNow = async () => (await world.get<ApiItem>(at())).body;
const movesNow = async () => (await world.get<ApiMoves>(at("/moves"))).body;

test("what is verified is worked on again where it is moved to in progress, and an older look at it moves it nowhere", async () => {
  expect(await itemNow()).toMatchObject({ column: "verified", loop: { id: "f1~1" } });
  const { seen: first, moves } = await movesNow();
  expect(moves.find(({ to }) => to === "in_progress")).toMatchObject({ means: "start", refused: null });

  expect(await move({ to: "in_progress", seen: first })).toMatchObject({ status: 202 });
  await expect.poll(itemNow, { timeout: 60_000 }).toMatchObject({ column: "verified", loop: { id: "f1~2" } });

  const { seen: second } = await movesNow();
  for (const to of ["completed", "in_progress", "backlog"]) {
    const error = expect.stringMatching(
      new RegExp(
        `^the move to ${to} was meant for the loop f1~1 at ${first?.head?.slice(0, 7)} after round 1, but the loop f1~2`,
      ),
    );
    expect(await move({ to, seen: first })).toMatchObject({ status: 409, body: { code: "conflict", error } });
  }
  expect(await itemNow()).toMatchObject({ column: "verified", loop: { id: "f1~2" } });
  expect(await move({ to: "completed", seen: second })).toMatchObject({ status: 200 });
  expect(await itemNow()).toMatchObject({ column: "completed" });
}, 120_000);
