import { join } from "node:path";
import { createFakeForge } from "@anneal/adapters/forges";
import { POLICIES } from "@anneal/core";
import { openRepo } from "@anneal/git";
import { systemClock } from "@anneal/system/clock";
import { DEFAULT_REVIEW_LOOP_CONFIG, Policy } from "@anneal/types";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeRepo } from "../../../../git/src/testing/make-repo.ts";
import { forgeProject } from "../../golden/testing/forge-project.ts";
import { approve, implementWell } from "../../golden/testing/login-feature.ts";
import { passes } from "../../golden/testing/login-review-loop.ts";
import { PERSON } from "../../golden/testing/sample-project.ts";
import { BRANCH, findings, ID, implement, KEY, storiesProject } from "../../golden/testing/sample-stories.ts";
import { policyOf } from "../../items/policy-of.ts";
import { allowPush, featureChoice } from "./pull-requests.ts";

const DEFAULT = "the default for features";

async function choice({ settings = {}, remote }: { settings?: object; remote?: "forge" | "elsewhere" }) {
  const repo = makeRepo({ "README.md": "hello\n", ".automaker/settings.json": JSON.stringify(settings) });
  onTestFinished(() => repo.remove());
  vi.stubEnv("ANNEAL_DATA_DIR", join(repo.dir, ".git", "no-data"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const dir = join(repo.dir, ".git", "forge.git");
  if (remote === "forge") await createFakeForge(dir);
  if (remote !== undefined)
    repo.git("remote", "add", "origin", remote === "forge" ? dir : "https://example.invalid/x.git");
  return await featureChoice(await openRepo(repo.dir), systemClock);
}

describe("a feature that names no policy", () => {
  test.for([
    {
      what: "runs under pull-request where the loop is on and the remote is a forge that knows us",
      given: { remote: "forge" },
      name: "pull-request",
      because: "the review loop is on, and origin is a forge where you are signed in as anneal",
    },
    {
      what: "runs under the gate where the loop is off: only the pull request can be turned off, never the review",
      given: { remote: "forge", settings: { reviewLoop: { enabled: false } } },
      name: "gate",
      because: `${DEFAULT}: the review loop is off in the settings`,
    },
    {
      what: "runs under the gate where the project has no remote",
      given: {},
      name: "gate",
      because: `${DEFAULT}: the project has no remote called origin`,
    },
    {
      what: "runs under the gate where the remote is no forge that we know",
      given: { remote: "elsewhere" },
      name: "gate",
      because: `${DEFAULT}: origin is not on a known forge`,
    },
    {
      what: "runs under the gate where the settings say that there is no forge",
      given: { remote: "forge", settings: { forge: "none" } },
      name: "gate",
      because: `${DEFAULT}: the settings say "forge": "none"`,
    },
    {
      what: "runs under the gate where the forge cannot be used, and says why",
      given: { remote: "elsewhere", settings: { forge: "fake:/nowhere" } },
      name: "gate",
      because: expect.stringMatching(`^${DEFAULT}: the forge cannot be used: /nowhere is not a fake forge`),
    },
  ] as const)("$what", async ({ given, name, because }) => {
    expect(await choice(given)).toEqual({ name, because });
  });
});

test("a policy that the feature names wins over the forge, and one that the run names over both", async () => {
  const project = await forgeProject([implementWell, approve], { feature: { policy: "gate" } });
  const { settled } = await project.run([project.id]);
  expect(settled.get(project.id)).toMatchObject({ outcome: "passed", pr: null });
  expect((await project.notifications())[0]?.event).toMatchObject({
    because: "the feature names it",
    policy: { name: "gate" },
  });
});

describe("the settings of the review loop shape the policy", () => {
  const shaped = async (reviewLoop: object) => {
    const settings = { policies: [], budgets: {}, reviewLoop: { ...DEFAULT_REVIEW_LOOP_CONFIG, ...reviewLoop } };
    const { policy } = await policyOf({ name: "pull-request", because: "" }, settings, "/p");
    expect(Policy.parse(policy)).toEqual(policy);
    return policy;
  };

  test.for([
    { config: {}, leads: { reviews: 3, fixes: 2, feedback: 5 }, blocksAt: "medium" },
    { config: { maxIterations: 1 }, leads: { reviews: 1, fixes: 0 }, blocksAt: "medium" },
    { config: { severityThreshold: "suggestion" }, leads: { reviews: 3 }, blocksAt: "info" },
    { config: { severityThreshold: "critical" }, leads: { reviews: 3 }, blocksAt: "critical" },
    { config: { autoAddressReviewComments: false }, leads: { feedback: 0 }, blocksAt: "medium" },
    { config: { selfReviewBeforePR: false }, leads: { reviews: 0, fixes: 0 }, blocksAt: "medium" },
  ])("$config", async ({ config, leads, blocksAt }) => {
    expect(await shaped(config)).toMatchObject({ name: "pull-request", limits: leads, pass: { blocksAt } });
  });

  test("and a policy of the user's own under that name is left as it is", async () => {
    const own = { ...POLICIES["pull-request"], title: "Mine" };
    const settings = { policies: [own], budgets: {}, reviewLoop: { ...DEFAULT_REVIEW_LOOP_CONFIG, maxIterations: 9 } };
    expect((await policyOf({ name: "pull-request", because: "" }, settings, "/p")).policy).toEqual({
      ...own,
      caps: {},
    });
  });
});

describe("a run that stays", () => {
  test("listens until the pull request is merged, and goes on with what is said", async () => {
    const project = await forgeProject([implementWell, passes]);
    const alice = project.forge.as("alice");
    const { settled } = await project.run([project.id], {
      stays: true,
      onEvent: ({ event, state }) => {
        const ready = event.type === "feedback-received" && state.stage === "waiting-for-human";
        if (ready) void alice.review(1, { state: "approved" });
      },
    });
    expect(settled.get(project.id)).toMatchObject({ outcome: "merged" });
    expect(await project.states()).toEqual(expect.arrayContaining(["ready_for_human_review", "approved", "merged"]));
  });

  test("looks again when the settings say, from the first time on", async () => {
    const project = await forgeProject([implementWell, passes], { settings: { pullRequests: { pollMs: 1_234 } } });
    const waits: number[] = [];
    const { sleep } = project.clock;
    project.clock.sleep = (ms, signal) => {
      waits.push(ms);
      return sleep(ms, signal);
    };
    const alice = project.forge.as("alice");
    await project.run([project.id], {
      stays: true,
      onEvent: ({ event }) => {
        if (event.type === "pr-opened") void alice.merge(1);
      },
    });
    expect(waits).toContain(1_234);
    expect(waits).not.toContain(30_000);
  });

  test("ends when it is stopped, and the next one goes on", async () => {
    const project = await forgeProject([implementWell, passes]);
    const stop = new AbortController();
    const onEvent = ({ event }: { event: { type: string } }) => {
      if (event.type === "pr-opened") stop.abort();
    };
    await project.run([project.id], { stays: true, signal: stop.signal, onEvent });
    expect(project.session().state).toBe("awaiting_pr_feedback");
    await project.forge.as("alice").merge(1);
    const { settled } = await project.run([project.id], { stays: true });
    expect(settled.get(project.id)).toMatchObject({ outcome: "merged" });
  });
});

test("a story that passes becomes a pull request of what was reviewed and its findings documents, and ends there", async () => {
  const project = await storiesProject({ [ID]: [implement, findings(1, [0, 0, 0])] });
  const { repo, root, clock } = project;
  const dir = join(root, ".git", "forge.git");
  const forge = await createFakeForge(dir, { clock });
  repo.git("remote", "add", "origin", dir);
  repo.git("push", "--quiet", "origin", "main");
  const waits = (await project.runStories()).settled.get(KEY);
  expect(waits).toMatchObject({ reason: "push-consent" });
  expect(repo.git("ls-remote", "origin").split("\n"), "nothing is pushed before somebody agrees").toHaveLength(2);
  await allowPush(root, { url: dir, by: PERSON, at: clock.now() });
  await project.say(KEY, "retry");
  expect((await project.runStories()).settled.get(KEY)).toMatchObject({ outcome: "passed", pr: { number: 1 } });
  expect(await forge.get(1)).toMatchObject({ title: "Lend books to readers", base: "main", draft: false });
  expect(repo.git("ls-remote", "origin", BRANCH)).toContain(repo.git("rev-parse", BRANCH));
});
