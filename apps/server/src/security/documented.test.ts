import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf, type Operation, operationsOf } from "../testing/document.ts";
import { seenStatuses } from "../testing/seen-statuses.ts";
import { serverWorld, type World } from "../testing/server-world.ts";

let world: World;
let operations: Operation[];
beforeAll(async () => {
  world = await serverWorld();
  operations = operationsOf(await documentOf(world));
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const reads = ({ method }: Operation) => method === "GET";
const isAsked = (one: Operation) => !reads(one) || one.parameters.some((each) => each.in !== "header");
const OPEN = ["GET /api/health"];
/** These change something without saying of what version. */
const WITHOUT_VERSION = ["PATCH /api/projects/{project}"];

describe("the description of the routes tells what they refuse", () => {
  test.for([
    { status: "400", what: "that is asked for something", where: isAsked },
    { status: "401", what: "that is not open", where: (one: Operation) => !OPEN.includes(nameOf(one)) },
    { status: "404", what: "that is asked for something", where: isAsked },
    { status: "409", what: "that changes something", where: (one: Operation) => !reads(one) },
    { status: "413", what: "that can be sent something", where: (one: Operation) => !reads(one) },
    {
      status: "412",
      what: "that needs If-Match",
      where: (one: Operation) =>
        ["PUT", "PATCH", "DELETE"].includes(one.method) && !WITHOUT_VERSION.includes(nameOf(one)),
    },
    { status: "503", what: "of a project", where: ({ path }: Operation) => path.includes("{project}") },
  ])("$status by every route $what", ({ status, where }) => {
    const concerned = operations.filter(where);
    expect(concerned.length).toBeGreaterThan(5);
    expect(concerned.filter(({ responses }) => !responses.includes(status)).map(nameOf)).toEqual([]);
  });

  test("as every answer that a test gets is looked for in it", async () => {
    const seen = seenStatuses();
    seen.add("GET", "/api/projects/p/items?limit=1", 200);
    seen.add("GET", "/api/projects/p/items", 418);
    seen.add("GET", "/api/nowhere", 404);
    const told = "GET /api/projects/{project}/items answered 418 to /api/projects/p/items";
    expect(seen.undocumented(await documentOf(world))).toEqual([told]);
  });
});
