import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as given from "../../../../../libs/engine/src/golden/testing/sample-epics.ts";
import { approves, build, type LoopWorld, loopWorld } from "../../testing/loop-world.ts";

const FILES: Record<string, unknown> = {
  ...given.epicFiles({ bucket: {}, route: {} }),
  "stories/2.1.md": "# Story 2.1: Lend books\n\n## Acceptance Criteria\n\n1. Three at most.\n",
  ".epics/torn/torn.epic.yaml": "name: torn\ntickets: 7\n",
  ".epics/plain/plain.epic.yaml": "name: plain\ndescription: d\ntickets:\n  - name: one\n    description: Build it\n",
  "specs/tasks/torn/IMPLEMENTATION_PLAN.md": "---\nunit: [torn\n---\n",
  "specs/tasks/config/IMPLEMENTATION_PLAN.md": "---\nunit: config\n---\n# CONFIG Plan\n",
  "specs/tasks/config/01-read.md":
    "---\ntask: 1\nstatus: pending\nbackpressure: 'true'\ndepends_on: []\n---\n# Task 1\n",
  "specs/tasks/built/IMPLEMENTATION_PLAN.md": "---\nunit: built\n---\n",
  "specs/tasks/built/01-read.md": "---\ntask: 1\nstatus: complete\nbackpressure: 'true'\n---\n",
};

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld(0);
  for (const [name, content] of Object.entries(FILES)) {
    const file = join(world.root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, String(content));
  }
  for (const id of ["2.1", "plain/one", "config"]) world.script(id, [build("a.js", "export {};\n"), approves]);
  for (const id of ["bucket", "route"]) {
    const shared = { path: "shared.js", content: `export const by = "${id}";\n` };
    world.script(`limits/${id}`, given.playedBy(id, [{ ...given.build(id), edits: [shared] }, given.pass]));
  }
  const settings = join(world.root, ".automaker/settings.json");
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), testCommand: "true" }));
});
afterAll(() => world[Symbol.asyncDispose]());

const at = (rest: string) => `/api/projects/${world.project}${rest}`;

test.for([
  { path: "/stories/2.1/start", items: ["story:2.1"] },
  { path: "/epics/plain/start", items: ["ticket:plain/one", "epic:plain"] },
  { path: "/units/config/start", items: ["unit:config"] },
])("POST $path is accepted, and loops begin", async ({ path, items }) => {
  const { status, body } = await world.call("POST", at(path));
  expect([status, body]).toEqual([202, { success: true, items }]);
  const [first = ""] = items;
  await expect
    .poll(async () => (await world.call("GET", at(`/items/${encodeURIComponent(first)}`))).status, { timeout: 30_000 })
    .toBe(200);
});

test.for([
  { path: "/stories/9.9/start", status: 404 },
  { path: "/epics/none/start", status: 404 },
  { path: "/units/none/start", status: 404 },
  { path: "/epics/torn/start", status: 409 },
  { path: "/units/torn/start", status: 409 },
  { path: "/units/built/start", status: 409 },
  { path: "/units/..%2F..%2Fetc/start", status: 400 },
  { path: "/stories/..%2F2.1/start", status: 400 },
])("POST $path is refused with $status and a reason", async ({ path, status }) => {
  const answer = await world.call("POST", at(path));
  expect([path, answer.status]).toEqual([path, status]);
  expect((answer.body as { error: string }).error).toMatch(/\w/);
});

test("without credentials nothing starts", async () => {
  expect((await world.call("POST", at("/stories/2.1/start"), undefined, { "x-api-key": "wrong" })).status).toBe(401);
});

test("an epic whose loop waits, and whose branch was put back, begins anew and merges all in order", async () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: world.root, encoding: "utf8" }).trim();
  const merges = () => git("log", "--first-parent", "--format=%s", "HEAD..epic/limits");
  await world.call("POST", at("/epics/limits/start"));
  await world.reached("epic:limits", ["waiting-for-human"]);
  expect(merges()).toBe("Merge ticket/bucket into epic/limits");
  git("branch", "--force", "epic/limits", "HEAD");
  expect((await world.call("POST", at("/epics/limits/start"))).status).toBe(202);
  const second = async () => ((await world.call("GET", at("/loops/epic:limits~2"))).body as { stage?: string }).stage;
  await expect.poll(second, { timeout: 30_000 }).toBe("waiting-for-human");
  expect(merges()).toBe("Merge ticket/bucket into epic/limits");
});
