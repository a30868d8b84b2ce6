import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serverWorld } from "./testing/server-world.ts";

test("a port that was free a moment ago and is somebody else's now is exchanged for another", async () => {
  const theirs = net.createServer().listen(0, "127.0.0.1");
  await once(theirs, "listening");
  const taken = (theirs.address() as net.AddressInfo).port;
  const real = net.createServer;
  onTestFinished(() => {
    net.createServer = real;
    syncBuiltinESMExports();
    theirs.close();
  });
  let asked = 0;
  net.createServer = ((...args: []) => {
    const probe = real(...args);
    if (asked++ === 0) probe.address = () => ({ address: "127.0.0.1", family: "IPv4", port: taken });
    return probe;
  }) as typeof real;
  syncBuiltinESMExports();
  await using world = await serverWorld();
  expect(new URL(world.server.url).port).not.toBe(String(taken));
  expect((await world.call("GET", "/api/projects")).status).toBe(200);
});
