import { describe, expect, test } from "vitest";
import { type ForgeProject, forgeProject } from "../golden/testing/forge-project.ts";
import { implementWell } from "../golden/testing/login-feature.ts";
import * as given from "../golden/testing/login-review-loop.ts";

async function goesOn({ run, id }: ForgeProject) {
  const { settled, broken } = await run([id]);
  expect([...broken]).toEqual([]);
  return settled.get(id);
}

const branch = ({ id }: ForgeProject) => `feature/${id}`;
const opened = [implementWell, given.passes];
const HELD = { stage: "waiting-for-human", reason: "delivery-refused" };

async function ready() {
  const project = await forgeProject(opened);
  await goesOn(project);
  await project.say(project.id, "ready");
  expect(await goesOn(project)).toMatchObject({ reason: "ready-for-human" });
  return project;
}

describe("a pull request that is ready for people, on whose branch somebody else pushes", () => {
  test.for([
    { then: "nothing more", act: async () => {} },
    {
      then: "an approval of that",
      act: async ({ forge }: ForgeProject) => void (await forge.as("alice").review(1, { state: "approved" })),
    },
    {
      then: "a request for changes",
      act: async ({ forge }: ForgeProject) =>
        void (await forge
          .as("alice")
          .review(1, { state: "changes_requested", body: "Please refuse empty passwords." })),
    },
    {
      then: "a red check",
      act: async ({ forge }: ForgeProject, head: string) =>
        void (await forge.setCheck(head, { name: "unit", status: "completed", conclusion: "failure" })),
    },
  ])("is held for a person, whatever comes next: $then", async ({ act }) => {
    const project = await ready();
    const theirs = await project.forge.as("bob").push(branch(project), { "theirs.txt": "mine\n" });
    await act(project, theirs);
    const detail = `somebody else pushed ${theirs} to pull request 1: look at it, then take over`;
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail });
    expect((await project.states()).slice(-2)).toEqual(["addressing_feedback", "awaiting_pr_feedback"]);
    expect(await project.forge.get(1)).toMatchObject({ state: "open" });
  });

  test("listens again after a retry, once their commit is taken away", async () => {
    const project = await ready();
    const { forge, repo, id } = project;
    await forge.as("bob").push(branch(project), { "theirs.txt": "mine\n" });
    await goesOn(project);
    await project.say(id, "retry");
    expect(await goesOn(project)).toMatchObject(HELD);
    repo.git("push", "--quiet", "--force", "origin", branch(project));
    await project.say(id, "retry");
    await forge.as("alice").review(1, { state: "approved" });
    expect(await goesOn(project)).toMatchObject({ outcome: "merged" });
  });
});
