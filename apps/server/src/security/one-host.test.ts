import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serverWorld, type World } from "../testing/server-world.ts";

let world: World;
beforeAll(async () => {
  world = await serverWorld();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

/** The first line of the answer to these very bytes. */
function statusLine(hosts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(world.server.url);
  const lines = ["GET /api/health HTTP/1.1", ...hosts.map((host) => `Host: ${host}`), "Connection: close", "", ""];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(lines.join("\r\n")));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text.split("\r\n")[0] ?? ""));
  });
}

test("a request that names two hosts is refused, whichever comes first", async () => {
  const { host } = new URL(world.server.url);
  expect(await statusLine([host])).toContain(" 200 ");
  expect(await statusLine([host, "evil.example"])).toMatch(/ 40[03] /);
  expect(await statusLine(["evil.example", host])).toMatch(/ 40[03] /);
  expect(await statusLine([host, host])).toMatch(/ 40[03] /);
});

test("nobody is sent to https, which this server does not speak", async () => {
  const { headers } = await world.call("GET", "/api/projects");
  expect(headers.get("strict-transport-security")).toBeNull();
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});
