import { POLICIES } from "@anneal/core";
import { certificate } from "@anneal/core/write";
import { openRepo } from "@anneal/git";
import { describe, expect, test } from "vitest";
import { branch, type ForgeProject, forgeProject, goesOn, head } from "../../golden/testing/forge-project.ts";
import { FEATURE, implementWell } from "../../golden/testing/login-feature.ts";
import * as given from "../../golden/testing/login-review-loop.ts";
import { currentLoop, historyOf } from "../../history/loop-history.ts";
import { isWell } from "../../project/auto-mode.ts";
import { statusOf } from "../../project/status.ts";
import { openPullRequest } from "./pull-requests.ts";

const HELD = { stage: "waiting-for-human", reason: "delivery-refused" };
const refines = [given.fixLogin, given.passes];

async function awaiting(more: object[] = []) {
  const project = await forgeProject([implementWell, given.passes, ...more]);
  expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
  return project;
}

async function ready() {
  const project = await awaiting();
  await project.say(project.id, "ready");
  return project;
}

async function approved() {
  const project = await ready();
  await project.say(project.id, "approve");
  return project;
}

async function paused() {
  const project = await awaiting();
  await project.say(project.id, "pause");
  return project;
}

/** Its process goes away in the middle of the work that feedback asked for. */
async function interrupted() {
  const project = await awaiting(refines);
  await project.say(project.id, "refine", "Refuse a login without a password.");
  const stop = new AbortController();
  const onEvent = ({ event }: { event: { type: string } }) => event.type === "committed" && stop.abort();
  await project.run([project.id], { signal: stop.signal, onEvent });
  return project;
}

async function certified({ read, id }: ForgeProject) {
  return await read(({ store }) => {
    const row = store === null ? null : currentLoop(store, id);
    if (store === null || row === null) throw new Error("it has no loop");
    const { state, events } = historyOf(store, row);
    const source = { state, title: "", branch: null, branchHead: null, secrets: [] };
    return certificate({ ...source, events: events.map(({ event }) => event) });
  });
}

describe("a pull request that somebody pushed to and merged", () => {
  test.for([
    { while: "feedback is awaited", get: awaiting },
    { while: "it is ready for people", get: ready },
    { while: "it is paused", get: paused },
    { while: "it is on its way to the merge", get: approved },
  ])("is recorded at that head, NOT REVIEWED, and certifies nothing: while $while", async ({ get }) => {
    const project = await get();
    const { forge, id } = project;
    const theirs = await forge.as("bob").push(branch(project), { "theirs.txt": "mine\n" });
    expect(await forge.as("alice").merge(1)).toMatchObject({ result: "merged" });
    const state = await goesOn(project);
    const detail = `somebody merged ${theirs}, NOT REVIEWED: this loop is at ${head(project)}`;
    expect(state).toMatchObject({ outcome: "merged", detail, pr: { mergedHead: theirs } });
    expect(await certified(project)).toMatchObject({ head: theirs, holds: false, verdict: { result: "inconclusive" } });
    expect(project.session()).toMatchObject({ state: "merged", notReviewed: true });
    expect(project.feature(id)).toMatchObject({ status: "completed", codeReviewSpec: { status: "pending" } });
  });

  test("is reported in what builds on it", async () => {
    const project = await awaiting();
    await project.forge.as("bob").push(branch(project), { "theirs.txt": "mine\n" });
    await project.forge.as("alice").merge(1);
    await goesOn(project);
    const next = await project.add({ ...FEATURE, dependencies: [project.id] }, { steps: [implementWell] });
    const lines = await project.read((reader) => statusOf(reader));
    expect(lines.find(({ id }) => id === next)).toMatchObject({ mergedUnreviewed: [project.id] });
  });
});

describe("a pull request that somebody merged at the reviewed head", () => {
  test.for([
    { while: "feedback is awaited", get: awaiting },
    { while: "it is ready for people", get: ready },
    { while: "it is paused", get: paused },
    { while: "it is on its way to the merge", get: approved },
  ])("is merged, and its certificate holds: while $while", async ({ get }) => {
    const project = await get();
    const reviewed = head(project);
    await project.forge.as("alice").merge(1);
    expect(await goesOn(project)).toMatchObject({ outcome: "merged", detail: expect.not.stringContaining("NOT") });
    expect(await certified(project)).toMatchObject({ head: reviewed, holds: true });
  });
});

