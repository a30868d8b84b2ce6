import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { LiveSettings } from "../settings/live-settings.ts";
import { serverWorld, type World } from "../testing/server-world.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;

/** The lines of changes so far, without their times. */
const changes = ({ lines }: World) => lines.flatMap((line) => (TIME.test(line) ? [line.replace(TIME, "")] : []));

async function loggedIn({ server }: World): Promise<string> {
  const answer = await fetch(server.loginUrl(), { redirect: "manual" });
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

test("a change leaves one line: when, who, what, and how it ended", async () => {
  await using world = await serverWorld();
  const [project = ""] = world.ids;
  const cookie = await loggedIn(world);
  const asBrowser = (method: string, path: string) =>
    fetch(`${world.server.url}${path}`, {
      method,
      headers: { cookie, "content-type": "application/json" },
      body: "{}",
    });
  await world.call("GET", "/api/projects");
  await world.call("PATCH", `/api/projects/${project}?x=secret`, { auto: false });
  await world.call("PATCH", "/api/projects/none", { auto: false }, { "x-api-key": "a wrong token" });
  await asBrowser("PATCH", `/api/projects/${project}`);
  await fetch(`${world.server.url}/api/logout`, { method: "POST", headers: { cookie } });
  const session = `session ${cookie.split("=")[1]?.slice(0, 8)}`;
  await expect
    .poll(() => changes(world))
    .toEqual([
      `token ada PATCH /api/projects/${project} 200 auto=false`,
      "nobody PATCH /api/projects/none 401",
      `${session} PATCH /api/projects/${project} 400`,
      `${session} POST /api/logout 204`,
    ]);
});

test("a line says which word was said, and about which item of which project", async () => {
  await using world = await serverWorld({ projects: 2 });
  const [project = "", other = ""] = world.ids;
  const [root] = world.roots;
  const note = "something private";
  await world.call("POST", `/api/projects/${project}/items/f1/signal`, { signal: "pause", note });
  await world.call("POST", `/api/projects/${project}/items/f1/signal`, { signal: "no such\nword", note });
  await world.call("POST", `/api/projects/${project}/items/f1/move`, { to: "backlog" });
  await world.call("POST", "/api/review-loop/f1/retry", { projectPath: root, note });
  await world.call("POST", "/api/review-loop/f1/retry", { projectPath: "/elsewhere\nPOST /x 200", note });
  await world.call("POST", "/api/code-review/generate-review", { projectPath: root, featureId: "none" });
  await expect.poll(() => changes(world)).toHaveLength(6);
  const said = changes(world).map((line) => line.replace(/ \d{3}/, ""));
  expect(said).toEqual([
    `token ada POST /api/projects/${project}/items/f1/signal signal=pause`,
    `token ada POST /api/projects/${project}/items/f1/signal`,
    `token ada POST /api/projects/${project}/items/f1/move to=backlog`,
    `token ada POST /api/review-loop/f1/retry project=${project}`,
    "token ada POST /api/review-loop/f1/retry",
    `token ada POST /api/code-review/generate-review project=${project} item=none`,
  ]);
  expect(world.lines.join("\n")).not.toContain(note);
  expect(project).not.toBe(other);
});

test("a change has its line, and only one, also where nobody waits for the answer", async () => {
  await using world = await serverWorld();
  const [project = ""] = world.ids;
  const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
  const { hostname, port, host } = new URL(world.server.url);
  const socket = connect(Number(port), hostname);
  const settings = LiveSettings.prototype.look;
  // Hangs up while the change is made, and the answer is sent to nobody.
  const spy = vi.spyOn(LiveSettings.prototype, "look").mockImplementation(async function (this: LiveSettings, root) {
    socket.destroy();
    await gone;
    await settings.call(this, root);
  });
  onTestFinished(() => spy.mockRestore());
  const { headers } = await world.call("GET", `/api/projects/${project}/settings`);
  const body = JSON.stringify({ maxConcurrency: 2 });
  socket.write(
    [
      `PATCH /api/projects/${project}/settings HTTP/1.1`,
      `Host: ${host}`,
      `X-API-Key: ${world.token}`,
      `If-Match: ${headers.get("etag")}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}\r\n\r\n${body}`,
    ].join("\r\n"),
  );
  await expect.poll(() => changes(world)).toEqual([`token ada PATCH /api/projects/${project}/settings hung up`]);
  isGone();
  await world.stop();
  expect(changes(world)).toHaveLength(1);
});

test("words of no kind that was asked for are left out, whatever they are", async () => {
  await using world = await serverWorld();
  const [project = ""] = world.ids;
  const path = `/api/projects/${project}/items/f1/signal`;
  for (const signal of [{ toString: "" }, ["pause"], 7, null]) await world.call("POST", path, { signal });
  await expect.poll(() => changes(world)).toEqual(Array.from({ length: 4 }, () => `token ada POST ${path} 400`));
});
