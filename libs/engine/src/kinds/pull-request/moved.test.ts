import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFakeForge } from "@anneal/adapters/forges";
import { READY_COMMENT } from "@anneal/core/notify";
import { describe, expect, test } from "vitest";
import { branch, type ForgeProject, forgeProject, goesOn } from "../../golden/testing/forge-project.ts";
import { implementWell } from "../../golden/testing/login-feature.ts";
import * as given from "../../golden/testing/login-review-loop.ts";

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
    const detail = `someone else pushed ${theirs} to pull request 1: check that commit, then use take-over`;
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail });
    expect((await project.states()).slice(-2)).toEqual(["ready_for_human_review", "awaiting_pr_feedback"]);
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

  test("because it was deleted after its only push is reported, too", async () => {
    const project = await ready();
    await project.forge.as("bob").deleteBranch(branch(project));
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail: expect.stringContaining("is gone") });
  });

  test("is waited for while only the forge's own books are behind", async () => {
    const { project, first, head } = await twice();
    const { forge, repo, clock, id, root } = project;
    // Records of its own, separate from the remote: as if it had not seen the second push yet.
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

describe("a pull request that its forge does not show any more", () => {
  const numbers = async (project: ForgeProject) =>
    (await project.forge.fromBranch(branch(project))).map(({ number }) => number);
  const detail = "pull request 1 does not exist any more: find out why; retry opens a new one";

  test.for([
    { when: "awaits feedback", get: () => forgeProject([...opened, given.fixLogin, given.passes]) },
    { when: "is ready for people", get: ready },
  ])("holds a loop that $when, and a retry opens one new one for the reviewed head", async ({ get }) => {
    const project = await get();
    const { forge, repo, id } = project;
    await goesOn(project);
    await forge.removePull(1);
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail });
    await project.say(id, "retry");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", pr: { number: 2 } });
    expect(await numbers(project)).toEqual([2]);
    expect((await forge.get(2)).head.sha).toBe(repo.git("rev-parse", branch(project)));
    await forge.as("alice").review(2, { state: "approved" });
    expect(await goesOn(project)).toMatchObject({ outcome: "merged" });
  });

  test("holds one whose feedback was being addressed, and what was said there needs no answer", async () => {
    const project = await forgeProject([...opened, given.fixLogin, given.passes]);
    const { forge, id } = project;
    await goesOn(project);
    await forge.as("alice").comment(1, "Please refuse a login without a password.");
    const file = join(forge.dir, "anneal-fake-forge.json");
    await project.run([id], {
      onEvent: ({ event }) => {
        if (event.type !== "fixed") return;
        writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), pulls: [] }));
      },
    });
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail });
    expect(await numbers(project)).toEqual([]);
    await project.say(id, "retry");
    expect(await goesOn(project)).toMatchObject({ reason: "ready-for-human" });
    expect(await numbers(project)).toEqual([1]);
    expect((await forge.comments(1)).map(({ body }) => body)).toEqual([READY_COMMENT]);
  });

  test("is not opened twice where the answer to its opening got lost", async () => {
    const project = await forgeProject(opened);
    await goesOn(project);
    await project.forge.removePull(1);
    await goesOn(project);
    await project.say(project.id, "retry");
    await project.forge.loseAnswers(1);
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
    expect(await numbers(project)).toEqual([2]);
  });

  test("holds a merge that was approved: the new one is approved anew", async () => {
    const project = await ready();
    await project.say(project.id, "approve");
    await project.forge.removePull(1);
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail });
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", pr: { number: 2 } });
  });
});

describe("a pull request that somebody closes while its loop waits for something else", () => {
  const held = async ({ forge, id }: ForgeProject) => void (await forge.as("bob").deleteBranch(`feature/${id}`));
  test.for([
    { wait: "is held", get: () => forgeProject(opened), act: held },
    { wait: "is paused", get: () => forgeProject(opened), act: ({ say, id }: ForgeProject) => say(id, "pause") },
    {
      wait: "is held in its merge",
      get: ready,
      act: async (project: ForgeProject) => {
        await project.say(project.id, "approve");
        await held(project);
      },
    },
  ])("is over, and the same run neither begins it anew nor opens another: the loop $wait", async ({ get, act }) => {
    const project = await get();
    const { forge, id, run } = project;
    await goesOn(project);
    await act(project);
    await goesOn(project);
    await forge.as("alice").close(1);
    const { settled } = await run();
    expect(settled.get(id)).toMatchObject({ stage: "ended", outcome: "closed" });
    expect((await forge.fromBranch(branch(project))).map(({ number }) => number)).toEqual([1]);
    expect(project.feature(id).status).toBe("waiting_approval");
  });
});

describe("a branch that is not there when an approved pull request is merged", () => {
  test.for([
    { what: "gone", to: "", says: "is gone" },
    { what: "put back", to: "main", says: "was reset to" },
  ])("because it is $what holds the merge, and a retry pushes the reviewed head again", async ({ to, says }) => {
    const project = await ready();
    const { repo, id } = project;
    const head = repo.git("rev-parse", branch(project));
    await project.say(id, "approve");
    repo.git("push", "--quiet", "--force", "origin", `${to}:refs/heads/${branch(project)}`);
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail: expect.stringContaining(says) });
    await project.say(id, "retry");
    expect(await goesOn(project)).not.toMatchObject(HELD);
    expect(repo.git("ls-remote", "origin", branch(project)).split("\t")[0]).toBe(head);
    expect(await project.forge.get(1)).toMatchObject({ state: "open" });
  });
});

describe("a forge that cannot be read", () => {
  test("for good holds every loop that listens, and a retry listens again", async () => {
    const project = await forgeProject(opened);
    await goesOn(project);
    const file = join(project.forge.dir, "anneal-fake-forge.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, "{");
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail: expect.stringContaining("restore an earlier") });
    expect(project.troubles).toEqual([]);
    writeFileSync(file, text);
    await project.forge.as("alice").review(1, { state: "approved" });
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ outcome: "merged" });
  });

  test("because the project has none any more holds its loop, too", async () => {
    const project = await forgeProject(opened);
    await goesOn(project);
    project.repo.git("remote", "remove", "origin");
    const why = "the pull request is not watched, because the project has no remote called origin";
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail: why });
  });

  test("for a while is reported with the result, and the loop goes on listening", async () => {
    const project = await forgeProject(opened);
    const { forge, clock, run, id } = project;
    await goesOn(project);
    await forge.limitUntil(clock.now() + 3_600_000);
    const { settled, unheard } = await run([id]);
    expect(settled.get(id)).toMatchObject({ stage: "awaiting-feedback" });
    expect([...unheard]).toEqual([[id, expect.stringContaining("accepts no more requests")]]);
    await forge.limitUntil(null);
    expect([...(await run([id])).unheard]).toEqual([]);
  });
});