describe("a pull request that somebody merged before the loop's last commits were there", () => {
  /** Refined once more, and put back on the forge before it is merged. */
  async function putBack() {
    const project = await awaiting(refines);
    const first = head(project);
    await project.say(project.id, "refine", "Refuse a login without a password.");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
    project.repo.git("push", "--quiet", "--force", "origin", `${first}:refs/heads/${branch(project)}`);
    return project;
  }
  const said = (signal: "ready" | "pause" | "approve") => async (project: ForgeProject) =>
    void (await project.say(project.id, signal));
  const none = async () => {};
  const theirs = async (project: ForgeProject) =>
    void (await project.forge.as("bob").push(branch(project), { "theirs.txt": "mine\n" }));

  test.for([
    { while: "feedback is awaited", get: putBack, act: none },
    { while: "it is ready for people", get: putBack, act: said("ready") },
    { while: "it is paused", get: putBack, act: said("pause") },
    { while: "it is held for that", get: putBack, act: goesOn },
    {
      while: "it is on its way to the merge",
      get: putBack,
      act: async (project: ForgeProject) => {
        await said("ready")(project);
        await said("approve")(project);
      },
    },
    { while: "its process is gone", get: interrupted, act: none },
    { while: "somebody pushed to that", get: putBack, act: theirs, mark: ", NOT REVIEWED" },
    { while: "somebody pushed to that and its process is gone", get: interrupted, act: theirs, mark: ", NOT REVIEWED" },
  ])(
    "is held with what is missing, and a retry opens a new one for that: while $while",
    async ({ get, act, mark = "" }) => {
      const project = await get();
      const { forge, id } = project;
      await act(project);
      await forge.as("alice").merge(1);
      const merged = (await forge.get(1)).head.sha;
      const held = await goesOn(project);
      const last = head(project);
      expect(merged).not.toBe(last);
      const detail = `pull request 1 was merged at ${merged}${mark}, without ${last}: retry opens a new pull request for the rest`;
      expect(held).toMatchObject({ ...HELD, detail });
      expect(project.feature(id).status).toBe("waiting_approval");
      const seen = (await project.notifications()).length;
      expect(await goesOn(project)).toMatchObject({ ...HELD, detail });
      expect((await project.notifications()).length).toBe(seen);
      await project.say(id, "retry");
      expect(await goesOn(project)).toMatchObject({ pr: { number: 2 }, head: last });
      expect(await forge.get(2)).toMatchObject({ state: "open", head: { sha: last } });
      await forge.as("alice").merge(2);
      expect(await goesOn(project)).toMatchObject({ outcome: "merged" });
      expect(await certified(project)).toMatchObject({ head: last, holds: true });
    },
  );

  test("is reported while something else comes first, and held then", async () => {
    const project = await interrupted();
    const { forge, id, say, troubles } = project;
    await say(id, "pause");
    await forge.as("alice").merge(1);
    expect(await goesOn(project)).toMatchObject({ reason: "paused", backTo: "reviewing" });
    expect(troubles).toEqual([expect.stringContaining(`without ${head(project)}`)]);
    await say(id, "resume");
    expect(await goesOn(project)).toMatchObject({ ...HELD, verdict: { head: head(project) } });
  });

  test("is held also where the forge does not give out what was merged", async () => {
    const project = await awaiting();
    const { forge, repo, id } = project;
    const theirs = await forge.as("bob").push(branch(project), { "theirs.txt": "mine\n" });
    await forge.merge(1, { method: "squash", expectedHead: theirs });
    await forge.as("bob").deleteBranch(branch(project));
    repo.git("-C", forge.dir, "gc", "--quiet", "--prune=now");
    const detail = `pull request 1 was merged at ${theirs}, NOT REVIEWED, but origin does not have that commit, so nobody can tell whether it contains ${head(project)}; retry opens a new pull request, stop ends the loop`;
    expect(await goesOn(project)).toMatchObject({ ...HELD, detail });
    expect(project.feature(id).status).toBe("waiting_approval");
  });

  test("opens no second one without a person's retry, though it is merged while the first is brought up to date", async () => {
    const project = await forgeProject([implementWell, given.passes]);
    const { forge, id, root, clock } = project;
    const state = await goesOn(project);
    if (state?.stage !== "awaiting-feedback") throw new Error("it does not await feedback");
    await forge.as("alice").merge(1);
    const item = { id, title: "", description: "" };
    const job = { name: `${id}~1`, branch: branch(project), policy: POLICIES["pull-request"], item };
    const opening = { ...state, stage: "opening-pr", draft: false } as const;
    const parts = { repo: await openRepo(root), clock };
    const event = await openPullRequest(parts, job, opening, new AbortController().signal);
    expect(event).toMatchObject({ type: "pr-opened", pr: { number: 1 } });
    expect((await forge.fromBranch(branch(project))).map(({ number }) => number)).toEqual([1]);
  });

  test("opens no second one where the answer to its opening got lost", async () => {
    const project = await putBack();
    await project.forge.as("alice").merge(1);
    await goesOn(project);
    await project.say(project.id, "retry");
    await project.forge.loseAnswers(1);
    expect(await goesOn(project)).toMatchObject({ pr: { number: 2 } });
    expect((await project.forge.fromBranch(branch(project))).map(({ number }) => number)).toEqual([2, 1]);
  });
});

describe("a run whose own look at the forge", () => {
  test.for([
    {
      finds: "commits of somebody else",
      act: async (project: ForgeProject) =>
        void (await project.forge.as("bob").push(branch(project), { "theirs.txt": "mine\n" })),
    },
    {
      finds: "the branch gone",
      act: async (project: ForgeProject) => void (await project.forge.as("bob").deleteBranch(branch(project))),
    },
  ])("finds $finds counts the loop that it holds, whichever items it is about", async ({ act }) => {
    for (const only of [[], undefined]) {
      const project = await awaiting();
      await act(project);
      const { settled } = await project.run(only);
      const state = settled.get(project.id);
      expect(state).toMatchObject(HELD);
      expect(state !== undefined && isWell(state)).toBe(false);
      expect([...(await project.run(only)).settled.keys()]).toEqual([]);
    }
  });

  test("finds nothing to hold counts nobody", async () => {
    const project = await ready();
    expect([...(await project.run([])).settled.keys()]).toEqual([]);
  });
});

describe("a pull request that is closed on its way to the merge", () => {
  test("ends at once", async () => {
    const project = await approved();
    await project.forge.as("alice").close(1);
    expect(await goesOn(project)).toMatchObject({ stage: "ended", outcome: "closed" });
    const held = (await project.notifications()).filter(({ event }) => event.type === "delivery-held");
    expect(held).toEqual([]);
  });
});
