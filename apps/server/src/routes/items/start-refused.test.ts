import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverWorld, type World } from "../../testing/server-world.ts";

let world: World;
beforeAll(async () => {
  world = await serverWorld({ features: 1 });
  const write = (id: string, text: string) => {
    const folder = join(world.roots[0] ?? "", ".automaker/features", id);
    mkdirSync(folder);
    writeFileSync(join(folder, "feature.json"), text);
  };
  for (const status of ["verified", "completed"])
    write(status, JSON.stringify({ id: status, title: "T", description: "d", status }));
  write("damaged", "{");
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

describe("what cannot start is refused with the reason, by either route", () => {
  test.for([
    { item: "verified", says: /^verified is already verified, so there is nothing to start; it can be moved to / },
    { item: "completed", says: /^completed is already completed, so there is nothing to start; it can be moved to / },
    { item: "damaged", says: /^damaged cannot be read; fix its file: .*feature\.json/ },
  ])("$item", async ({ item, says }) => {
    for (const path of [`/api/projects/${world.ids[0]}/items/${item}/start`, `/api/review-loop/${item}/start`]) {
      const { status, body } = await world.call("POST", path);
      const refused = { success: false, code: "conflict", error: expect.stringMatching(says) };
      expect([path, status, body]).toEqual([path, 409, refused]);
    }
  });

  test("what waits in the backlog is taken", async () => {
    expect(await world.call("POST", `/api/projects/${world.ids[0]}/items/f1/start`)).toMatchObject({ status: 202 });
  });
});

describe("prompts that somebody else has changed", () => {
  test("are told as such", async () => {
    const at = `/api/projects/${world.ids[0]}/prompts`;
    const { body } = await world.call("DELETE", at, undefined, { "if-match": '"x"' });
    expect(body).toMatchObject({
      error: expect.stringMatching(/^the text of the prompts has changed since you read it/),
    });
  });
});
