import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen, serverWorld, type World } from "../../testing/server-world.ts";

const PATIENT = { timeout: 20_000 };

let world: World;
beforeAll(async () => {
  world = await serverWorld({ features: 3 });
  const slow = { steps: [{ role: "implementer", delayMs: 600_000, edits: [], answer: "" }] };
  write(".automaker/scripts/slow.json", slow);
  feature("slow", {});
  feature("approved-by-people", { skipTests: true });
  write(".automaker/scripts/approved-by-people.json", readFileSync(path(".automaker/scripts/f1.json"), "utf8"));
});
afterAll(() => world[Symbol.asyncDispose]());

const path = (name: string) => join(world.roots[0] ?? "", name);
const at = (rest: string) => `/api/projects/${world.ids[0]}${rest}`;

function write(name: string, content: object | string): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), typeof content === "string" ? content : JSON.stringify(content));
}

function feature(id: string, content: object): void {
  write(`.automaker/features/${id}/feature.json`, { id, title: id, description: "d", status: "backlog", ...content });
}

const stored = (id: string): unknown =>
  JSON.parse(readFileSync(path(`.automaker/features/${id}/feature.json`), "utf8"));

async function read(id: string) {
  const { status, headers, body } = await world.call("GET", at(`/features/${id}`));
  expect(status).toBe(200);
  return { etag: headers.get("etag") ?? "", body: body as Record<string, unknown> };
}

const patch = (id: string, etag: string, body: unknown) =>
  world.call("PATCH", at(`/features/${id}`), body, { "if-match": etag });
const errorOf = ({ body }: { body: never }) => (body as { error: string }).error;
const problemsOf = ({ body }: { body: never }) => (body as { problems?: { path: string }[] }).problems ?? [];

describe("a new feature", () => {
  test("lies in the backlog under an id like those of anneal add; the answer says where it is, and its version", async () => {
    const made = await world.call("POST", at("/features"), {
      title: " Log in ",
      dependencies: ["f1"],
      skipTests: true,
    });
    expect(made.status).toBe(201);
    const { id } = made.body as { id: string };
    expect(id).toMatch(/^feature-\d{13}-[a-z0-9]{9}$/);
    expect(made.headers.get("location")).toBe(at(`/features/${id}`));
    expect((await read(id)).etag).toBe(made.headers.get("etag"));
    expect(stored(id)).toEqual({
      id,
      title: "Log in",
      category: "Uncategorized",
      description: "Log in",
      status: "backlog",
      dependencies: ["f1"],
      skipTests: true,
    });
    const list = await world.call("GET", at(`/items?text=${id}`));
    expect(list.body).toMatchObject({ items: [{ id, title: "Log in", column: "backlog" }] });
  });

  test("takes an id of its own; a second one with that id is refused", async () => {
    expect((await world.call("POST", at("/features"), { id: "mine", title: "One" })).status).toBe(201);
    const second = await world.call("POST", at("/features"), { id: "mine", title: "Two" });
    expect([second.status, errorOf(second)]).toEqual([409, expect.stringContaining("there is a feature mine already")]);
    expect(stored("mine")).toMatchObject({ title: "One" });
  });

  test.for<{ body: unknown; place: string }>([
    { body: {}, place: "title" },
    { body: { title: "  " }, place: "title" },
    { body: { title: "T", id: "../../victim" }, place: "id" },
    { body: { title: "T", id: "a/b" }, place: "id" },
    { body: { title: "T", status: "verified" }, place: "(whole)" },
    { body: { title: "T", codeReviewSpec: {} }, place: "(whole)" },
    { body: { title: "T", priority: "high" }, place: "priority" },
    { body: { title: "T", dependencies: ["nothing"] }, place: "dependencies.0" },
    { body: { title: "T", policy: "nothing" }, place: "policy" },
    { body: { title: "T", policy: "../own.json" }, place: "policy" },
    { body: { title: "T", branchName: "--force" }, place: "branchName" },
    { body: { title: "T", branchName: "a..b" }, place: "branchName" },
  ])("$body is refused at $place, and nothing is made", async ({ body, place }) => {
    const before = readdirSync(path(".automaker/features"));
    const answer = await world.call("POST", at("/features"), body);
    expect([answer.status, problemsOf(answer)[0]?.path]).toEqual([400, place]);
    expect(readdirSync(path(".automaker/features"))).toEqual(before);
  });

  test("one that is too large is refused", async () => {
    const answer = await world.call("POST", at("/features"), { title: "T", spec: "x".repeat(2 ** 21) });
    expect(answer.status).toBe(413);
  });
});

