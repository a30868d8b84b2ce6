import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { annealClient } from "@anneal/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { followed } from "../testing/followed.ts";
import { approves, build, fix, type LoopWorld, loopWorld, rejects } from "../testing/loop-world.ts";

const HOUSE = { HOUSE_KEY: "key-of-the-house-77", HOUSE_WORD: "opaque:word/of=the+house" };
let world: LoopWorld;
let secrets: string[];
const heard: string[] = [];

/** Whether a text holds one of the secrets, and which. */
const secretsIn = (text: string) => secrets.filter((secret) => text.includes(secret));

beforeAll(async () => {
  world = await loopWorld(1);
  const { project } = world;
  const { url: base, token } = world.server;
  const client = annealClient({ base, token });
  secrets = [token, ...Object.values(HOUSE)];
  const agentSetup = { house: { kind: "command", command: ["house"], env: HOUSE } };
  const { headers } = await world.call("GET", "/api/settings");
  const tag = { "if-match": headers.get("etag") ?? "" };
  expect((await world.call("PATCH", "/api/settings", { agentSetup }, tag)).status).toBe(200);

  const all = secrets.join(" and ");
  const body = { title: "Tell", description: "Say it." };
  expect((await world.call("POST", `/api/projects/${project}/features`, { id: "said", ...body })).status).toBe(201);
  world.script("said", [
    { ...build("said.txt", "one\n"), answer: `Built with ${all}.` },
    rejects("said.txt", `It says ${all}`),
    { ...fix("said.txt", "two\n"), answer: `Took out ${all}.` },
    rejects("said.txt", `It still says ${all}`),
    { ...fix("said.txt", "three\n"), answer: `Took out ${all} again.` },
    { ...approves, answer: approves.answer.replace("Does what", `Not a word of ${all}: does what`) },
  ]);
  const one = followed(client, { project, onActivity: (activity) => heard.push(JSON.stringify(activity)) });
  await one.until(() => one.states.at(-1)?.kind === "live");
  await world.run("said", ["ended", "waiting-for-human"]);
  const told = { signal: "send-back", note: `Leave out ${all}` };
  await world.call("POST", `/api/projects/${project}/items/said/signal`, told);
  one.stream.close();
  heard.push(...one.frames.map((frame) => JSON.stringify(frame)));
});
afterAll(() => world[Symbol.asyncDispose]());

describe("what the server holds and an agent or a person says", () => {
  test("is refused in a feature, by the name of its field, and never changed in secret", async () => {
    const at = `/api/projects/${world.project}/features`;
    for (const secret of secrets) {
      const { status, body } = await world.call("POST", at, { title: "Tell", description: `Say ${secret}.` });
      expect([status, (body as { error: string }).error]).toEqual([
        400,
        '"description" contains a key, token or password of this server; remove it',
      ]);
    }
  });

  test("is told to no listener", () => {
    expect(heard.length).toBeGreaterThan(10);
    expect(heard.flatMap((text) => (secretsIn(text).length > 0 ? [text.slice(0, 200)] : []))).toEqual([]);
  });

  test("is in no answer", async () => {
    const items = `/api/projects/${world.project}/items/said`;
    const pages = ["", "/rounds", "/rounds/1", "/rounds/1/prompt", "/findings", "/certificate", "/transcripts"];
    const paths = [items, ...pages.map((page) => world.loop("said", page))];
    paths.push(`/api/projects/${world.project}/items`, `/api/projects/${world.project}/features/said`);
    for (const id of ["implementing-1", "reviewing-1", "fixing-1"])
      paths.push(world.loop("said", `/transcripts/${id}`), world.loop("said", `/transcripts/${id}/prompt`));
    for (const path of paths) {
      const { status, body } = await world.get<unknown>(path);
      expect([path, status, secretsIn(typeof body === "string" ? body : JSON.stringify(body))]).toEqual([
        path,
        200,
        [],
      ]);
    }
  });

  test("is in no file: not in the log, its records, the feature, or the reviews", async () => {
    await world.stop();
    const folder = join(world.root, ".automaker");
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("scripts"))
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => secretsIn(readFileSync(file, "latin1")).length > 0)).toEqual([]);
  });
});
