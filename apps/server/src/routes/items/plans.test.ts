import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ApiEpic, ApiEpicDetail, ApiStory, ApiStoryDetail, ApiUnit, ApiUnitDetail } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverWorld, type World } from "../../testing/server-world.ts";

const EPIC = `name: limits
description: Nobody calls too often
tickets:
  - name: bucket
    description: Build it
    acceptance_criteria: ["it works"]
  - name: route
    description: Use it
    dependencies: [bucket]
    critical: true
  - name: docs
    description: Tell it
`;
const plan = (unit: string, rest: string) => `---\nunit: ${unit}\n${rest}---\n# ${unit.toUpperCase()} Plan\n`;
const task = (number: number, status: string) =>
  `---\ntask: ${number}\nstatus: ${status}\nbackpressure: make t${number}\ndepends_on: []\n---\n# Task ${number}\n`;

const FILES: Record<string, string> = {
  ".epics/limits/limits.epic.yaml": EPIC,
  ".epics/torn/torn.epic.yaml": "name: torn\ntickets: 7\n",
  "stories/2.1.md":
    "---\nstatus: review\n---\n# Story 2.1: Lend books\n\n## Acceptance Criteria\n\n1. Three at most.\n\n## Tasks\n\n- [x] Count\n- [ ] Refuse\n",
  "stories/2.2.md": "---\ndepends_on: 2.1\n---\n# Story 2.2: Take back\n",
  "specs/tasks/config/IMPLEMENTATION_PLAN.md": plan("config", "orch_status: in_progress\n"),
  "specs/tasks/config/01-read.md": task(1, "complete"),
  "specs/tasks/config/02-check.md": task(2, "pending"),
  "specs/tasks/shell/IMPLEMENTATION_PLAN.md": plan("shell", "depends_on: [config]\n"),
  "specs/tasks/shell/01-nav.md": task(1, "pending"),
  "specs/tasks/torn/IMPLEMENTATION_PLAN.md": "---\nunit: [torn\n---\n",
};

