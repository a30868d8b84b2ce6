import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiPrompt, ApiPromptPreview } from "@anneal/types";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listen, serverWorld, type World } from "../../testing/server-world.ts";

let world: World;
let original: string;
beforeAll(async () => {
  world = await serverWorld({ features: 2 });
  original = readFileSync(file(), "utf8");
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  writeFileSync(file(), original);
  rmSync(globalFile(), { force: true });
});

const file = () => join(world.roots[0] ?? "", ".automaker/settings.json");
const globalFile = () => join(world.folder, "data/settings.json");
const at = (rest = "") => `/api/projects/${world.ids[0]}/prompts${rest}`;
const customOnDisk = () => JSON.parse(readFileSync(file(), "utf8")).promptCustomization;

async function prompts() {
  const { headers, body } = await world.call("GET", at());
  const { prompts: all } = body as { prompts: ApiPrompt[] };
  return { etag: headers.get("etag") ?? "", of: Object.fromEntries(all.map((one) => [one.key, one])) };
}

async function change(method: string, rest: string, body?: unknown) {
  const { etag } = await prompts();
  return await world.call(method, at(rest), body, { "if-match": etag });
}

describe("the prompts of seed 000", () => {
  test("are shown with default, variables and character count; nobody has changed them", async () => {
    const { of } = await prompts();
    const system = of.reviewSystemPrompt?.default ?? "";
    expect(system).toContain("**[APPROVED]**");
    expect(of).toMatchObject({
      reviewSystemPrompt: {
        inUse: system,
        characters: system.length,
        custom: null,
        global: null,
        enabled: false,
        from: "default",
        variables: [],
        lint: { unknown: [], missing: [], notes: [] },
      },
      reviewPromptTemplate: {
        default: expect.stringContaining("{gitDiff}"),
        from: "default",
        lint: { unknown: [], missing: [], notes: [] },
      },
    });
    expect(of.reviewPromptTemplate?.variables.map(({ name }) => name)).toEqual([
      "featureTitle",
      "featureDescription",
      "gitDiff",
      "featureSpec",
    ]);
  });

  test("a custom text is in use while it is switched on, and kept while it is off", async () => {
    const on = await change("PUT", "/reviewSystemPrompt", { enabled: true, value: "Be kind." });
    expect(on.status).toBe(200);
    expect(customOnDisk()).toEqual({ codeReview: { reviewSystemPrompt: { enabled: true, value: "Be kind." } } });
    expect((await prompts()).of.reviewSystemPrompt).toMatchObject({
      enabled: true,
      inUse: "Be kind.",
      from: "project",
      characters: 8,
    });
    await change("PUT", "/reviewSystemPrompt", { enabled: false, value: "Be kind." });
    expect((await prompts()).of.reviewSystemPrompt).toMatchObject({
      enabled: false,
      custom: { enabled: false, value: "Be kind." },
      inUse: (await prompts()).of.reviewSystemPrompt?.default,
      from: "default",
    });
  });

  test("the project's word goes over the global one, also when it is switched off", async () => {
    const everywhere = { codeReview: { reviewSystemPrompt: { enabled: true, value: "All of us." } } };
    writeFileSync(globalFile(), JSON.stringify({ promptCustomization: everywhere }));
    expect((await prompts()).of.reviewSystemPrompt).toMatchObject({ from: "global", inUse: "All of us." });
    await change("PUT", "/reviewSystemPrompt", { enabled: false, value: "" });
    expect((await prompts()).of.reviewSystemPrompt).toMatchObject({ from: "default", custom: { enabled: false } });
  });

  test("each can be reset, and all of them; the words of other tools stay", async () => {
    const both = {
      reviewSystemPrompt: { enabled: true, value: "a" },
      reviewPromptTemplate: { enabled: true, value: "b" },
    };
    writeFileSync(file(), JSON.stringify({ promptCustomization: { agent: { theirs: 1 }, codeReview: both } }));
    expect((await change("DELETE", "/reviewSystemPrompt")).status).toBe(200);
    expect(customOnDisk()).toEqual({
      agent: { theirs: 1 },
      codeReview: { reviewPromptTemplate: { enabled: true, value: "b" } },
    });
    expect((await change("DELETE", "")).status).toBe(200);
    expect(customOnDisk()).toEqual({ agent: { theirs: 1 } });
  });

  test("a change without If-Match is refused, an old one is stale, whichever of the files has changed", async () => {
    const change = { enabled: true, value: "x" };
    expect((await world.call("PUT", at("/reviewSystemPrompt"), change)).status).toBe(400);
    const { etag } = await prompts();
    expect((await world.call("GET", at(), undefined, { "if-none-match": etag })).status).toBe(304);
    writeFileSync(globalFile(), "{}");
    const late = await world.call("PUT", at("/reviewSystemPrompt"), change, { "if-match": etag });
    expect([late.status, late.headers.get("etag")]).toEqual([412, (await prompts()).etag]);
  });

  test.for<{ what: string; ask: [string, string, unknown?]; status: number }>([
    { what: "an unknown prompt", ask: ["PUT", "/otherPrompt", { enabled: true, value: "" }], status: 400 },
    { what: "a text that is none", ask: ["PUT", "/reviewSystemPrompt", { enabled: true, value: 3 }], status: 400 },
    { what: "an unknown key", ask: ["PUT", "/reviewSystemPrompt", { enabled: true, value: "", x: 1 }], status: 400 },
    {
      what: "a text that is too long",
      ask: ["PUT", "/reviewSystemPrompt", { enabled: true, value: "x".repeat(200_001) }],
      status: 400,
    },
    {
      what: "a body that is too large",
      ask: ["PUT", "/reviewSystemPrompt", { enabled: true, value: "x".repeat(2 ** 21) }],
      status: 413,
    },
    { what: "an unknown feature", ask: ["POST", "/reviewSystemPrompt/preview", { itemId: "f9" }], status: 404 },
    {
      what: "a feature outside of the project",
      ask: ["POST", "/reviewSystemPrompt/preview", { itemId: "../../etc" }],
      status: 404,
    },
  ])("$what: $status", async ({ ask: [method, rest, body], status }) => {
    expect((await change(method, rest, body)).status).toBe(status);
  });

  test("a settings file that is damaged is not written to", async () => {
    writeFileSync(file(), "{");
    expect((await change("PUT", "/reviewSystemPrompt", { enabled: true, value: "x" })).status).toBe(409);
    expect(readFileSync(file(), "utf8")).toBe("{");
  });

  test("who is not logged in sees nothing, and an unknown project has none", async () => {
    expect((await world.call("GET", at(), undefined, { "x-api-key": "no" })).status).toBe(401);
    expect((await world.call("GET", "/api/projects/none/prompts")).status).toBe(404);
  });
});

