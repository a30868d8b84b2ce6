import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ApiItemChanges, ApiItemPage } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen, serverWorld, type World } from "../../testing/server-world.ts";

const PATIENT = { timeout: 20_000 };

let world: World;
beforeAll(async () => {
  world = await serverWorld({ features: 3 });
  feature("f2", { dependencies: ["f1"], priority: 1, category: "Login", policy: "adversarial" });
  feature("f3", { status: "waiting_approval" });
  feature("torn", "{");
  feature("old", { status: "pipeline_gone" });
  write(".automaker/pipeline.json", { version: 1, steps: [step("two", 2), step("one", 1)] });
});
afterAll(() => world[Symbol.asyncDispose]());

const at = (path: string) => `/api/projects/${world.ids[0]}${path}`;
const get = async <T>(path: string) => {
  const { status, body } = await world.call("GET", at(path));
  expect(status).toBe(200);
  return body as T;
};
const list = (query = "") => get<ApiItemPage>(`/items${query}`);
const idsOf = async (query: string) => (await list(query)).items.map(({ id }) => id);

function feature(id: string, content: object | string): void {
  const whole = typeof content === "string" ? content : { id, title: `The ${id}`, description: "", ...content };
  write(`.automaker/features/${id}/feature.json`, whole);
}

function write(path: string, content: object | string): void {
  const file = join(world.roots[0] ?? "", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

function step(id: string, order: number) {
  return { id, name: `Step ${id}`, order, instructions: "", colorClass: "bg-red" };
}

describe("the list of work items", () => {
  test("is what its schema says, light, with all that a card shows", async () => {
    const page = await list();
    expect(ApiItemPage.parse(page)).toEqual(page);
    expect(page).toMatchObject({ next: null, total: 5 });
    expect(page.items.find(({ id }) => id === "f2")).toEqual({
      id: "f2",
      kind: "feature",
      title: "The f2",
      status: "backlog",
      column: "backlog",
      badge: null,
      needsYou: false,
      damaged: null,
      error: null,
      priority: 1,
      category: "Login",
      model: null,
      policy: "adversarial",
      branch: null,
      dependsOn: ["f1"],
      blockedBy: ["f1"],
      byHand: false,
      updatedAt: expect.any(Number),
      loop: null,
    });
  });

  test("a damaged file is listed with its error, and needs a person", async () => {
    const { items } = await list("?text=torn");
    expect(items).toMatchObject([{ id: "torn", damaged: expect.stringContaining("feature.json:1:"), needsYou: true }]);
  });

  test("pages follow each other without gaps or doubles, also where the last item is gone", async () => {
    const seen: string[] = [];
    for (let after = ""; ; ) {
      const page = await list(`?limit=2${after}`);
      seen.push(...page.items.map(({ id }) => id));
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    expect(seen).toEqual(["f1", "f2", "f3", "old", "torn"]);
    expect(await idsOf("?after=f2-that-is-gone&limit=1")).toEqual(["f3"]);
    expect(await idsOf("?after=zzz")).toEqual([]);
  });

  test.for([
    { query: "?kind=feature&limit=1", ids: ["f1"] },
    { query: "?kind=story", ids: [] },
    { query: "?column=waiting_approval", ids: ["f3"] },
    { query: "?column=pipeline_gone", ids: ["old"] },
    { query: "?text=THE%20f2", ids: ["f2"] },
    { query: "?text=login", ids: ["f2"] },
    { query: "?needsYou=true", ids: ["f3", "torn"] },
    { query: "?needsYou=true&after=f3", ids: ["torn"] },
  ])("$query finds $ids", async ({ query, ids }) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  test.for([
    ["?limit=0", "limit"],
    ["?kind=task", "kind"],
    ["?column=nonsense", "column"],
    ["?needsYou=maybe", "needsYou"],
    ["?colour=red", "colour"],
  ])("%s is refused, with its place", async ([query, place]) => {
    const { status, body } = await world.call("GET", at(`/items${query}`));
    expect([status, (body as { error: string }).error]).toEqual([400, expect.stringContaining(place ?? "")]);
  });

  test("one item is found by its key as it is at this moment; another is not", async () => {
    await list();
    feature("fresh", { title: "Just made" });
    expect(await get("/items/fresh")).toMatchObject({ title: "Just made" });
    for (const title of [" ", undefined]) {
      feature("fresh", { title, description: "\n As it is described. \nAt length." });
      expect(await get("/items/fresh")).toMatchObject({ title: "As it is described." });
    }
    feature("fresh", { title: " ", description: " " });
    expect(await get("/items/fresh")).toMatchObject({ title: "fresh" });
    feature("fresh", { title: "Just changed" });
    expect(await get("/items/fresh")).toMatchObject({ title: "Just changed" });
    rmSync(join(world.roots[0] ?? "", ".automaker/features/fresh"), { recursive: true });
    expect((await world.call("GET", at("/items/fresh"))).status).toBe(404);
    expect(await get("/items/f1")).toMatchObject({ id: "f1", column: "backlog" });
    expect((await world.call("GET", at("/items/nothing"))).status).toBe(404);
  });
});

describe("the changes since a version of the list", () => {
  const since = (version: string) => get<ApiItemChanges>(`/item-changes?since=${encodeURIComponent(version)}`);

  test("are the items that changed, those that wait for them, and those that are gone", async () => {
    feature("base", { status: "in_progress" });
    feature("waits", { dependencies: ["base"] });
    feature("leaves", {});
    const { version } = await list("?limit=1");
    expect(await since(version)).toEqual({ known: true, items: [], gone: [], version });
    feature("base", { status: "verified" });
    rmSync(join(world.roots[0] ?? "", ".automaker/features/leaves"), { recursive: true });
    await expect.poll(async () => (await since(version)).gone, PATIENT).toEqual(["leaves"]);
    await expect.poll(async () => (await since(version)).items.length, PATIENT).toBe(2);
    const changes = await since(version);
    expect(ApiItemChanges.parse(changes)).toEqual(changes);
    expect(changes.items.sort((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
      { id: "base", column: "verified" },
      { id: "waits", blockedBy: [] },
    ]);
    expect((await since(changes.version)).items).toEqual([]);
    for (const id of ["base", "waits"])
      rmSync(join(world.roots[0] ?? "", `.automaker/features/${id}`), { recursive: true });
    await expect.poll(async () => (await list()).total, PATIENT).toBe(5);
  });

  test("are not known of a version of another run: the list is to be read again", async () => {
    expect(await since("0-0")).toMatchObject({ known: false, items: [], gone: [] });
  });
});

describe("the columns", () => {
  test("are those of seed 000, the project's own steps in order, and what former steps still hold", async () => {
    const { columns } = await get<{ columns: { id: string; name: string; kind: string; cards: number }[] }>("/columns");
    expect(columns.map(({ id, kind, cards }) => [id, kind, cards])).toEqual([
      ["backlog", "board", 3],
      ["in_progress", "board", 0],
      ["code_review", "board", 0],
      ["pipeline_one", "step", 0],
      ["pipeline_two", "step", 0],
      ["waiting_approval", "board", 1],
      ["verified", "board", 0],
      ["completed", "board", 0],
      ["pipeline_gone", "former", 1],
    ]);
    expect(columns.find(({ id }) => id === "pipeline_one")?.name).toBe("Step one");
  });

  test("a pipeline that cannot be read is told, with its place", async () => {
    write(".automaker/pipeline.json", "{");
    const { status, body } = await world.call("GET", at("/columns"));
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({ error: expect.stringContaining("pipeline.json:1:") }),
    ]);
    write(".automaker/pipeline.json", { version: 1, steps: [] });
  });
});

describe("moving cards", () => {
  interface Moves {
    column: string;
    moves: { to: string; means: string | null; signal: string | null; refused: string | null }[];
  }
  const legal = async (id: string) =>
    (await get<Moves>(`/items/${id}/moves`)).moves.filter((one) => one.refused === null);

  test("every column says what a drop would mean, or why not", async () => {
    const { column, moves } = await get<Moves>("/items/f3/moves");
    expect(column).toBe("waiting_approval");
    expect(moves).toContainEqual({
      to: "verified",
      means: "mark",
      signal: null,
      consequence: "Marks the item as verified by hand, without a review.",
      undoable: false,
      refused: null,
    });
    expect(moves).toContainEqual(
      expect.objectContaining({ to: "in_progress", means: "start", signal: null, undoable: false, refused: null }),
    );
    expect(moves).toContainEqual({
      to: "code_review",
      means: null,
      signal: null,
      consequence: null,
      undoable: false,
      refused: expect.stringContaining("cannot move a feature"),
    });
  });

  test("a mark is written at once; a card cannot be dropped where that means nothing", async () => {
    const moved = await world.call("POST", at("/items/f3/move"), { to: "verified" });
    expect([moved.status, moved.body]).toEqual([200, expect.objectContaining({ id: "f3", column: "verified" })]);
    expect((await list("?text=f3")).items[0]).toMatchObject({ column: "verified", byHand: true });
    const again = await world.call("POST", at("/items/f3/move"), { to: "backlog" });
    expect(again.status).toBe(200);
    const wrong = await world.call("POST", at("/items/f3/move"), { to: "completed" });
    expect([wrong.status, (wrong.body as { error: string }).error]).toEqual([
      409,
      expect.stringMatching(/f3 cannot be moved to completed: .*it can be moved to in_progress/),
    ]);
    const gone = await world.call("POST", at("/items/f3/move"), { to: "pipeline_gone" });
    expect([gone.status, (gone.body as { error: string }).error]).toEqual([409, expect.stringContaining("no column")]);
  });

  test.for<{ body: unknown; says: RegExp }>([
    { body: { to: "nonsense" }, says: /^to: / },
    { body: {}, says: /^to: / },
    { body: { to: "backlog", force: true }, says: /force/ },
  ])("$body is refused, with its place", async ({ body: sent, says }) => {
    const { status, body } = await world.call("POST", at("/items/f3/move"), sent);
    expect([status, (body as { error: string }).error]).toEqual([400, expect.stringMatching(says)]);
  });

  test("dropping a card of the backlog on in_progress starts it; the list follows its loop, and what waited for it may start", async () => {
    expect(await legal("f1")).toEqual([
      expect.objectContaining({ to: "in_progress", means: "start", signal: null, undoable: true, refused: null }),
    ]);
    const stream = await listen(world, { project: world.ids[0] ?? "" });
    const started = await world.call("POST", at("/items/f1/move"), { to: "in_progress" });
    expect(started.status).toBe(202);
    await stream.until((frames) => frames.some(({ type }) => type === "feature:code-review-approved"));
    stream.close();
    const said = async () => (await get<{ loop: { stage: string } | null; column: string }>("/items/f1")).column;
    await expect.poll(said, PATIENT).toBe("verified");
    expect(await get("/items/f1")).toMatchObject({
      status: "verified",
      badge: "approved",
      policy: "gate",
      byHand: false,
      loop: { stage: "ended", outcome: "passed", round: 1 },
    });
    expect(await get("/items/f2")).toMatchObject({ dependsOn: ["f1"], blockedBy: [] });
  });
});

test.for(["/items", "/items/f1", "/items/f1/moves", "/columns"])("%s wants a token and a project", async (path) => {
  expect((await world.call("GET", at(path), undefined, { "x-api-key": "wrong" })).status).toBe(401);
  expect((await world.call("GET", `/api/projects/none${path}`)).status).toBe(404);
});
