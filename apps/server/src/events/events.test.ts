import { ProgressFrame } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { makeNoise } from "../testing/noise.ts";
import { listen, type SeenFrame, serverWorld } from "../testing/server-world.ts";
import { cursorOf, readCursor } from "./cursor.ts";

describe("a cursor", () => {
  test("comes back as it went, over several projects", () => {
    const positions = { "a-1": { seq: 12, part: 0 }, "b-2": { seq: 0, part: 3 } };
    expect(readCursor(cursorOf(positions), ["a-1", "b-2"])).toEqual(positions);
  });

  test("may be a number where there is one project", () => {
    expect(readCursor("7", ["a"])).toEqual({ a: { seq: 7, part: 1_000_000 } });
    expect(readCursor("7", ["a", "b"])).toBeNull();
  });

  test.for(["", "x", "-1", "1e9", "W10x", "bnVsbA", "WzFd", "W1siYSIsLTEsMF1d", "9".repeat(40)])(
    "%s is none",
    (text) => {
      expect(readCursor(text, ["a"])).toBeNull();
    },
  );
});

const ended = (item: string) => (frames: SeenFrame[]) =>
  frames.some((frame) => frame.item === item && frame.type === "loop:committed") &&
  frames.some((frame) => frame.item === item && frame.type === "feature:code-review-approved");

const places = (frames: SeenFrame[]) => frames.map(({ project, seq, type }) => `${project} ${seq} ${type}`);

