import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { annealClient } from "@anneal/client";
import { STREAM_CLOSED } from "@anneal/types";
import { expect, test } from "vitest";
import { type Followed, followed, logOf, placeOf } from "../testing/followed.ts";
import { freePort, serveProcess, TOKEN } from "../testing/served-process.ts";
import { makeProject } from "../testing/server-world.ts";

const LOOPS = 6;
const AGENT_MS = 30;

const approved = ({ frames }: Followed) =>
  new Set(frames.filter(({ type }) => type === "feature:code-review-approved").map(({ item }) => item)).size;

/** A place for a server that comes and goes, and two clients that stay. */
async function stage() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-process-")));
  const root = makeProject(join(folder, "project"), LOOPS, AGENT_MS);
  const port = await freePort();
  const client = annealClient({ base: `http://127.0.0.1:${port}`, token: TOKEN });
  const open = () => serveProcess(folder, [root], port);
  const begin = async () => {
    const project = (await client.projects.list()).projects[0]?.id ?? "";
    const listeners = [followed(client, { project, since: "0" }), followed(client)];
    await Promise.all(listeners.map((one) => one.until(() => one.states.at(-1)?.kind === "live")));
    for (let n = 1; n <= LOOPS; n += 1) await client.items.start({ params: { project, item: `f${n}` } });
    return { project, listeners };
  };
  return {
    root,
    client,
    open,
    begin,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function endsWithTheLog(root: string, project: string, listeners: Followed[]): Promise<void> {
  await Promise.all(listeners.map((one) => one.until(() => approved(one) === LOOPS)));
  const log = await logOf(root, project);
  for (const one of listeners) {
    await one.until(() => one.frames.length >= log.length);
    expect(one.frames.map(placeOf)).toEqual(log);
    one.stream.close();
  }
}

test("kill -9 of the server during a busy run: clients resume, no event is lost or doubled, loops go on", async () => {
  using place = await stage();
  let server = await place.open();
  const { project, listeners } = await place.begin();
  for (const approvals of [1, 3]) {
    await Promise.all(listeners.map((one) => one.until(() => approved(one) >= approvals)));
    const before = listeners.map(({ states }) => states.length);
    server.child.kill("SIGKILL");
    expect(await server.ended).toBeNull();
    await Promise.all(listeners.map((one, n) => one.until(() => one.states.length > (before[n] ?? 0))));
    server = await place.open();
  }
  await endsWithTheLog(place.root, project, listeners);
  await server[Symbol.asyncDispose]();
});

test("a server that is told to stop parks its loops, says why to those who listen, and goes on at the next start", async () => {
  using place = await stage();
  const first = await place.open();
  const { project, listeners } = await place.begin();
  await Promise.all(listeners.map((one) => one.until(() => approved(one) >= 1)));
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  expect(first.said()).toContain("parking the loops");
  for (const one of listeners) {
    await one.until(() => one.states.some(({ kind }) => kind === "waiting"));
    const waits = one.states.find(({ kind }) => kind === "waiting");
    expect(waits).toMatchObject({ reason: STREAM_CLOSED[1001] });
  }
  const told = listeners[0]?.frames.length ?? 0;
  expect(listeners[0]?.frames.map(placeOf)).toEqual((await logOf(place.root, project)).slice(0, told));
  await using _second = await place.open();
  await endsWithTheLog(place.root, project, listeners);
});
