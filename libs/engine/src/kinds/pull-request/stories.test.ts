import { POLICIES } from "@anneal/core";
import { READY_COMMENT } from "@anneal/core/notify";
import { certificate } from "@anneal/core/write";
import { describe, expect, test } from "vitest";
import { withForge } from "../../golden/testing/forge-project.ts";
import { passes, selfReview } from "../../golden/testing/login-review-loop.ts";
import * as given from "../../golden/testing/sample-stories.ts";
import { currentLoop, historyOf } from "../../history/loop-history.ts";

const { BRANCH, DOCUMENT, ID, KEY } = given;
const HELD = { stage: "waiting-for-human", reason: "delivery-refused" };
const refines = [given.fix, passes];

/** A story under a policy that listens, whose remote is a fake forge. */
async function storyOnForge(steps: object[], policy = "pull-request", settings: object = {}) {
  const project = await given.storiesProject({ [ID]: steps }, { settings });
  const { repo, say } = project;
  const { forge } = await withForge(project);
  return {
    ...project,
    forge,
    async goesOn() {
      const { settled, broken } = await project.runStories(undefined, 1, { policy });
      expect([...broken]).toEqual([]);
      return settled.get(KEY);
    },
    tells: (...[signal, note]: [Parameters<typeof say>[1], string?]) => say(KEY, signal, note),
    tip: () => repo.git("rev-parse", BRANCH),
    onForge: () => repo.git("ls-remote", "origin", BRANCH).split("\t")[0],
    certified: () =>
      project.read(({ store }) => {
        const row = store === null ? null : currentLoop(store, KEY);
        if (store === null || row === null) throw new Error("it has no loop");
        const { state, events } = historyOf(store, row);
        const branchHead = repo.git("rev-parse", BRANCH);
        const source = { state, title: "", branch: BRANCH, branchHead, secrets: [] };
        return certificate({ ...source, events: events.map(({ event }) => event) });
      }),
  };
}
type Project = Awaited<ReturnType<typeof storyOnForge>>;

async function awaiting(more: object[] = []) {
  const project = await storyOnForge([given.implement, passes, ...more]);
  const state = await project.goesOn();
  expect(state).toMatchObject({ stage: "awaiting-feedback", pr: { number: 1 } });
  expect(state?.documents).toEqual({ commit: project.tip(), of: state?.head });
  expect(state?.head).toBe(project.repo.git("rev-parse", `${BRANCH}~1`));
  expect((await project.forge.get(1)).head.sha).toBe(project.tip());
  return project;
}

async function ready() {
  const project = await awaiting();
  await project.tells("ready");
  return project;
}

async function approved() {
  const project = await ready();
  await project.tells("approve");
  return project;
}

async function refined() {
  const project = await awaiting(refines);
  const first = project.tip();
  await project.tells("refine", "Three books at most.");
  expect(await project.goesOn()).toMatchObject({ stage: "awaiting-feedback" });
  return { ...project, first };
}

describe("the documents of a story's reviews on its pull request", () => {
  test("are the loop's own: where nobody says anything it is ready for people", async () => {
    const { goesOn } = await awaiting();
    expect(await goesOn()).toMatchObject({ reason: "ready-for-human", detail: "no open feedback, no checks" });
  });

  test("do not block feedback: what is asked for is addressed and answered, over the documents of before", async () => {
    const { forge, repo, tip, onForge, goesOn, certified } = await awaiting(refines);
    const first = tip();
    await forge.as("alice").comment(1, "Please lend three books at most.");
    const state = await goesOn();
    expect(state).toMatchObject({ reason: "ready-for-human", rounds: [{ number: 1 }, { number: 2 }] });
    expect(onForge()).toBe(tip());
    expect(repo.git("rev-parse", `${BRANCH}~2`)).toBe(repo.git("rev-parse", `${first}~1`));
    expect(repo.git("diff", "--name-only", `${BRANCH}~1`, BRANCH).split("\n")).toEqual([DOCUMENT(1), DOCUMENT(2)]);
    const [answer, ready] = (await forge.comments(1)).slice(-2).map(({ body }) => body);
    expect(answer).toContain(state?.head?.slice(0, 7));
    expect(ready).toBe(READY_COMMENT);
    await forge.as("alice").review(1, { state: "approved" });
    expect(await goesOn()).toMatchObject({ outcome: "merged", detail: expect.not.stringContaining("NOT") });
    expect(await certified()).toMatchObject({ head: state?.head, documents: tip(), holds: true });
  });

  test.for([
    { while: "feedback is awaited", get: awaiting },
    { while: "it is ready for people", get: ready },
    { while: "it is on its way to the merge", get: approved },
  ])("are merged by hand with what was reviewed, and the certificate holds: while $while", async ({ get }) => {
    const { forge, goesOn, certified, repo, tip, status } = await get();
    expect(await forge.as("alice").merge(1)).toMatchObject({ result: "merged" });
    expect(await goesOn()).toMatchObject({ outcome: "merged", detail: expect.not.stringContaining("NOT") });
    const head = repo.git("rev-parse", `${BRANCH}~1`);
    expect(await certified()).toMatchObject({ head, documents: tip(), holds: true });
    expect(status()).toBe("done");
  });

  test("are merged once a person approves them here", async () => {
    const { forge, goesOn, tip, repo, certified, status } = await approved();
    expect(await goesOn()).toMatchObject({ outcome: "merged", detail: expect.stringMatching(/^merged as/) });
    expect(await forge.get(1)).toMatchObject({ state: "merged", head: { sha: tip() } });
    expect(await certified()).toMatchObject({ head: repo.git("rev-parse", `${BRANCH}~1`), holds: true });
    expect(status()).toBe("done");
  });

  test("give way to those of a refinement, which are listened to as well", async () => {
    const { first, tip, onForge, forge, goesOn } = await refined();
    expect(tip()).not.toBe(first);
    expect(onForge()).toBe(tip());
    await forge.as("alice").review(1, { state: "approved" });
    expect(await goesOn()).toMatchObject({ outcome: "merged" });
  });

  test("do not stand in the way of a further review of the same head", async () => {
    const { tells, goesOn } = await awaiting([passes]);
    await tells("refine");
    expect(await goesOn()).toMatchObject({ stage: "awaiting-feedback", rounds: [{ number: 1 }, { number: 2 }] });
  });

  test("count under a policy of the user's own that listens, too", async () => {
    const listening = { ...POLICIES.adversarial, name: "listening", afterPr: "await-feedback" };
    const steps = [given.implement, given.findings(1, [0, 0, 0])];
    const { goesOn, forge } = await storyOnForge(steps, "listening", { policies: [listening] });
    expect(await goesOn()).toMatchObject({ stage: "awaiting-feedback" });
    await forge.as("alice").review(1, { state: "approved" });
    expect(await goesOn()).toMatchObject({ outcome: "merged" });
  });
});