describe("a preview", () => {
  const preview = async (key: string, body: object) => {
    const { status, body: answer } = await world.call("POST", at(`/${key}/preview`), body);
    expect(status).toBe(200);
    return answer as ApiPromptPreview;
  };

  test("without a feature is filled in with a made-up one", async () => {
    const { text, lint, itemId, characters } = await preview("reviewPromptTemplate", {});
    expect(itemId).toBeNull();
    expect(text).toContain("+++ b/src/password.ts");
    expect(text).not.toContain("{featureTitle}");
    expect(characters).toBe(text.length);
    expect(lint).toMatchObject({ unknown: [], missing: [] });
  });

  test("shows a real feature, once it was reviewed with its diff", async () => {
    const before = await preview("reviewPromptTemplate", { itemId: "f1" });
    expect(before.text).toContain("Feature 1");
    expect(before.lint.notes).toContain("the feature has not been reviewed yet, so there is no diff");
    const stream = await listen(world);
    await world.call("POST", `/api/projects/${world.ids[0]}/items/f1/start`);
    await stream.until((frames) => frames.some(({ type }) => type === "feature:code-review-approved"));
    stream.close();
    const after = await preview("reviewPromptTemplate", { itemId: "f1", text: "Look at {gitDiff}" });
    expect(after.text).toMatch(/^Look at /);
    expect(after.text).toContain("+++ b/f1.txt");
  });

  test("tells of unknown variables with their place, and of those that are not used", async () => {
    const { text, lint } = await preview("reviewPromptTemplate", { text: "Hi\n {featureTitel} {gitDiff}" });
    expect(lint.unknown).toEqual([{ name: "featureTitel", line: 2, column: 2 }]);
    expect(lint.missing).toEqual(["featureTitle", "featureDescription", "featureSpec"]);
    expect(lint.notes).toEqual(
      expect.arrayContaining([expect.stringContaining("{featureTitel} in line 2, column 2 is unknown")]),
    );
    expect(text).toContain("{featureTitel}");
  });

  test("of the system prompt shows the project's context, and warns of variables that are not filled in there", async () => {
    writeFileSync(join(world.roots[0] ?? "", "CLAUDE.md"), "Tabs, not spaces.");
    const { text, lint } = await preview("reviewSystemPrompt", { text: "Judge {gitDiff} as {path}." });
    expect(text).toMatch(/^Judge \{gitDiff\}/);
    expect(text).toContain("Tabs, not spaces.");
    expect(lint.unknown).toEqual([{ name: "gitDiff", line: 1, column: 7 }]);
  });
});
