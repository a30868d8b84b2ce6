import { appendFileSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ApiTranscript } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { build, hangs, type LoopWorld, loopWorld } from "../../testing/loop-world.ts";

const SECRET = "sk-anneal-0123456789-held";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld(2);
  world.script("f1", [{ ...build("a.js", "1;\n"), answer: `It is ${SECRET}, I think.` }, hangs]);
  await world.run("f1", ["reviewing"]);
  await vi.waitFor(async () =>
    expect((await list()).at(-1)).toMatchObject({ state: "running", bytes: expect.any(Number) }),
  );
  // Held only since: a record from before still has it.
  vi.stubEnv("ANNEAL_TEST_API_KEY", SECRET);
  await world.call("PATCH", "/api/settings", { maxConcurrency: 4 }, { "if-match": '"none"' });
}, 30_000);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
});

const list = async () =>
  (await world.get<{ transcripts: ApiTranscript[] }>(world.loop("f1", "/transcripts"))).body.transcripts;
const folder = () => join(world.root, ".git/anneal/blobs/running");
/** The record of the reviewer at work. */
const running = () => join(folder(), readdirSync(folder()).find((name) => name.includes(".reviewing-1.")) ?? "none");

describe("a transcript that has ended", () => {
  const path = () => world.loop("f1", "/transcripts/implementing-1");

  test("is text, one JSON object per line, without what we hold", async () => {
    const { status, headers, body } = await world.get<string>(path());
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect([headers.get("accept-ranges"), headers.get("x-transcript-state")]).toEqual(["bytes", "ended"]);
    const lines = body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ kind }) => kind)).toEqual(["tool", "text"]);
    expect(lines[1].text).toBe(`It is ${"*".repeat(SECRET.length)}, I think.`);
  });

  test("can be read in parts that fit together, and hide a secret wherever they are cut", async () => {
    const { body: whole } = await world.get<string>(path());
    const at = whole.indexOf("*") + 4;
    const parts = await Promise.all(
      [`bytes=0-${at}`, `bytes=${at + 1}-`].map((range) => world.get<string>(path(), { range })),
    );
    expect(parts.map(({ status }) => status)).toEqual([206, 206]);
    expect(parts.map(({ body }) => body).join("")).toBe(whole);
    expect(parts[0]?.headers.get("content-range")).toBe(`bytes 0-${at}/${whole.length}`);
    expect((await world.get<string>(path(), { range: "bytes=-3" })).body).toBe(whole.slice(-3));
  });

  test("beyond its end: 416, and how long it is", async () => {
    const { status, headers, body } = await world.get(path(), { range: "bytes=100000-" });
    expect([status, headers.get("content-range")]).toEqual([416, expect.stringMatching(/^bytes \*\/\d+$/)]);
    expect(body).toMatchObject({
      success: false,
      error: expect.stringMatching(/^the Range header asks for bytes after the end: the record has \d+ bytes$/),
    });
  });

  test("is not sent again to who has it", async () => {
    const etag = (await world.get(path())).headers.get("etag") ?? "";
    expect((await world.get(path(), { "if-none-match": etag })).status).toBe(304);
  });
});

describe("what the agents of a run were told", () => {
  const path = () => world.loop("f1", "/transcripts/implementing-1/prompt");

  test("is plain text that can be read in parts, and the list says how long it is", async () => {
    const { status, headers, body } = await world.get<string>(path());
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(body).toContain("Feature 1");
    expect((await list())[0]).toMatchObject({ id: "implementing-1", promptBytes: Buffer.byteLength(body) });
    const part = await world.get<string>(path(), { range: "bytes=2-5" });
    expect([part.status, part.body]).toEqual([206, Buffer.from(body).subarray(2, 6).toString()]);
    expect((await world.get(path(), { range: "bytes=9000000-" })).status).toBe(416);
    expect((await world.get(path(), { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
  });

  test("is not on record while the run lasts, nor for a run that was not: 404, and why", async () => {
    expect((await list()).at(-1)).toMatchObject({ state: "running", promptBytes: null, failed: null });
    for (const id of ["reviewing-1", "fixing-9"])
      expect(await world.get(world.loop("f1", `/transcripts/${id}/prompt`))).toMatchObject({
        status: 404,
        body: { error: expect.stringContaining(`the prompts of the run ${id}`) },
      });
  });

  test("is told of an attempt that failed too, with why it did", async () => {
    world.script("f2", [build("b.js", "2;\n"), { role: "reviewer", answer: "Reading.", error: "it fell over" }]);
    await world.run("f2", ["waiting-for-human"]);
    const { body } = await world.get<{ transcripts: ApiTranscript[] }>(world.loop("f2", "/transcripts"));
    expect(body.transcripts.filter(({ role }) => role === "reviewer").at(0)).toMatchObject({
      failed: expect.stringContaining("it fell over"),
    });
    expect(body.transcripts.find(({ role }) => role === "implementer")).toMatchObject({ failed: null });
  });
});

describe("a transcript that is being written", () => {
  const path = () => world.loop("f1", "/transcripts/reviewing-1");

  test("comes last in the list, and can be read as it grows", async () => {
    expect(await list()).toMatchObject([
      { id: "implementing-1", round: 1, role: "implementer", state: "ended" },
      { id: "reviewing-1", round: 1, role: "reviewer", state: "running" },
    ]);
    const first = await vi.waitFor(async () => {
      const answer = await world.get<string>(path());
      expect(answer.body).toContain("Reading a.txt now.");
      return answer;
    });
    expect([first.status, first.headers.get("x-transcript-state"), first.headers.get("etag")]).toEqual([
      200,
      "running",
      null,
    ]);
    const seen = Buffer.byteLength(first.body);
    expect((await world.get(path(), { range: `bytes=${seen}-` })).status).toBe(416);
    appendFileSync(running(), '{"at":1,"by":"scripted","kind":"text","text":"More."}\n');
    const more = await world.get<string>(path(), { range: `bytes=${seen}-` });
    expect([more.status, JSON.parse(more.body).text]).toEqual([206, "More."]);
    expect(more.headers.get("content-range")).toBe(`bytes ${seen}-${seen + more.body.length - 1}/*`);
  });

  test("is not followed to where a link in its place leads", async () => {
    symlinkSync("/etc/passwd", running().replace("reviewing-1", "fixing-1"));
    expect((await world.get(world.loop("f1", "/transcripts/fixing-1"))).status).toBe(404);
    expect(readdirSync(folder())).toHaveLength(2);
  });
});
