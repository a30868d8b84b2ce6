import { describe, expect, test, vi } from "vitest";
import { type EventStreamOptions, eventStream, type SocketHandlers, type StreamState } from "./events.ts";
import { ApiProblem } from "./problem.ts";

interface Opened extends SocketHandlers {
  address: URL;
  closed: boolean;
  say(message: object): void;
}

/** A server on paper: the test opens, says and closes. */
function paper(options: Partial<EventStreamOptions> = {}, ticket: () => Promise<string> = async () => "t") {
  const sockets: Opened[] = [];
  const states: StreamState[] = [];
  const heard: string[] = [];
  const stream = eventStream({ base: "https://here" }, async () => ({ ticket: await ticket(), expiresAt: 0 }), {
    delayMs: () => 0,
    onFrame: ({ project, seq, part }) => heard.push(`${project} ${seq}.${part}`),
    onState: (state) => states.push(state),
    connect(address, ears) {
      const opened: Opened = {
        ...ears,
        address: new URL(address),
        closed: false,
        say: (message) => ears.onMessage(JSON.stringify(message)),
      };
      sockets.push(opened);
      return () => {
        opened.closed = true;
      };
    },
    ...options,
  });
  const socket = async (n: number) => {
    await vi.waitFor(() => expect(sockets.length).toBeGreaterThan(n));
    return sockets[n] as Opened;
  };
  return { stream, sockets, states, heard, socket };
}

const frame = (seq: number, part = 0, project = "p") => ({
  ...{ seq, part, project, type: "loop:x", payload: null, loop: "l", item: "i", cursor: `${project}.${seq}.${part}` },
});
const caughtUp = (replayed: number, cursor: string) => ({ type: "stream:caught-up", payload: { replayed, cursor } });

describe("a stream of events", () => {
  test("asks for what is wanted, with a ticket", async () => {
    const { socket, stream } = paper({ project: "p-1", loop: "l", since: "p-1.3.0", onActivity: () => {} });
    const { address } = await socket(0);
    expect(address.origin + address.pathname).toBe("wss://here/api/events");
    expect(Object.fromEntries(address.searchParams)).toEqual({
      ...{ project: "p-1", loop: "l", since: "p-1.3.0", activity: "true", ticket: "t" },
    });
    stream.close();
  });

  test("goes on from the last position after a break, and drops what it has received already", async () => {
    const { socket, heard, states, stream } = paper();
    const first = await socket(0);
    first.say({ type: "stream:opened", payload: { beatMs: 1_000_000 } });
    first.say(caughtUp(0, "p.4.9"));
    first.say(frame(5));
    first.say(frame(5, 1));
    first.onClose(1006, "");
    first.say(frame(6));
    const second = await socket(1);
    expect(second.address.searchParams.get("since")).toBe("p.5.1");
    second.say(frame(5, 1));
    second.say(frame(2));
    second.say(frame(6));
    second.say(frame(1, 0, "q"));
    second.say(caughtUp(4, "c"));
    expect(heard).toEqual(["p 5.0", "p 5.1", "p 6.0", "q 1.0"]);
    expect(states).toEqual([
      { kind: "connecting", attempt: 1 },
      { kind: "replaying" },
      { kind: "live", replayed: 0 },
      { kind: "waiting", attempt: 1, delayMs: 0, reason: "the connection broke (1006)" },
      { kind: "connecting", attempt: 2 },
      { kind: "live", replayed: 4 },
    ]);
    stream.close();
  });

  test.for([
    { what: "caught up", note: caughtUp(0, "here") },
    { what: "a sign of life", note: { type: "stream:beat", payload: { cursor: "here" } } },
  ])("that received nothing but $what goes on from there", async ({ note }) => {
    const { socket, stream } = paper();
    (await socket(0)).say(note);
    (await socket(0)).onClose(1001, "the server is shutting down");
    expect((await socket(1)).address.searchParams.get("since")).toBe("here");
    expect(stream.cursor).toBe("here");
    stream.close();
  });

  test.for([
    { what: "caught up", note: caughtUp(0, "") },
    { what: "caught up nowhere", note: { type: "stream:caught-up", payload: { replayed: 0 } } },
    { what: "a sign of life", note: { type: "stream:beat", payload: { cursor: "" } } },
  ])("that gets no position with $what keeps the one that it has", async ({ note }) => {
    const { socket, stream } = paper({ since: "" });
    expect((await socket(0)).address.searchParams.has("since")).toBe(false);
    (await socket(0)).say(caughtUp(0, "here"));
    (await socket(0)).say(note);
    (await socket(0)).onClose(1001, "the server is shutting down");
    expect((await socket(1)).address.searchParams.get("since")).toBe("here");
    expect(stream.cursor).toBe("here");
    stream.close();
  });

  test.for([
    { code: 4409, why: "wrong-cursor" },
    { code: 4401, why: "logged-out" },
    { code: 4400, why: "refused" },
  ])("that is closed with $code ends: $why", async ({ code, why }) => {
    const { socket, states, sockets } = paper();
    (await socket(0)).onClose(code, "because");
    expect(states.at(-1)).toEqual({ kind: "ended", why, reason: "because" });
    expect(sockets).toHaveLength(1);
  });

  test("waits longer each time that the server does not answer, and begins anew after a good connection", async () => {
    let failing = 3;
    const asked: number[] = [];
    const { socket, stream } = paper({ delayMs: (attempt) => 0 * asked.push(attempt) }, async () => {
      if (failing-- > 0) throw new ApiProblem("unreachable", "no answer");
      return "t";
    });
    (await socket(0)).say(caughtUp(0, "c"));
    (await socket(0)).onClose(1006, "");
    await socket(1);
    expect(asked).toEqual([1, 2, 3, 1]);
    stream.close();
  });

  test("whose ticket is refused ends", async () => {
    const { states } = paper({}, () => Promise.reject(new ApiProblem("unauthorised", "log in")));
    await vi.waitFor(() => expect(states.at(-1)).toEqual({ kind: "ended", why: "logged-out", reason: "log in" }));
  });

  test("that has gone silent is opened again", async () => {
    vi.useFakeTimers();
    try {
      const { sockets, states, stream } = paper();
      await vi.advanceTimersByTimeAsync(1);
      sockets[0]?.say({ type: "stream:opened", payload: { beatMs: 1_000 } });
      for (let n = 0; n < 10; n += 1) {
        await vi.advanceTimersByTimeAsync(1_000);
        sockets[0]?.say({ type: "stream:beat", payload: { cursor: "c" } });
      }
      expect(sockets).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(5_000);
      expect([sockets[0]?.closed, sockets.length]).toEqual([true, 2]);
      expect(states).toContainEqual(
        expect.objectContaining({ kind: "waiting", reason: expect.stringContaining("the server sent nothing") }),
      );
      stream.close();
      expect(sockets[1]?.closed).toBe(true);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(sockets).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });
});
