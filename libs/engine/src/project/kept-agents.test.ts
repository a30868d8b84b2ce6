import { rmSync } from "node:fs";
import { join } from "node:path";
import { certificate } from "@anneal/core/write";
import { describe, expect, test } from "vitest";
import { forgeProject } from "../golden/testing/forge-project.ts";
import { implementWell } from "../golden/testing/login-feature.ts";
import { passes } from "../golden/testing/login-review-loop.ts";
import { build, EPIC, epicsProject, pass } from "../golden/testing/sample-epics.ts";
import { MODEL, type SampleProject, sampleProject } from "../golden/testing/sample-project.ts";
import {
  findings,
  implement as implementStory,
  KEY as STORY,
  storiesProject,
} from "../golden/testing/sample-stories.ts";
import { clean, implement as implementUnit, unitsProject } from "../golden/testing/sample-units.ts";
import type { ProjectStore } from "../history/store-log.ts";
import { openStore } from "../log/index.ts";
import type { RunArgs } from "./run.ts";
import { approve, implement } from "./testing/project.ts";

/** A project with an item of a kind, and what its own reviewer answers. */
interface Scene {
  project: SampleProject;
  key: string;
  review: object;
}

const SCENES: Record<string, () => Promise<Scene>> = {
  feature: async () => {
    const project = await sampleProject();
    const key = await project.add({ title: "Login", description: "A login" }, { steps: [implement] });
    return { project, key, review: approve };
  },
  "pull request": async () => {
    const project = await forgeProject([implementWell]);
    return { project, key: project.id, review: passes };
  },
  ticket: async () => {
    const project = await epicsProject({ bucket: {} }, { bucket: [build("bucket")] });
    return { project, key: `ticket:${EPIC}/bucket`, review: pass };
  },
  story: async () => {
    const project = await storiesProject({ "2.1-D4": [implementStory] });
    // Known to the project from then on.
    await project.runStories(undefined, 1, { signal: AbortSignal.abort() });
    return { project, key: STORY, review: findings(1, [0, 0, 0]) };
  },
  unit: async () => {
    const project = await unitsProject({ steps: { greeting: [implementUnit] } });
    return { project, key: "unit:greeting", review: clean };
  },
  branch: async () => {
    const project = await sampleProject();
    project.repo.git("switch", "-q", "-c", "topic");
    project.repo.write({ "code.js": "ok = true;\n" });
    project.repo.git("add", "code.js");
    project.repo.git("commit", "-q", "-m", "code");
    project.plan("topic", { steps: [] });
    return { project, key: "branch:topic", review: findings(1, [0, 0, 0]) };
  },
};

const KINDS = Object.keys(SCENES);

const named = ({ root }: SampleProject, name: string) => `scripted:${join(root, ".automaker/plans", `${name}.json`)}`;

/** An item of a kind whose process went away in its review, which the reviewer `strict` was to give. */
async function interrupted(kind: string): Promise<Scene & { lax: RunArgs["cast"]; other: string }> {
  const scene = await (SCENES[kind] ?? SCENES.feature)?.();
  if (scene === undefined) throw new Error(`there is no scene for ${kind}`);
  const { project, key, review } = scene;
  project.plan("strict", { model: "strict", steps: [review], repeatLast: true });
  project.plan("lax", { model: "lax", steps: [approve], repeatLast: true });
  const other = await project.add({ title: "Other", description: "Another" }, { steps: [implement] });
  const leaves = new AbortController();
  const { broken } = await project.run([key], {
    cast: { reviewer: named(project, "strict") },
    signal: leaves.signal,
    onEvent: ({ event }) => {
      if (event.type === "intended" && event.stage === "reviewing") leaves.abort();
    },
  });
  expect([[...broken], await reviewersOf(project, key)]).toEqual([[], []]);
  return { ...scene, lax: { reviewer: named(project, "lax") }, other };
}

/** The models that answered as reviewers, each once. */
async function reviewersOf(project: SampleProject, key: string): Promise<string[]> {
  const notifications = (await project.notifications()).filter(({ item }) => item === key);
  return [
    ...new Set(notifications.flatMap(({ event }) => (event.type === "reviewed" ? [event.by.model ?? "none"] : []))),
  ];
}

async function certificateOf(project: SampleProject, key: string) {
  const notifications = (await project.notifications()).filter(({ item }) => item === key);
  const state = notifications.at(-1)?.state;
  if (state === undefined) throw new Error(`${key} has no loop`);
  const events = notifications.map(({ event }) => event);
  return certificate({ events, state, title: "", branch: null, branchHead: null, secrets: [] });
}

describe.for(KINDS)("an interrupted loop of the kind %s", (kind) => {
  test("goes on with its own reviewer where a command for another item names one", async () => {
    const { project, key, lax, other } = await interrupted(kind);
    await project.run([other], { cast: lax, policy: "gate" });
    expect(await reviewersOf(project, key)).toEqual(["strict"]);
    expect(await reviewersOf(project, other)).toEqual(["lax"]);
  });

  test("stays interrupted where its own reviewer is gone, and says how it goes on", async () => {
    const { project, key, lax, other } = await interrupted(kind);
    rmSync(join(project.root, ".automaker/plans/strict.json"));
    const { broken } = await project.run([other], { cast: lax, policy: "gate" });
    expect(broken.get(key)?.message).toContain(`anneal run ${key} --reviewer NAME`);
    expect(await reviewersOf(project, key)).toEqual([]);
    expect(await reviewersOf(project, other)).toEqual(["lax"]);
  });

  test("is reviewed by whom a run of it names, and its certificate says so", async () => {
    const { project, key, lax } = await interrupted(kind);
    await project.run([key], { cast: lax });
    expect(await reviewersOf(project, key)).toEqual(["lax"]);
    expect((await certificateOf(project, key))?.agents.reviewer).toBe(lax.reviewer);
  });
});

test.for([
  { command: "anneal run --all", only: undefined, kind: "feature", by: "lax" },
  { command: "anneal run", only: [], kind: "pull request", by: "lax" },
  { command: "anneal run --all", only: undefined, kind: "ticket", by: "strict" },
  { command: "anneal run", only: [], kind: "story", by: "strict" },
  { command: "anneal run --all", only: undefined, kind: "unit", by: "strict" },
  { command: "anneal run", only: [], kind: "branch", by: "strict" },
])("with $command an interrupted loop of the kind $kind is reviewed by the $by one", async ({ only, kind, by }) => {
  const { project, key, lax } = await interrupted(kind);
  await project.run(only, { cast: lax });
  expect(await reviewersOf(project, key)).toEqual([by]);
});

test("what another process asks for takes nothing from the command that happens to own the project", async () => {
  const { project, lax, other } = await interrupted("feature");
  const asked = await project.add({ title: "Asked", description: "For" }, { steps: [implement, approve] });
  const store: ProjectStore = openStore(project.repo, { clock: project.clock });
  store.post({ id: "m", loop: null, body: { kind: "start", item: asked, by: "ada", overrides: {} } });
  store.close();
  await project.run([other], { cast: lax });
  expect([await reviewersOf(project, other), await reviewersOf(project, asked)]).toEqual([["lax"], [MODEL]]);
});
