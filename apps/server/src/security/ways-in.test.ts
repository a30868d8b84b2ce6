import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf, type Operation, operationsOf, wire } from "../testing/document.ts";
import { serverWorld, type World } from "../testing/server-world.ts";

const PAGE = "<!doctype html><title>Board</title>";

/** A server as people run it: with the pages of the board. */
let world: World;
let pages: string;
let operations: Operation[];
let http: ReturnType<typeof wire>;

beforeAll(async () => {
  pages = mkdtempSync(join(tmpdir(), "anneal-pages-"));
  mkdirSync(join(pages, "assets"));
  writeFileSync(join(pages, "index.html"), PAGE);
  writeFileSync(join(pages, "assets", "a.js"), "export {};");
  world = await serverWorld({ pages });
  operations = operationsOf(await documentOf(world));
  http = wire(world);
});
afterAll(async () => {
  http.close();
  await world[Symbol.asyncDispose]();
  rmSync(pages, { recursive: true });
});

const send = async (method: string, path: string, headers: Record<string, string> = {}) =>
  (await http.send({ method, path, headers })).status;
const filledIn = (path: string) => path.replace("{project}", world.ids[0] ?? "").replaceAll(/\{\w+\}/g, "f1");

const WAYS: Record<string, (path: string) => string> = {
  "as it is": (path) => path,
  "with its first letter encoded": (path) => path.replace("/api", "/%61pi"),
  "with every letter of its first part encoded": (path) => path.replace("/api", "/%61%70%69"),
  "with an encoded slash": (path) => path.replace("/api/", "/api%2f"),
  "in capitals": (path) => path.replace("/api", "/API"),
  "with two slashes": (path) => `/${path}`,
  "with a dot": (path) => `/.${path}`,
  "by way of a page": (path) => `/p/..${path}`,
  "by way of an encoded page": (path) => `/p/%2e%2e${path}`,
  "by way of a file": (path) => `/assets/..${path}`,
  "in absolute form": (path) => `http://elsewhere.example${path}`,
  "in absolute form with our own name": (path) => `${world.server.url}${path}`,
  "with a semicolon": (path) => `${path};a=b`,
  "with a slash behind it": (path) => `${path}/`,
  "with the query of a ticket": (path) => `${path}?ticket=x`,
  "with the query of a login": (path) => `${path}?code=x`,
};

describe.for(Object.entries(WAYS))("an address that is written %s", ([, way]) => {
  test("lets nobody in without credentials, on any route", async () => {
    const inside: string[] = [];
    for (const { method, path } of operations) {
      if (path === "/api/health") continue;
      const headers = { "content-type": "application/json" };
      const { status, text } = await http.send({ method, path: way(filledIn(path)), headers });
      if (![400, 401, 404].includes(status) && text !== PAGE) inside.push(`${method} ${path}: ${status}`);
    }
    expect(inside).toEqual([]);
  });
});

test("every route is closed unless it says otherwise, and only the pages, the login and the sign of life do", async () => {
  const open = [];
  for (const path of ["/", "/p/any/review/f1", "/assets/a.js", "/index.html", "/api/health", "/login?code=x"])
    open.push([path, await send("GET", path)]);
  expect(open).toEqual([
    ["/", 200],
    ["/p/any/review/f1", 200],
    ["/assets/a.js", 200],
    ["/index.html", 200],
    ["/api/health", 200],
    ["/login?code=x", 401],
  ]);
  for (const path of ["/api/docs", "/api/docs/json", "/api/ready", "/nowhere", "/api/nowhere"])
    expect([path, await send("GET", path)]).toEqual([path, 401]);
});

test("who asks only for the headers of a login link does not use it up", async () => {
  const link = new URL(world.server.loginUrl());
  await send("HEAD", `${link.pathname}${link.search}`);
  expect(await send("GET", `${link.pathname}${link.search}`)).toBe(302);
});

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test.for([
  { path: "/foo/bar", who: "somebody", status: 404 },
  { path: "/foo/bar", who: "nobody", status: 401 },
  { path: "/p", who: "somebody", status: 404 },
])("a browser of $who that asks for $path gets the pages, with $status", async ({ path, who, status }) => {
  const headers = who === "nobody" ? BROWSER : { ...BROWSER, "x-api-key": world.server.token };
  const answer = await http.send({ method: "GET", path, headers });
  expect([answer.status, answer.text]).toEqual([status, PAGE]);
  expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(answer.headers["content-security-policy"]).toContain("default-src 'self'");
});

test.for([
  { path: "/api/nowhere", headers: BROWSER, status: 404 },
  { path: "/%61pi/nowhere", headers: BROWSER, status: 404 },
  { path: "//api/nowhere", headers: BROWSER, status: 404 },
  { path: "/foo/bar", headers: { accept: "application/json" }, status: 404 },
  { path: "/foo/bar", headers: {}, status: 404 },
  { path: "/foo/%zz", headers: {}, status: 400 },
  { path: "/api/%zz", headers: BROWSER, status: 400 },
])("$path with $headers is answered in JSON, with $status", async ({ path, headers, status }) => {
  const asked = { ...headers, "x-api-key": world.server.token } as Record<string, string>;
  const answer = await http.send({ method: "GET", path, headers: asked });
  expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { success: false }]);
  expect(answer.headers["content-security-policy"]).toContain("default-src 'self'");
});

test.for([
  { path: "/foo/%zz", to: "/foo/%25zz" },
  { path: "/p/x/review/100%?tab=diff", to: "/p/x/review/100%25?tab=diff" },
  { path: "/p/%ff", to: "/p/%25ff" },
  { path: "//evil.example/%zz", to: "/evil.example/%25zz" },
  { path: "/\\evil.example/%zz", to: "/evil.example/%25zz" },
])("a browser that asks for $path is sent to $to, on this server", async ({ path, to }) => {
  const answer = await http.send({ method: "GET", path, headers: BROWSER });
  expect([answer.status, answer.headers.location]).toEqual([302, to]);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
});
