import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverWorld, type World } from "../../testing/server-world.ts";

const COLUMNS = "backlog, in_progress, code_review, waiting_approval, verified, completed";

let world: World;
let at: string;
beforeAll(async () => {
  world = await serverWorld({ features: 1 });
  at = `/api/projects/${world.ids[0]}`;
  const damaged = join(world.roots[0] ?? "", ".automaker/features/bad");
  mkdirSync(damaged);
  writeFileSync(join(damaged, "feature.json"), "{");
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

describe("a status that there is none of", () => {
  test.for([
    {
      what: "a change of a feature",
      method: "PATCH",
      path: "/features/f1",
      body: { status: "nonsense" },
      in: "status",
    },
    { what: "a move of a card", method: "POST", path: "/items/f1/move", body: { to: "nonsense" }, in: "to" },
  ])("in $what is refused with those that the item can be moved to now", async ({ method, path, body, in: place }) => {
    const answer = await world.call(method, `${at}${path}`, body, { "if-match": '"x"' });
    const says = new RegExp(
      `^${place}: expected one of ${COLUMNS}, or pipeline_ .*; f1 can be moved to in_progress now$`,
    );
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        success: false,
        code: "bad-request",
        error: expect.stringMatching(says),
        problems: [{ path: place, message: expect.stringContaining("f1 can be moved to") }],
      },
    ]);
  });

  test.for([
    { what: "a feature that is nowhere", path: "/features/f9" },
    { what: "a feature that cannot be read", path: "/features/bad" },
  ])("for $what still is refused as such", async ({ path }) => {
    const { status, body } = await world.call("PATCH", `${at}${path}`, { status: "x" }, { "if-match": '"x"' });
    expect([status, body]).toMatchObject([
      400,
      { error: expect.stringContaining(`status: expected one of ${COLUMNS}`) },
    ]);
  });

  test("in a question for items is refused with those that there are", async () => {
    const { status, body } = await world.call("GET", `${at}/items?column=nope`);
    expect([status, body]).toMatchObject([
      400,
      { error: expect.stringContaining(`column: expected one of ${COLUMNS}`) },
    ]);
  });

  test("beside other mistakes leaves them told as they are", async () => {
    const patch = { status: "nonsense", title: 7 };
    const { body } = await world.call("PATCH", `${at}/features/f1`, patch, { "if-match": '"x"' });
    const paths = (body as { problems: { path: string }[] }).problems.map(({ path }) => path);
    expect(paths.sort()).toEqual(["status", "title"]);
  });
});
