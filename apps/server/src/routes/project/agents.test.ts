import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiAgents, ApiAgentTest } from "@anneal/types";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { serverWorld, type World } from "../../testing/server-world.ts";

let world: World;
let folder: string;

/** A machine with one agent of the user's own, and nothing else on the PATH. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "anneal-agents-"));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  script(bin, "house", `cat >/dev/null; printf '{"text":"Annealed. %s"}' "$HOUSE_KEY"`);
  // It answers once somebody has made the file that it waits for.
  script(bin, "slow", `cat >/dev/null; until [ -e ${folder}/go ]; do sleep 0.05; done; echo '{"text":"annealed"}'`);
  const own = (name: string) => ({ kind: "command", command: [join(bin, name)], unsandboxed: "allowed" });
  const agentSetup = { house: { ...own("house"), env: { HOUSE_KEY: "hunter2hunter2" } }, slow: own("slow") };
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "data/settings.json"), JSON.stringify({ version: 4, agentSetup }));
  vi.stubEnv("ANNEAL_DATA_DIR", join(folder, "data"));
  vi.stubEnv("PATH", `${bin}:/usr/bin:/bin`);
  world = await serverWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function script(bin: string, name: string, body: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(bin, name), 0o755);
}

const at = (rest = "") => `/api/projects/${world.ids[0]}/agents${rest}`;

test("every agent is told with its program, sign-in, abilities and what to do next; secrets are not", async () => {
  const [{ status, body }, second] = await Promise.all([world.call("GET", at()), world.call("GET", at())]);
  expect(status).toBe(200);
  const { agents, reviewers } = body as ApiAgents;
  expect(agents.map(({ name }) => name)).toEqual(expect.arrayContaining(["claude", "codex", "gemini", "house"]));
  expect(agents.find(({ name }) => name === "claude")).toMatchObject({
    program: { name: "claude", state: "missing", version: null },
    capabilities: { schema: "native" },
    advice: expect.stringMatching(/./),
  });
  expect(reviewers.map(({ name }) => name)).toEqual(expect.arrayContaining(["builtin", "codex-review"]));
  expect(second.body).toEqual(body);
  expect(JSON.stringify(body)).not.toContain("hunter2hunter2");
});

test("a test asks one question and tells the answer, without what the agent was given", async () => {
  const { status, body } = await world.call("POST", at("/house/test"), {});
  expect(status).toBe(200);
  const { answer, ...rest } = body as ApiAgentTest;
  expect(rest).toMatchObject({
    name: "house",
    understood: true,
    status: "finished",
    expected: "annealed",
    error: null,
  });
  expect(answer).toMatch(/^Annealed\./);
  expect(answer).not.toContain("hunter2hunter2");
});

test("one test at a time", async () => {
  const both = [1, 2].map(() => world.call("POST", at("/slow/test")));
  const refused = await Promise.race(both);
  expect([refused.status, refused.body]).toEqual([
    409,
    expect.objectContaining({ error: expect.stringContaining("slow is being tested") }),
  ]);
  writeFileSync(join(folder, "go"), "");
  const answers = await Promise.all(both);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test.for([
  { name: "oracle", status: 404 },
  { name: "builtin", status: 404 },
  { name: "scripted", status: 404 },
  { name: "command", status: 404 },
  { name: encodeURIComponent("command:touch /tmp/x"), status: 400 },
  { name: encodeURIComponent("scripted:/etc/passwd"), status: 400 },
  { name: encodeURIComponent("../x"), status: 400 },
])("$name cannot be tested: $status", async ({ name, status }) => {
  expect((await world.call("POST", at(`/${name}/test`), {})).status).toBe(status);
});

test("bad input, missing credentials and unknown projects", async () => {
  expect((await world.call("POST", at("/house/test"), { model: "" })).status).toBe(400);
  expect((await world.call("POST", at("/house/test"), { prompt: "hi" })).status).toBe(400);
  for (const [method, path] of [
    ["GET", at()],
    ["POST", at("/house/test")],
  ] as const)
    expect((await world.call(method, path, undefined, { "x-api-key": "no" })).status).toBe(401);
  expect((await world.call("GET", "/api/projects/none/agents")).status).toBe(404);
  expect((await world.call("POST", "/api/projects/none/agents/house/test")).status).toBe(404);
});

test("settings that say it wrongly: 409 with the place", async () => {
  const file = join(folder, "data/settings.json");
  writeFileSync(file, JSON.stringify({ agentSetup: { house: { comand: ["x"] } } }));
  const { status, body } = await world.call("GET", at());
  expect([status, body]).toEqual([
    409,
    expect.objectContaining({ error: expect.stringMatching(/agentSetup\.house.*unknown key comand/) }),
  ]);
});
