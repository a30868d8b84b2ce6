import { expect, test } from "vitest";
import { withForge } from "./testing/forge-project.ts";
import * as feature from "./testing/login-feature.ts";
import * as epic from "./testing/sample-epics.ts";
import { sampleProject } from "./testing/sample-project.ts";
import * as unit from "./testing/sample-units.ts";

async function gate() {
  const project = await sampleProject({ files: feature.FILES });
  const id = await project.add(
    { ...feature.FEATURE, policy: "gate" },
    { steps: [feature.implementWell, feature.approve] },
  );
  return { project, run: async () => (await project.run([id])).settled.get(id) };
}

async function scored() {
  const project = await epic.epicsProject({ bucket: {} }, { bucket: [epic.build("bucket"), epic.pass] });
  return { project, run: async () => (await project.runEpic()).settled.get("epic:limits") };
}

async function advisory() {
  const project = await unit.unitsProject({ steps: { greeting: [unit.implement] }, reviews: [unit.clean] });
  return { project, run: async () => (await project.runUnits()).settled.get("unit:greeting") };
}

test.for([
  { policy: "gate", play: gate, outcome: "passed" },
  { policy: "scored", play: scored, outcome: "merged" },
  { policy: "advisory", play: advisory, outcome: "merged" },
])("what ends as $outcome under $policy leaves a forge that it may push to as it was", async ({ play, outcome }) => {
  const { project, run } = await play();
  const { dir } = await withForge(project, "given");
  const refs = () => project.repo.git("-C", dir, "for-each-ref");
  const before = refs();
  expect(await run()).toMatchObject({ outcome });
  expect(refs()).toBe(before);
  expect(before).toContain("refs/heads/main");
});