describe("a feature", () => {
  test("is sent whole, with what other tools keep in it; who has it already is told so", async () => {
    feature("foreign", { theirs: { nested: [1] }, planSpec: { status: "done", extra: 2 } });
    const { etag, body } = await read("foreign");
    expect(body).toEqual(stored("foreign"));
    const known = await world.call("GET", at("/features/foreign"), undefined, { "if-none-match": etag });
    expect([known.status, known.headers.get("etag"), known.body]).toEqual([304, etag, ""]);
  });

  test("that cannot be read is a conflict that says where, and is left as it is", async () => {
    write(".automaker/features/torn/feature.json", '{"id": "torn",');
    const answer = await world.call("GET", at("/features/torn"));
    expect([answer.status, errorOf(answer)]).toEqual([409, expect.stringMatching(/fix its file.*feature\.json:1:/)]);
    const changed = await patch("torn", '"x"', { title: "T" });
    expect(changed.status).toBe(409);
    expect(readFileSync(path(".automaker/features/torn/feature.json"), "utf8")).toBe('{"id": "torn",');
  });

  test.for([
    { id: "nothing", status: 404 },
    { id: "..%2F..%2Fvictim", status: 400 },
    { id: "%2e%2e", status: 404 },
  ])("$id: $status", async ({ id, status }) => {
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { title: "T" } : undefined;
      const answer = await world.call(method, at(`/features/${id}`), body, { "if-match": '"x"' });
      expect([method, answer.status]).toEqual([method, status]);
    }
  });
});

describe("a change", () => {
  test("replaces what it names, takes away what it names as null, and leaves the rest to the byte", async () => {
    const text = '{\n\t"id": "kept",\n\t"description": "d",\n\t"theirs": [1,  2],\n\t"model": "opus"\n}';
    write(".automaker/features/kept/feature.json", text);
    const { etag } = await read("kept");
    const changed = await patch("kept", etag, { title: "New", model: null });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ id: "kept", title: "New", description: "d", theirs: [1, 2] });
    expect(changed.headers.get("etag")).toBe((await read("kept")).etag);
    expect(readFileSync(path(".automaker/features/kept/feature.json"), "utf8")).toBe(
      '{\n\t"id": "kept",\n\t"description": "d",\n\t"theirs": [1,  2],\n\t"title": "New"\n}',
    );
  });

  test("of two for one version exactly one wins, however often it is tried", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { etag } = await read("f2");
      const [a, b] = await Promise.all([
        patch("f2", etag, { title: `a${round}` }),
        patch("f2", etag, { category: `b${round}` }),
      ]);
      expect([a.status, b.status].sort()).toEqual([200, 412]);
      const now = await read("f2");
      const lost = a.status === 412 ? a : b;
      expect([lost.headers.get("etag"), (lost.body as { etag: string }).etag]).toEqual([now.etag, now.etag]);
      expect(lost.body).toMatchObject({ code: "stale", error: expect.stringContaining("read it again") });
    }
  });

  test("after an edit by somebody else is refused, and that edit stays", async () => {
    const { etag } = await read("f3");
    feature("f3", { title: "theirs" });
    expect((await patch("f3", etag, { title: "ours" })).status).toBe(412);
    expect(stored("f3")).toMatchObject({ title: "theirs" });
  });

  test.for<{ body: unknown; place: string }>([
    { body: {}, place: "(whole)" },
    { body: { codeReviewSpec: null }, place: "(whole)" },
    { body: { id: "other" }, place: "(whole)" },
    { body: { title: "" }, place: "title" },
    { body: { title: null }, place: "title" },
    { body: { status: "nonsense" }, place: "status" },
    { body: { status: "verified", title: "T" }, place: "status" },
    { body: { dependencies: ["f3"] }, place: "dependencies.0" },
    { body: { policy: "nothing" }, place: "policy" },
  ])("$body is refused at $place", async ({ body, place }) => {
    const { etag } = await read("f3");
    const answer = await patch("f3", etag, body);
    expect([answer.status, problemsOf(answer)[0]?.path]).toEqual([400, place]);
    expect((await read("f3")).etag).toBe(etag);
  });

  test("a dependency that leads back, over however many others, is refused", async () => {
    feature("f1", { dependencies: ["f2"] });
    feature("f2", { dependencies: ["f3"] });
    const { etag } = await read("f3");
    const answer = await patch("f3", etag, { dependencies: ["f1"] });
    expect([answer.status, problemsOf(answer)]).toMatchObject([
      400,
      [{ path: "dependencies.0", message: expect.stringContaining("f1 already depends on f3") }],
    ]);
    expect(stored("f3")).not.toHaveProperty("dependencies");
    for (const id of ["f1", "f2"]) feature(id, {});
  });

  test.for([undefined, "*", "unquoted", 'W/"weak"'])("with If-Match %s is refused, with what to send", async (tag) => {
    for (const method of tag === "*" ? ["PATCH"] : ["PATCH", "DELETE"]) {
      const headers: Record<string, string> = tag === undefined ? {} : { "if-match": tag };
      const answer = await world.call(
        method,
        at("/features/f3"),
        method === "PATCH" ? { title: "T" } : undefined,
        headers,
      );
      expect([answer.status, problemsOf(answer)[0]?.path]).toEqual([400, "if-match"]);
    }
  });
});

