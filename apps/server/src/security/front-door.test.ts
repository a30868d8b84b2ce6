import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { annealClient } from "@anneal/client";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { serve } from "../index.ts";
import { wire } from "../testing/document.ts";
import { serverWorld } from "../testing/server-world.ts";

describe("who starts a server that other machines reach", () => {
  test.for([
    { host: "0.0.0.0", token: undefined, says: /0\.0\.0\.0 is reachable from other machines: set a token/ },
    { host: "::", token: "", says: /reachable from other machines/ },
    { host: "192.0.2.1", token: undefined, says: /reachable from other machines/ },
    { host: "0.0.0.0", token: " ".repeat(20), says: /ANNEAL_TOKEN is too short/ },
    { host: "0.0.0.0", token: "short", says: /ANNEAL_TOKEN is too short/ },
  ])("at $host with the token $token is told what is missing", async ({ host, token, says }) => {
    const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-door-")));
    await expect(serve({ host, port: 0, projects: [], token, dataDir, onLine: () => {} })).rejects.toThrow(says);
    rmSync(dataDir, { recursive: true });
  });

  test("with a token of theirs gets it", async () => {
    const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-door-")));
    const token = "a token of the user's own";
    const server = await serve({ host: "0.0.0.0", port: 0, projects: [], token, dataDir, onLine: () => {} });
    const { port } = new URL(server.url);
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${port}/api/projects`, { headers })).status;
    expect([await ask({ "x-api-key": token }), await ask({ authorization: `Bearer ${token}` })]).toEqual([200, 200]);
    expect([await ask({}), await ask({ "x-api-key": `${token} ` }), await ask({ "x-api-key": "x" })]).toEqual([
      401, 200, 401,
    ]);
    await server.close();
    rmSync(dataDir, { recursive: true });
  });

  test("finds the token that was made for them in a file that only they can read", async () => {
    await using world = await serverWorld();
    const path = join(world.folder, "data", "server-token");
    expect(readFileSync(path, "utf8").trim()).toBe(world.server.token);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe("a ticket", () => {
  test("lets one socket in, and no second one", async () => {
    await using world = await serverWorld();
    const { ticket } = await annealClient({ base: world.server.url, token: world.server.token }).server.ticket();
    const address = `${world.server.url.replace("http", "ws")}/api/events?ticket=${ticket}`;
    const open = () =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address);
        socket.on("open", () => {
          resolve("open");
          socket.terminate();
        });
        socket.on("unexpected-response", (_request, response) => resolve(String(response.statusCode)));
        socket.on("error", () => {});
      });
    expect([await open(), await open()]).toEqual(["open", "401"]);
  });

  test("opens nothing but the stream", async () => {
    await using world = await serverWorld();
    const { ticket } = await annealClient({ base: world.server.url, token: world.server.token }).server.ticket();
    const http = wire(world);
    for (const path of [
      "/api/projects",
      "/api/events/ticket",
      "/api/events/../projects",
      "//api/events",
      "/api/docs/json",
    ])
      expect((await http.send({ method: "GET", path: `${path}?ticket=${ticket}`, headers: {} })).status).toBe(401);
    http.close();
  });

  test("is no use from another site: a socket with a foreign Origin is refused", async () => {
    await using world = await serverWorld();
    const { ticket } = await annealClient({ base: world.server.url, token: world.server.token }).server.ticket();
    const status = await new Promise((resolve) => {
      const socket = new WebSocket(`${world.server.url.replace("http", "ws")}/api/events?ticket=${ticket}`, {
        origin: "https://evil.example",
      });
      socket.on("unexpected-response", (_request, response) => resolve(response.statusCode));
      socket.on("open", () => resolve("open"));
      socket.on("error", () => {});
    });
    expect(status).toBe(403);
  });
});

test("a browser that logs out hears nothing more", async () => {
  await using world = await serverWorld({ beatMs: 20 });
  const first = await fetch(world.server.loginUrl(), { redirect: "manual" });
  const cookie = (first.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const closed = new Promise<number>((resolve) => {
    const socket = new WebSocket(`${world.server.url.replace("http", "ws")}/api/events`, { headers: { cookie } });
    socket.on("open", () => void fetch(`${world.server.url}/api/logout`, { method: "POST", headers: { cookie } }));
    socket.on("close", (code) => resolve(code));
  });
  expect(await closed).toBe(4_401);
});

test("who asks too often is asked to wait, also without credentials, and is heard again later", async () => {
  await using world = await serverWorld({ requestsPerMinute: 12 });
  const statuses: number[] = [];
  let wait: string | null = null;
  for (let n = 0; n < 20; n += 1) {
    const { status, headers, body } = await world.call("GET", "/api/projects", undefined, { "x-api-key": "guess" });
    statuses.push(status);
    if (status !== 429) continue;
    wait = headers.get("retry-after");
    expect(body).toMatchObject({ success: false, code: "too-many" });
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(Number(wait)).toBeGreaterThan(0);
});

test("whoever is turned away again and again locks out nobody but those without credentials", async () => {
  await using world = await serverWorld({ requestsPerMinute: 12, pages: null });
  const first = await fetch(world.server.loginUrl(), { redirect: "manual" });
  const cookie = (first.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const ask = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${world.server.url}${path}`, { headers, redirect: "manual" })).status;
  const guess = { "x-api-key": "guess" };
  for (let n = 0; n < 40; n += 1) await ask("/api/projects", guess);
  for (let n = 0; n < 40; n += 1) await ask("/api/events?ticket=guess", {});
  expect([await ask("/api/projects", guess), await ask("/api/events?ticket=guess", {})]).toEqual([429, 429]);
  expect(await ask("/api/projects", { "x-api-key": world.server.token })).toBe(200);
  expect(await ask("/api/projects", { cookie })).toBe(200);
  expect(new URL(world.server.loginUrl()).pathname).toBe("/login");
  expect((await fetch(world.server.loginUrl(), { redirect: "manual" })).status).toBe(302);
  const { ticket } = await annealClient({ base: world.server.url, token: world.server.token }).server.ticket();
  const opened = await new Promise((resolve) => {
    const socket = new WebSocket(`${world.server.url.replace("http", "ws")}/api/events?ticket=${ticket}`);
    socket.on("unexpected-response", (_request, response) => resolve(response.statusCode));
    socket.on("error", () => {});
    socket.on("open", () => {
      resolve("open");
      socket.terminate();
    });
  });
  expect(opened).toBe("open");
});