let world: World;
beforeAll(async () => {
  world = await serverWorld({ projects: 2 });
  for (const [name, content] of Object.entries(FILES)) {
    const file = join(world.roots[0] ?? "", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
});
afterAll(() => world[Symbol.asyncDispose]());

const at = (rest: string, project = 0) => `/api/projects/${world.ids[project]}${rest}`;
const get = async (rest: string, project = 0): Promise<unknown> => {
  const { status, body } = await world.call("GET", at(rest, project));
  expect([rest, status]).toEqual([rest, 200]);
  return body;
};

describe("epics", () => {
  test("are listed in short, those that cannot be read with what is wrong", async () => {
    const { epics } = (await get("/epics")) as { epics: ApiEpic[] };
    for (const epic of epics) expect(ApiEpic.parse(epic)).toEqual(epic);
    expect(epics).toMatchObject([
      { id: "limits", key: "epic:limits", tickets: 3, completed: 0, waves: 2, status: null, problems: [], loop: null },
      { id: "torn", tickets: 0, problems: [{ file: ".epics/torn/torn.epic.yaml", line: 2 }] },
    ]);
  });

  test("one has its tickets by wave, with their states and what blocks them", async () => {
    const epic = ApiEpicDetail.parse(await get("/epics/limits"));
    expect(epic).toMatchObject({ key: "epic:limits", status: "pending", waves: [["bucket", "docs"], ["route"]] });
    expect(epic.tickets.map(({ key, status, column, blockedBy }) => ({ key, status, column, blockedBy }))).toEqual([
      { key: "ticket:limits/bucket", status: "queued", column: "backlog", blockedBy: [] },
      { key: "ticket:limits/docs", status: "queued", column: "backlog", blockedBy: [] },
      { key: "ticket:limits/route", status: "pending", column: "backlog", blockedBy: ["bucket"] },
    ]);
  });

  test.for([
    { name: "nothing", status: 404 },
    { name: "torn", status: 409 },
    { name: "..%2F..%2Fetc", status: 400 },
    { name: "-x", status: 400 },
  ])("$name: $status", async ({ name, status }) => {
    expect((await world.call("GET", at(`/epics/${name}`))).status).toBe(status);
  });
});

describe("stories", () => {
  test("are listed in short, with what blocks them", async () => {
    const { stories } = (await get("/stories")) as { stories: ApiStory[] };
    for (const story of stories) expect(ApiStory.parse(story)).toEqual(story);
    expect(stories).toMatchObject([
      { id: "2.1", key: "story:2.1", status: "review", column: "code_review", file: "stories/2.1.md", blockedBy: [] },
      { id: "2.2", status: null, column: "backlog", dependsOn: ["2.1"], blockedBy: ["2.1"], loop: null },
    ]);
  });

  test("one has its criteria and tasks", async () => {
    expect(ApiStoryDetail.parse(await get("/stories/2.1"))).toMatchObject({
      title: "Lend books",
      branch: "story-2-1-lend-books",
      criteria: ["Three at most."],
      tasks: [
        { text: "Count", done: true },
        { text: "Refuse", done: false },
      ],
      findings: [],
    });
  });

  test.for([
    { name: "9.9", status: 404 },
    { name: "..%2F..%2Fetc", status: 400 },
  ])("$name: $status", async ({ name, status }) => {
    expect((await world.call("GET", at(`/stories/${name}`))).status).toBe(status);
  });
});

describe("units", () => {
  test("are listed in the order in which they may start, those that cannot be read with what is wrong", async () => {
    const { units, problems } = (await get("/units")) as { units: ApiUnit[]; problems: object[] };
    for (const unit of units) expect(ApiUnit.parse(unit)).toEqual(unit);
    expect(units).toMatchObject([
      { id: "config", status: "in_progress", column: "in_progress", wave: 1, tasks: 2, tasksComplete: 1 },
      { id: "shell", status: "pending", column: "backlog", wave: 2, dependsOn: ["config"], blockedBy: ["config"] },
      { id: "torn", status: null, damaged: expect.stringContaining("specs/tasks/torn/IMPLEMENTATION_PLAN.md") },
    ]);
    expect(problems).toContainEqual(expect.objectContaining({ file: "specs/tasks/torn/IMPLEMENTATION_PLAN.md" }));
  });

  test("one has its tasks", async () => {
    expect(ApiUnitDetail.parse(await get("/units/config")).tasks).toEqual([
      { task: 1, title: "Task 1", status: "complete", check: "make t1", file: "specs/tasks/config/01-read.md" },
      { task: 2, title: "Task 2", status: "pending", check: "make t2", file: "specs/tasks/config/02-check.md" },
    ]);
    expect(await get("/units/torn")).toMatchObject({ id: "torn", tasks: [], damaged: expect.any(String) });
  });

  test.for([
    { name: "nothing", status: 404 },
    { name: "..%2F..%2Fetc", status: 400 },
  ])("$name: $status", async ({ name, status }) => {
    expect((await world.call("GET", at(`/units/${name}`))).status).toBe(status);
  });
});

test("a project without any has empty lists", async () => {
  expect(await get("/epics", 1)).toEqual({ epics: [], next: null, total: 0 });
  expect(await get("/stories", 1)).toEqual({ stories: [], next: null, total: 0 });
  expect(await get("/units", 1)).toEqual({ units: [], problems: [], next: null, total: 0 });
});

test.for(["/epics", "/epics/limits", "/stories", "/stories/2.1", "/units", "/units/config"])(
  "%s wants a token and a project",
  async (rest) => {
    expect((await world.call("GET", at(rest), undefined, { "x-api-key": "wrong" })).status).toBe(401);
    expect((await world.call("GET", `/api/projects/none${rest}`)).status).toBe(404);
  },
);

describe("a long list comes in pages", () => {
  test.for(["epics", "stories", "units"] as const)("%s, one at a time, are the same as all at once", async (kind) => {
    type Page = Record<string, { id: string }[]> & { next: string | null; total: number };
    const whole = (await get(`/${kind}`)) as Page;
    const ids: string[] = [];
    let next: string | null | undefined;
    while (next !== null) {
      const page = (await get(`/${kind}?limit=1${next === undefined ? "" : `&after=${next}`}`)) as Page;
      expect(page.total).toBe(whole.total);
      ids.push(...(page[kind] ?? []).map(({ id }) => id));
      next = page.next;
    }
    expect(ids).toEqual(whole[kind]?.map(({ id }) => id));
    expect([ids.length, whole.next]).toEqual([whole.total, null]);
  });

  test.for([
    { query: "limit=0", says: /^limit: / },
    { query: "limit=2000", says: /^limit: / },
    { query: "after=nobody", says: /^the value of "after", nobody, is not / },
    { query: "page=2", says: /page/ },
  ])("$query is refused", async ({ query, says }) => {
    for (const kind of ["epics", "stories", "units"]) {
      const { status, body } = await world.call("GET", at(`/${kind}?${query}`));
      expect([kind, status]).toEqual([kind, 400]);
      expect((body as { error: string }).error).toMatch(says);
    }
  });
});
