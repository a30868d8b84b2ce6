import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { STREAM_CLOSED } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { makeNoise } from "../testing/noise.ts";
import { listen, serverWorld, type World } from "../testing/server-world.ts";

const EVENTS = 3_000;
/** With its title in every frame an event weighs this much at least, so that no buffer of the kernel holds them all. */
const BYTES = 6_000;

describe("a listener that never reads", () => {
  test.for(["socket", "server-sent events"] as const)(
    "over %s is cut off with the reason, little waits for it, and others miss nothing",
    async (kind) => {
      await using world = await serverWorld({ beatMs: 300 });
      const [project = ""] = world.ids;
      const stalled = await openRaw(world, kind);
      const other = await listen(world, { project });
      await makeNoise(world.roots[0] ?? "", { item: "f9", events: EVENTS, bytes: BYTES });
      await other.until((frames) => frames.length >= EVENTS);
      expect(other.frames.map(({ seq }) => seq)).toEqual(Array.from({ length: EVENTS }, (_, n) => n + 1));
      await expect.poll(() => world.lines, { timeout: 20_000 }).toContain("GET /api/events: cut off, too slow");
      const heard = await stalled.untilHeard(STREAM_CLOSED[4008]);
      expect(heard.length).toBeLessThan((EVENTS * BYTES) / 2);
    },
  );

  test("that reads slowly reads the log at its own pace and gets everything", async () => {
    await using world = await serverWorld({ beatMs: 60_000 });
    const slow = await openRaw(world, "server-sent events");
    await makeNoise(world.roots[0] ?? "", { item: "f9", events: EVENTS, bytes: BYTES });
    let seen = "";
    const seqs: number[] = [];
    for await (const chunk of slow.socket) {
      seen += chunk;
      const whole = seen.lastIndexOf("\n") + 1;
      for (const [, seq] of seen.slice(0, whole).matchAll(/^data: \{"seq":(\d+),/gm)) seqs.push(Number(seq));
      seen = seen.slice(whole);
      if (seqs.at(-1) === EVENTS) break;
    }
    expect(seqs).toEqual(Array.from({ length: EVENTS }, (_, n) => n + 1));
  });
});

/** A connection that is opened by hand, and not read once it is open. */
async function openRaw(world: World, kind: "socket" | "server-sent events") {
  const { port, host } = new URL(world.server.url);
  const { ticket } = (await world.call("POST", "/api/events/ticket")).body as { ticket: string };
  const upgrade =
    kind === "socket"
      ? "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      : "";
  const socket: Socket = connect(Number(port), "127.0.0.1");
  socket.setEncoding("latin1");
  socket.write(`GET /api/events?ticket=${ticket} HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n`);
  const [first] = await once(socket, "data");
  expect(first).toMatch(kind === "socket" ? /^HTTP\/1.1 101/ : /^HTTP\/1.1 200/);
  socket.pause();
  socket.on("error", () => {});
  return {
    socket,
    async untilHeard(word: string): Promise<string> {
      let text = "";
      for await (const chunk of socket) {
        text += chunk;
        if (text.includes(word)) return text;
      }
      throw new Error(`closed without a word after ${text.length} characters: ${text.slice(-200)}`);
    },
  };
}
