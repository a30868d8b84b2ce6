import type { ApiLoopState, ApiMoves, Seen, SignalName } from "@anneal/types";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FakeForge } from "../../../../../libs/adapters/src/forges/fake/index.ts";
import { addForge, selfReviews } from "../../testing/forge.ts";
import { build, fix, type LoopWorld, loopWorld } from "../../testing/loop-world.ts";

const passes = selfReviews("pass", "It does what was asked.");

let world: LoopWorld;
let forge: FakeForge;
beforeAll(async () => {
  world = await loopWorld(1);
  forge = await addForge(world);
  world.script("f1", [build("a.js", "export const a = 1;\n"), passes, fix("a.js", "export const a = 2;\n"), passes]);
  await world.run("f1", ["awaiting-feedback"]);
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

const item = (rest: string) => `/api/projects/${world.project}/items/f1/${rest}`;
const signal = (word: SignalName, seen?: Seen, note?: string) =>
  world.call("POST", item("signal"), { signal: word, seen, note });
const seenNow = async () => (await world.get<ApiLoopState>(world.loop("f1"))).body.seen;
const short = ({ head }: Seen) => head?.slice(0, 7);

test("an approval of an older head is a conflict and merges nothing; one of what is there merges it", async () => {
  await signal("ready");
  const first = await seenNow();
  expect(await signal("refine", first, "Say two.")).toMatchObject({ status: 200 });
  await world.reached("f1", ["awaiting-feedback"]);
  await signal("ready");
  const second = await seenNow();
  expect(second).toEqual({ loop: "f1~1", head: expect.any(String), round: 2, feedback: 0 });
  expect(second.head).not.toBe(first.head);

  const reason = `approve was meant for ${short(first)} after round 1, and the loop is now at ${short(second)} after round 2: check the new state, then send approve again`;
  const refused = { status: 409, body: { success: false, code: "conflict", error: reason } };
  expect(await signal("approve", first)).toMatchObject(refused);
  const { body } = await world.get<ApiMoves>(item("moves"));
  expect(body.seen).toEqual(second);
  const to = body.moves.find((move) => move.signal === "approve")?.to;
  expect(await world.call("POST", item("move"), { to, seen: first })).toMatchObject(refused);
  expect(await seenNow()).toEqual(second);
  expect((await forge.get(1)).state).toBe("open");

  expect(await signal("approve", second)).toMatchObject({ status: 200 });
  await world.reached("f1", ["ended"]);
  expect(await forge.get(1)).toMatchObject({ state: "merged", head: { sha: second.head } });
}, 60_000);

test.for([
  { what: "a part of it", seen: { head: "d67c55b" } },
  { what: "more than it", seen: { loop: "f1~1", head: null, round: 0, feedback: 0, stage: "fixing" } },
])("$what is bad input", async ({ seen }) => {
  expect(await world.call("POST", item("signal"), { signal: "approve", seen })).toMatchObject({ status: 400 });
});