test("whoever asks too often with credentials is asked to wait, and takes nothing from others", async () => {
  await using world = await serverWorld({ requestsPerMinute: 12 });
  const first = await fetch(world.server.loginUrl(), { redirect: "manual" });
  const cookie = (first.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1) statuses.push((await world.call("GET", "/api/projects")).status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await fetch(`${world.server.url}/api/projects`, { headers: { cookie } })).status).toBe(200);
});

test("whether the server lives can be asked as often as one likes", async () => {
  await using world = await serverWorld({ requestsPerMinute: 5 });
  const statuses = new Set<number>();
  for (let n = 0; n < 20; n += 1) statuses.add((await fetch(`${world.server.url}/api/health`)).status);
  expect(statuses).toEqual(new Set([200]));
});

test("a data folder that is not there is made at the start, for this user alone", async () => {
  await using world = await serverWorld({ token: "a token of the user's own" });
  const { headers } = await world.call("GET", "/api/settings");
  const tag = { "if-match": headers.get("etag") ?? "" };
  expect((await world.call("PATCH", "/api/settings", { maxConcurrency: 2 }, tag)).status).toBe(200);
  expect(statSync(join(world.folder, "data")).mode & 0o777).toBe(0o700);
});

test.for([
  { what: "a budget that cannot be read", settings: '{"budgets":"none"}', ready: false },
  { what: "no JSON", settings: "{", ready: false },
  { what: "a value that keeps no loop from starting", settings: '{"maxConcurrency":"many"}', ready: true },
])("a server whose project has settings with $what is ready: $ready", async ({ settings, ready }) => {
  await using world = await serverWorld();
  writeFileSync(join(world.roots[0] ?? "", ".automaker/settings.json"), settings);
  const { status, body } = await world.call("GET", "/api/ready");
  expect(status).toBe(ready ? 200 : 503);
  const said = ready ? [] : [expect.stringContaining("settings.json")];
  expect(body).toMatchObject({ ready, projects: [{ ready, settings: said }] });
});

test("every change has a line, without anything secret; reading has none", async () => {
  await using world = await serverWorld();
  const [project = ""] = world.ids;
  const before = world.lines.length;
  await world.call("GET", "/api/projects");
  await world.call("PATCH", `/api/projects/${project}?x=secret`, { auto: false });
  await world.call("PATCH", "/api/projects/none", { auto: false }, { "x-api-key": "a wrong token" });
  await expect
    .poll(() => world.lines.slice(before))
    .toEqual([
      expect.stringMatching(`^[\\dTZ:.-]{24} token ada PATCH /api/projects/${project} 200 auto=false$`),
      expect.stringMatching("^[\\dTZ:.-]{24} nobody PATCH /api/projects/none 401$"),
    ]);
});

test("what a request says comes back in no header, and no line is broken by it", async () => {
  await using world = await serverWorld();
  const http = wire(world);
  const headers = { "x-api-key": world.server.token };
  const nasty = "%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a";
  for (const path of [`/api/projects/${nasty}`, `/login?code=${nasty}`, `/api/events?since=${nasty}`, `/${nasty}`]) {
    const answer = await http.send({ method: "GET", path, headers });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  }
  await http.send({ method: "POST", path: `/api/projects/${nasty}/items/f1/start`, headers });
  await expect.poll(() => world.lines.some((line) => /^\S+ token POST \/api\/projects\/%0d%0a/.test(line))).toBe(true);
  expect(world.lines.join("")).not.toMatch(/[\r\n]Set-Cookie/);
  http.close();
});

test("who has logged in sees what is served and where it is described", async () => {
  await using world = await serverWorld({ projects: 2 });
  const { status, headers, body } = await world.call("GET", "/");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  for (const part of ["2 projects", ...world.ids, 'href="/api/docs"']) expect(body).toContain(part);
});

test("a server is ready when its projects are open, and says why where one is not", async () => {
  await using world = await serverWorld({ projects: 2 });
  const client = annealClient({ base: world.server.url, token: world.server.token });
  expect(await client.server.health()).toEqual({ status: "ok" });
  const { ready, projects } = await client.server.ready();
  expect([ready, projects.map(({ id }) => id)]).toEqual([true, world.ids]);
  expect(projects[0]).toMatchObject({ owner: "this-server", log: { lastSeq: 0 }, ready: true });
  rmSync(world.roots[1] ?? "", { recursive: true, force: true });
  const { status, body } = await world.call("GET", "/api/ready");
  expect(status).toBe(503);
  expect(body).toMatchObject({ ready: false, projects: [{ ready: true }, { ready: false, freeBytes: null }] });
});
