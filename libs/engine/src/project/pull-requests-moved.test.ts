import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFakeForge } from "@anneal/adapters/forges";
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
    { next: "nothing more", act: async () => {} },
    {
      next: "an approval of that",
      act: async ({ forge }: ForgeProject) => void (await forge.as("alice").review(1, { state: "approved" })),
    },
    {
      next: "a request for changes",
      act: async ({ forge }: ForgeProject) =>
        void (await forge
          .as("alice")
          .review(1, { state: "changes_requested", body: "Please refuse empty passwords." })),
    },
    {
      next: "a red check",
      act: async ({ forge }: ForgeProject, head: string) =>
        void (await forge.setCheck(head, { name: "unit", status: "completed", conclusion: "failure" })),
    },
  ])("is held for a person, whatever comes next: $next", async ({ act }) => {
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

describe("a branch on the forge that is not where the loop left it", () => {
  /** A pull request whose loop has pushed twice and listens again. */
  async function twice() {
    const project = await forgeProject([...opened, given.fixLogin, given.passes]);
    const { id, repo } = project;
    await goesOn(project);
    const first = repo.git("rev-parse", branch(project));
    await project.say(id, "refine", "Refuse a login without a password.");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
    const head = repo.git("rev-parse", branch(project));
    expect(head).not.toBe(first);
    const onForge = () => repo.git("ls-remote", "origin", branch(project)).split("\t")[0];
    return { project, first, head, main: repo.git("rev-parse", "main"), onForge };
  }
  type Twice = Awaited<ReturnType<typeof twice>>;
  const force = ({ project }: Twice, what: string) =>
    project.repo.git("push", "--quiet", "--force", "origin", `${what}:refs/heads/${branch(project)}`);

  test.for([
    { what: "put back to its first head", act: (on: Twice) => force(on, on.first), says: (on: Twice) => on.first },
    { what: "put back to the base", act: (on: Twice) => force(on, "main"), says: (on: Twice) => on.main },
    { what: "deleted", act: (on: Twice) => force(on, ""), says: () => "is gone" },
  ])("because it was $what holds the loop, and a retry pushes the reviewed head again", async ({ act, says }) => {
    const on = await twice();
    const { project, head, onForge } = on;
    act(on);
    await project.forge.as("alice").comment(1, "Please refuse empty passwords.");
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail: expect.stringContaining(says(on)) });
    expect(await goesOn(project)).toMatchObject(HELD);
    await project.say(project.id, "retry");
    await goesOn(project);
    expect(onForge()).toBe(head);
    expect((await project.forge.fromBranch(branch(project))).map(({ number }) => number)).toEqual([1]);
  });

  test("because it was deleted after its only push is told, too", async () => {
    const project = await ready();
    await project.forge.as("bob").deleteBranch(branch(project));
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail: expect.stringContaining("is gone") });
  });

  test("is waited for while only the forge's own books are behind", async () => {
    const { project, first, head } = await twice();
    const { forge, repo, clock, id, root } = project;
    // Books of its own, beside the remote: as if it had not seen the second push yet.
    const dir = `${forge.dir}.slow`;
    cpSync(forge.dir, dir, { recursive: true });
    const shows = (commit: string) => repo.git("-C", dir, "update-ref", `refs/heads/${branch(project)}`, commit);
    shows(first);
    const path = join(root, ".automaker/settings.json");
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), forge: `fake:${dir}` }));
    const slow = await openFakeForge(dir, { clock });
    expect((await slow.get(1)).head.sha).toBe(first);
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
    await slow.as("alice").review(1, { state: "approved", commit: head });
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
    shows(head);
    expect(await goesOn(project)).toMatchObject({ outcome: "merged" });
    expect(project.feature(id).status).toBe("completed");
  });
});