describe("a change of the status is a move", () => {
  test("that is made where people may make it, and refused with those that they may make", async () => {
    feature("byhand", { status: "waiting_approval" });
    const { etag } = await read("byhand");
    const moved = await patch("byhand", etag, { status: "verified" });
    expect([moved.status, stored("byhand")]).toEqual([200, expect.objectContaining({ status: "verified" })]);
    expect((await patch("byhand", etag, { status: "completed" })).status).toBe(412);
    const wrong = await patch("byhand", moved.headers.get("etag") ?? "", { status: "code_review" });
    expect([wrong.status, errorOf(wrong)]).toEqual([
      409,
      expect.stringContaining("it can be moved to backlog, in_progress, completed"),
    ]);
  });

  test("that is a word to an open loop: what waits for an approval is approved", async () => {
    const stream = await listen(world, { item: "approved-by-people" });
    const { etag: first } = await read("approved-by-people");
    expect((await patch("approved-by-people", first, { status: "in_progress" })).status).toBe(202);
    const waits = async () => (await read("approved-by-people")).body.status;
    await stream.until((frames) => frames.some(({ type }) => type === "feature:code-review-approved"));
    await expect.poll(waits, PATIENT).toBe("waiting_approval");
    stream.close();
    const { etag } = await read("approved-by-people");
    const refused = await patch("approved-by-people", etag, { status: "completed" });
    expect([refused.status, errorOf(refused)]).toEqual([409, expect.stringContaining("it can be moved to")]);
    const approved = await patch("approved-by-people", etag, { status: "verified" });
    expect([approved.status, approved.body]).toEqual([200, expect.objectContaining({ status: "verified" })]);
  });
});

describe("taking a feature away", () => {
  test("needs its version, removes its folder, and nothing else", async () => {
    feature("leaving", {});
    const { etag } = await read("leaving");
    feature("leaving", { title: "edited" });
    expect((await world.call("DELETE", at("/features/leaving"), undefined, { "if-match": etag })).status).toBe(412);
    const now = (await read("leaving")).etag;
    const before = readdirSync(world.roots[0] ?? "");
    expect((await world.call("DELETE", at("/features/leaving"), undefined, { "if-match": now })).status).toBe(204);
    expect(existsSync(path(".automaker/features/leaving"))).toBe(false);
    expect(readdirSync(world.roots[0] ?? "")).toEqual(before);
    expect((await world.call("DELETE", at("/features/leaving"), undefined, { "if-match": now })).status).toBe(404);
    expect((await world.call("GET", at("/items/leaving"))).status).toBe(404);
  });

  test("that is damaged is possible for whoever takes what is there", async () => {
    write(".automaker/features/broken/feature.json", "{");
    expect((await world.call("DELETE", at("/features/broken"), undefined, { "if-match": "*" })).status).toBe(204);
  });

  test("pauses its loop, which is shown until somebody decides about it; its id is not given to another", async () => {
    const { etag } = await read("slow");
    const stream = await listen(world, { item: "slow" });
    expect((await patch("slow", etag, { status: "in_progress" })).status).toBe(202);
    await stream.until((frames) => frames.length > 0);
    stream.close();
    await expect.poll(async () => (await read("slow")).body.status, PATIENT).toBe("in_progress");
    const now = (await read("slow")).etag;
    expect((await world.call("DELETE", at("/features/slow"), undefined, { "if-match": now })).status).toBe(204);
    const card = async () => (await world.call("GET", at("/items/slow"))).body as { loop: { reason: string | null } };
    await expect.poll(async () => (await card()).loop.reason, PATIENT).toBe("paused");
    expect(await card()).toMatchObject({ damaged: expect.stringContaining("is gone"), needsYou: true });
    const again = await world.call("POST", at("/features"), { id: "slow", title: "Again" });
    expect(again.status).toBe(409);
    const stopped = await world.call("POST", at("/items/slow/move"), { to: "backlog" });
    expect(stopped.status).toBe(200);
    expect((await world.call("GET", at("/items/slow"))).status).toBe(404);
  });
});

test.for(["POST", "GET", "PATCH", "DELETE"])("%s wants a token and a project", async (method) => {
  const [address, body] = method === "POST" ? ["/features", { title: "T" }] : ["/features/f1", { title: "T" }];
  const sent = method === "POST" || method === "PATCH" ? body : undefined;
  const wrong = await world.call(method, at(address), sent, { "x-api-key": "wrong" });
  expect(wrong.status).toBe(401);
  expect((await world.call(method, `/api/projects/none${address}`, sent, { "if-match": '"x"' })).status).toBe(404);
});
