import { annealClient } from "@anneal/client";
import { expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { ServedProject } from "../projects/served-project.ts";
import { followed } from "../testing/followed.ts";
import { serverWorld, type World } from "../testing/server-world.ts";

/** A stop that goes on until it is let go, so that there is time to come back during it. */
async function whileStopping(world: World, act: () => Promise<void>): Promise<void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const close = ServedProject.prototype.close;
  const spy = vi.spyOn(ServedProject.prototype, "close").mockImplementation(async function (this: ServedProject) {
    await held;
    await close.call(this);
  });
  const stopped = world.stop();
  try {
    await act();
  } finally {
    letGo();
    await stopped;
    spy.mockRestore();
  }
}

/** Comes with a ticket of before the stop, and tells what it heard and how that ended. */
function came(world: World, query: Record<string, string>): Promise<{ code: number; heard: string[] }> {
  const address = new URL("/api/events", world.server.url.replace("http", "ws"));
  for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value);
  const socket = new WebSocket(address);
  const heard: string[] = [];
  socket.on("message", (data) => heard.push(String(data)));
  socket.on("error", () => {});
  return new Promise((resolve) => socket.on("close", (code) => resolve({ code, heard })));
}

test("who asks while the server stops is told to come back, and never that something is not there", async () => {
  await using world = await serverWorld({ features: 1 });
  const [project = ""] = world.ids;
  await whileStopping(world, async () => {
    for (const [method, path] of [
      ["GET", "/api/projects"],
      ["GET", `/api/projects/${project}`],
      ["GET", `/api/projects/${project}/items`],
      ["GET", "/api/events"],
      ["POST", "/api/events/ticket"],
      ["POST", `/api/projects/${project}/items/f1/start`],
    ] as const) {
      const { status, body } = await world.call(method, path);
      expect([path, status, body]).toEqual([path, 503, expect.objectContaining({ code: "unavailable" })]);
    }
    expect((await world.call("GET", "/api/health")).status).toBe(200);
    expect(await world.call("GET", "/api/ready")).toMatchObject({ status: 503, body: { ready: false } });
  });
});

test.for([
  { what: "of one project", narrowed: true },
  { what: "of all projects", narrowed: false },
])(
  "a socket that comes while the server stops, for the events $what, hears nothing and is told to come back",
  async ({ narrowed }) => {
    await using world = await serverWorld();
    const [project = ""] = world.ids;
    const { ticket } = (await world.call("POST", "/api/events/ticket")).body as { ticket: string };
    await whileStopping(world, async () => {
      expect(await came(world, { ticket, ...(narrowed ? { project } : {}) })).toEqual({ code: 1001, heard: [] });
    });
  },
);

test.for([{ narrowed: true }, { narrowed: false }])(
  "a client that is cut off while the server stops is there again after the start, without a gap ($narrowed)",
  async ({ narrowed }) => {
    await using world = await serverWorld({ features: 2 });
    const [project = ""] = world.ids;
    const client = annealClient({ base: world.server.url, token: world.server.token });
    const one = followed(client, { ...(narrowed ? { project } : {}), delayMs: () => 20 });
    const ended = (item: string) => one.frames.some((frame) => frame.item === item && /approved$/.test(frame.type));
    await one.until(() => one.states.at(-1)?.kind === "live");
    await client.items.start({ params: { project, item: "f1" } });
    await one.until(() => ended("f1"));
    const cursor = one.stream.cursor;
    await whileStopping(world, async () => {
      const before = one.states.length;
      one.cut();
      const tries = () => one.states.slice(before).filter(({ kind }) => kind === "waiting").length;
      await one.until(() => tries() >= 3);
    });
    expect([one.states.at(-1)?.kind === "ended", one.stream.cursor]).toEqual([false, cursor]);
    await world.start();
    await one.until(() => one.states.at(-1)?.kind === "live");
    await client.items.start({ params: { project, item: "f2" } });
    await one.until(() => ended("f2"));
    const places = one.frames.map(({ seq, part }) => `${seq}.${part}`);
    expect(new Set(places).size).toBe(places.length);
    one.stream.close();
  },
);