describe("the event stream", () => {
  test("tells what happens, in the order of the log, in the loop's words and in the seed's", async () => {
    await using world = await serverWorld();
    const stream = await listen(world);
    await world.call("POST", `/api/projects/${world.ids[0]}/items/f1/start`);
    await stream.until(ended("f1"));
    const types = stream.frames.map(({ type }) => type);
    expect(types[0]).toBe("loop:loop-started");
    expect(types).toEqual(expect.arrayContaining(["feature:code-review-started", "feature:code-review-completed"]));
    const seqs = stream.frames.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(new Set(seqs).size).toBe(seqs.at(-1));
  });

  test("tells what a reviewer says to whoever listens then, of what they want to hear, and never again", async () => {
    await using world = await serverWorld({ features: 2 });
    const [project = ""] = world.ids;
    const live = await listen(world);
    const others = await listen(world, { project, item: "f2" });
    await world.call("POST", `/api/projects/${project}/items/f1/start`);
    await live.until(ended("f1"));
    const [first] = live.said;
    expect(ProgressFrame.parse(first)).toEqual(first);
    expect(first).toMatchObject({
      ...{ type: "feature:code-review-progress", project, loop: "f1~1", item: "f1" },
      payload: { featureId: "f1", iterationNumber: 1, message: expect.stringContaining("[APPROVED]") },
    });
    await world.call("POST", `/api/projects/${project}/items/f2/start`);
    await others.until(ended("f2"));
    expect(others.said).toMatchObject([{ item: "f2" }]);
    const later = await listen(world, { project, since: "0" });
    await later.until((frames) => frames.length >= live.frames.length);
    expect(later.said).toEqual([]);
  });

  test("goes on after any frame of it, without gaps or doubles", async () => {
    await using world = await serverWorld();
    const live = await listen(world);
    await world.call("POST", `/api/projects/${world.ids[0]}/items/f1/start`);
    await live.until(ended("f1"));
    for (const [index, { cursor }] of live.frames.entries()) {
      const rest = live.frames.slice(index + 1);
      const again = await listen(world, { since: cursor });
      await again.until((frames) => frames.length >= rest.length);
      expect(places(again.frames)).toEqual(places(rest));
      again.close();
    }
  });

  test("replays a project from the start, and one loop or item alone", async () => {
    await using world = await serverWorld({ features: 2 });
    const [project = ""] = world.ids;
    const live = await listen(world);
    for (const item of ["f1", "f2"]) await world.call("POST", `/api/projects/${project}/items/${item}/start`);
    await live.until((frames) => ended("f1")(frames) && ended("f2")(frames));
    const all = await listen(world, { project, since: "0" });
    await all.until((frames) => frames.length >= live.frames.length);
    expect(places(all.frames)).toEqual(places(live.frames));
    const one = await listen(world, { project, since: "0", item: "f2" });
    const wanted = live.frames.filter(({ item }) => item === "f2");
    await one.until((frames) => frames.length >= wanted.length);
    expect(places(one.frames)).toEqual(places(wanted));
  });

  test("carries several projects, each in its own order, with one cursor for all", async () => {
    await using world = await serverWorld({ projects: 2 });
    const live = await listen(world);
    for (const id of world.ids) await world.call("POST", `/api/projects/${id}/items/f1/start`);
    await live.until((frames) => world.ids.every((id) => ended("f1")(frames.filter(({ project }) => project === id))));
    const middle = live.frames[Math.floor(live.frames.length / 2)];
    const again = await listen(world, { since: middle?.cursor ?? "" });
    const rest = live.frames.slice(live.frames.indexOf(middle as SeenFrame) + 1);
    await again.until((frames) => frames.length >= rest.length);
    expect(places(again.frames).sort()).toEqual(places(rest).sort());
  });

  test("is also there as server-sent events", async () => {
    await using world = await serverWorld();
    const [project] = world.ids;
    const live = await listen(world);
    await world.call("POST", `/api/projects/${project}/items/f1/start`);
    await live.until(ended("f1"));
    const stop = new AbortController();
    const response = await fetch(`${world.server.url}/api/events?project=${project}&since=0`, {
      headers: { "x-api-key": world.server.token },
      signal: stop.signal,
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const frames: SeenFrame[] = [];
    let text = "";
    for await (const part of response.body ?? []) {
      text += Buffer.from(part).toString("utf8");
      frames.splice(
        0,
        frames.length,
        ...[...text.matchAll(/^data: (\{"seq".*)\n/gm)].map(([, json = ""]) => JSON.parse(json)),
      );
      if (frames.length >= live.frames.length) break;
    }
    stop.abort();
    expect(places(frames)).toEqual(places(live.frames));
  });

  test.for([
    { what: "a cursor", since: "ahead", says: /last event of project-1-\w+ \(\d+\), so it is from another log/ },
    { what: "a number", since: "99999", says: /start again without it/ },
  ])("says that $what beyond the end is of another log", async ({ since, says }) => {
    await using world = await serverWorld();
    const [project = ""] = world.ids;
    const given = since === "ahead" ? cursorOf({ [project]: { seq: 12_345, part: 0 } }) : since;
    const { status, body } = await world.call("GET", `/api/events?project=${project}&since=${given}`);
    expect([status, body]).toMatchObject([409, { code: "conflict", error: expect.stringMatching(says) }]);
    const { closed } = await listen(world, { project, since: given });
    expect(await closed).toEqual({ code: 4_409, reason: expect.stringMatching(says) });
  });

  test("goes on after Last-Event-ID, and says how much of the past it told", async () => {
    await using world = await serverWorld();
    const [project = ""] = world.ids;
    await makeNoise(world.roots[0] ?? "", { item: "f9", events: 30 });
    const open = (headers: Record<string, string>) =>
      fetch(`${world.server.url}/api/events?project=${project}&activity=false`, {
        headers: { "x-api-key": world.server.token, ...headers },
      });
    const id = cursorOf({ [project]: { seq: 20, part: 0 } });
    const response = await open({ "last-event-id": id });
    let text = "";
    for await (const part of response.body ?? []) {
      text += Buffer.from(part).toString("utf8");
      if (text.includes("event: stream:caught-up") && text.endsWith("\n\n")) break;
    }
    expect([...text.matchAll(/^data: \{"seq":(\d+)/gm)].map(([, seq]) => Number(seq))).toEqual([
      21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
    ]);
    const last = cursorOf({ [project]: { seq: 30, part: 0 } });
    expect(text).toContain(
      `id: ${last}\nevent: stream:caught-up\ndata: ${JSON.stringify({ replayed: 10, cursor: last })}\n`,
    );
    expect((await open({ "last-event-id": "?" })).status).toBe(400);
  });

  test("ends with the reason when the server stops", async () => {
    const world = await serverWorld();
    const stream = await listen(world);
    await world[Symbol.asyncDispose]();
    expect(await stream.closed).toEqual({ code: 1_001, reason: expect.stringContaining("shutting down") });
  });

  test.for([
    { what: "a ticket that was used", query: { ticket: "used" }, code: 401 },
    { what: "a ticket that nobody gave", query: { ticket: "x" }, code: 401 },
    { what: "no ticket", query: {}, code: 401 },
  ])("is closed to $what", async ({ query, code }) => {
    await using world = await serverWorld();
    const { ticket = "" } = query as { ticket?: string };
    const first = (await world.call("POST", "/api/events/ticket")).body as { ticket: string };
    const given = ticket === "used" ? first.ticket : ticket;
    const once = async () =>
      (
        await fetch(`${world.server.url}/api/events${given === "" ? "" : `?ticket=${given}`}`, {
          signal: AbortSignal.timeout(5_000),
        })
      ).status;
    if (ticket === "used") {
      const socket = new WebSocket(`${world.server.url.replace("http", "ws")}/api/events?ticket=${given}`);
      await new Promise((resolve) => {
        socket.onopen = resolve;
      });
      socket.close();
    }
    expect(await once()).toBe(code);
  });

  test("is closed to the ticket of a session that has ended, and closes with its session", async () => {
    await using world = await serverWorld({ beatMs: 20 });
    const { url } = world.server;
    const login = await fetch(world.server.loginUrl(), { redirect: "manual" });
    const cookie = (login.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const post = (path: string) => fetch(`${url}${path}`, { method: "POST", headers: { cookie } });
    const ticket = async () => ((await (await post("/api/events/ticket")).json()) as { ticket: string }).ticket;
    // No cookie comes with these: the ticket alone says whose they are.
    const open = (given: string) => new WebSocket(`${url.replace("http", "ws")}/api/events?ticket=${given}`);
    const [early, late] = [await ticket(), await ticket()];
    const socket = open(early);
    await new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }));
    const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
    expect((await post("/api/logout")).status).toBe(204);
    expect(await closed).toBe(4_401);
    expect((await fetch(`${url}/api/events?ticket=${late}`)).status).toBe(401);
  });
});