describe("a story's pull request that is not as it was left", () => {
  test.for([
    { to: "the documents of before", of: ({ first }: { first: string }) => first },
    { to: "what was reviewed, without documents", of: ({ tip }: Project) => `${tip()}~1` },
  ])("because it was put back to $to holds the loop, and a retry pushes it again", async ({ of }) => {
    const project = await refined();
    const { repo, goesOn, onForge, tip, tells } = project;
    const back = repo.git("rev-parse", of(project));
    repo.git("push", "--quiet", "--force", "origin", `${back}:refs/heads/${BRANCH}`);
    const detail = expect.stringContaining(`the branch of pull request 1 was reset to ${back}`);
    expect(await goesOn()).toMatchObject({ ...HELD, detail });
    await tells("retry");
    expect(await goesOn()).toMatchObject({ stage: "awaiting-feedback" });
    expect(onForge()).toBe(tip());
  });

  test("because somebody pushed on top of the documents holds the loop", async () => {
    const { forge, goesOn } = await ready();
    const theirs = await forge.as("bob").push(BRANCH, { "theirs.txt": "mine\n" });
    const detail = `someone else pushed ${theirs} to pull request 1: check that commit, then use take-over`;
    expect(await goesOn()).toMatchObject({ ...HELD, detail });
    expect(await forge.as("alice").merge(1)).toMatchObject({ result: "merged" });
    expect(await goesOn()).toMatchObject({ outcome: "merged", pr: { mergedHead: theirs } });
  });

  test("because it was merged at the documents of before is held with what is missing, and goes on in another", async () => {
    const { first, repo, forge, goesOn, tells, tip, certified } = await refined();
    repo.git("push", "--quiet", "--force", "origin", `${first}:refs/heads/${BRANCH}`);
    await forge.as("alice").merge(1);
    const head = repo.git("rev-parse", `${BRANCH}~1`);
    expect(await goesOn()).toMatchObject({ ...HELD, detail: expect.stringContaining(`, without ${head}`) });
    await tells("retry");
    expect(await goesOn()).toMatchObject({ pr: { number: 2 }, head });
    expect(await forge.get(2)).toMatchObject({ head: { sha: tip() } });
    await tells("ready");
    await tells("approve");
    expect(await goesOn()).toMatchObject({ outcome: "merged" });
    expect(await certified()).toMatchObject({ head, holds: true });
  });

  test.for([
    { while: "feedback is awaited", get: awaiting },
    { while: "it is on its way to the merge", get: approved },
  ])(
    "because the reviewed head was merged without its documents is merged all the same: while $while",
    async ({ get }) => {
      const { repo, forge, goesOn, certified } = await get();
      const head = repo.git("rev-parse", `${BRANCH}~1`);
      repo.git("push", "--quiet", "--force", "origin", `${head}:refs/heads/${BRANCH}`);
      await forge.as("alice").merge(1);
      expect(await goesOn()).toMatchObject({ outcome: "merged", detail: "merged on the forge" });
      expect(await certified()).toMatchObject({ head, holds: true });
    },
  );

  test("because it was closed while it was refined ends the loop, and opens no other", async () => {
    const { forge, goesOn, tells } = await awaiting(refines);
    await tells("refine", "Three books at most.");
    await forge.as("alice").close(1);
    expect(await goesOn()).toMatchObject({ stage: "ended", outcome: "closed" });
    expect((await forge.fromBranch(BRANCH)).map(({ number }) => number)).toEqual([1]);
  });
});

test("documents that a stopped loop left on the forge give way to the next loop of its story", async () => {
  const fails = selfReview("critical_issues", [{ severity: "critical", category: "security", description: "No." }], "");
  const { tells, goesOn, plan, tip, onForge, status } = await awaiting([given.fix, fails, given.babble]);
  await tells("refine", "Three books at most.");
  await goesOn();
  expect(tip()).not.toBe(onForge());
  await tells("stop");
  expect(status()).toBe("pending");
  plan(ID, { steps: [given.implement, passes] });
  expect(await goesOn()).toMatchObject({ stage: "awaiting-feedback" });
  expect(onForge()).toBe(tip());
});
