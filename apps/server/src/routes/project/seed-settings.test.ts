import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_REVIEW_LOOP_CONFIG } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getPromptCustomization } from "../../lib/settings-helpers.ts";
import { SettingsService } from "../../services/settings-service.ts";
import { serverWorld, type World } from "../../testing/server-world.ts";

let world: World;
beforeAll(async () => {
  world = await serverWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const root = () => world.roots[0] ?? "";
const places = {
  global: { at: () => "/api/settings", file: () => join(world.folder, "data/settings.json") },
  project: {
    at: () => `/api/projects/${world.ids[0]}/settings`,
    file: () => join(root(), ".automaker/settings.json"),
  },
};
const service = () => new SettingsService(join(world.folder, "data"));
const onDisk = (scope: keyof typeof places) => JSON.parse(readFileSync(places[scope].file(), "utf8"));

async function patch(scope: keyof typeof places, change: object): Promise<number> {
  const { headers } = await world.call("GET", places[scope].at());
  const etag = headers.get("etag") ?? "";
  return (await world.call("PATCH", places[scope].at(), change, { "if-match": etag })).status;
}

describe("seed 001's reviewLoop", () => {
  test("has its defaults in the settings service, before anybody has said anything", async () => {
    expect((await service().load(root())).settings.reviewLoop).toEqual(DEFAULT_REVIEW_LOOP_CONFIG);
  });

  test("is saved with the other settings, and survives a restart of the server", async () => {
    const before = onDisk("project");
    const reviewLoop = { maxIterations: 5, severityThreshold: "high", notificationChannels: ["slack"] };
    // Only a channel that is set up can be chosen.
    expect(await patch("project", { reviewLoop })).toBe(400);
    const slack = { webhookUrl: "https://hooks.slack.com/services/T0/B0/X0" };
    expect(await patch("global", { notifications: { slack } })).toBe(200);
    expect(await patch("project", { reviewLoop })).toBe(200);
    expect(await patch("global", { reviewLoop: { notifyOnReady: false } })).toBe(200);
    expect(onDisk("project")).toEqual({ ...before, reviewLoop });
    await world.stop();
    await world.start();
    const { body } = await world.call("GET", `${places.project.at()}/effective`);
    const { values } = body as { values: { path: string; value: unknown }[] };
    const told = values.filter(({ path }) => path.startsWith("reviewLoop."));
    const whole = { ...DEFAULT_REVIEW_LOOP_CONFIG, notifyOnReady: false, ...reviewLoop };
    expect(Object.fromEntries(told.map(({ path, value }) => [path.replace("reviewLoop.", ""), value]))).toEqual(whole);
    expect((await service().load(root())).settings.reviewLoop).toEqual(whole);
  });
});

describe("seed 000's promptCustomization.codeReview", () => {
  const words = (value: string, enabled = true) => ({ promptCustomization: { codeReview: word(value, enabled) } });
  const word = (value: string, enabled: boolean) => ({ reviewSystemPrompt: { enabled, value } });

  test("is written to the global file and to the project's, and read from both", async () => {
    expect(await patch("global", words("All of us."))).toBe(200);
    expect(onDisk("global")).toMatchObject(words("All of us."));
    const { codeReview: everywhere } = await getPromptCustomization(service(), root());
    expect(everywhere.reviewSystemPrompt).toEqual({ enabled: true, value: "All of us." });
    expect(await patch("project", words("We here."))).toBe(200);
    expect(onDisk("project")).toMatchObject(words("We here."));
    const { codeReview: here } = await getPromptCustomization(service(), root());
    expect(here.reviewSystemPrompt).toEqual({ enabled: true, value: "We here." });
  });

  test("getPromptCustomization has codeReview merged with the defaults", async () => {
    writeFileSync(places.project.file(), JSON.stringify(words("Kept.", false)));
    const { codeReview } = await getPromptCustomization(service(), root());
    expect(codeReview).toEqual({
      reviewSystemPrompt: { enabled: false, value: expect.stringContaining("**[APPROVED]**") },
      reviewPromptTemplate: { enabled: false, value: expect.stringContaining("{gitDiff}") },
    });
  });
});
