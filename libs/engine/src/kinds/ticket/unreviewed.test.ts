import { certificate } from "@anneal/core/write";
import { describe, expect, test } from "vitest";
import * as given from "../../golden/testing/sample-epics.ts";
import { currentLoop, historyOf } from "../../history/loop-history.ts";
import { planEpic } from "./plan.ts";

const OLD = "ticket:limits/old";
const CHAIN = { old: {}, next: { after: ["old"] }, last: { after: ["next"] }, alone: {} };

/** An epic of which a file of somebody else calls the first ticket completed. */
async function begun(recorded: object = {}): Promise<given.EpicsProject> {
  const played = (id: string) => [given.build(id), given.pass];
  const project = await given.epicsProject(CHAIN, {
    next: played("next"),
    last: played("last"),
    alone: played("alone"),
  });
  const { repo } = project;
  const baseline_commit = repo.git("rev-parse", "main");
  repo.git("switch", "--quiet", "--create", "ticket/old");
  repo.write({ "src/old.js": "export {};\n" });
  repo.git("add", "src/old.js");
  repo.git("commit", "--quiet", "--message", "by nobody");
  const git_info = { final_commit: repo.git("rev-parse", "HEAD") };
  repo.git("switch", "--quiet", "main");
  const tickets = { old: { status: "completed", git_info, ...recorded } };
  const state = { epic_id: "limits", baseline_commit, epic_branch: "epic/limits", status: "in-progress", tickets };
  repo.write({ [given.STATE]: JSON.stringify(state) });
  return project;
}

/** What the certificates of these items name as not reviewed. */
async function named(project: given.EpicsProject, keys: readonly string[]) {
  return await project.read(({ store }) =>
    Object.fromEntries(
      keys.map((key) => {
        const row = store === null ? null : currentLoop(store, key);
        if (store === null || row === null) return [key, "no loop"];
        const { events, state } = historyOf(store, row);
        const about = { title: key, branch: null, branchHead: state.head, secrets: [] };
        const made = certificate({ events: events.map(({ event }) => event), state, ...about });
        return [key, made?.unreviewed];
      }),
    ),
  );
}

const marks = (project: given.EpicsProject) =>
  project.read(async (reader) => {
    const { root } = project;
    const found = await planEpic(reader, "limits", { caller: { cwd: root, here: root, root } });
    return found.ok ? found.plan.tickets.filter((one) => one.unreviewed).map(({ id }) => id) : found.problems;
  });

describe("a ticket that only epic-state.json calls completed", () => {
  test("counts as completed, and is reported as not reviewed wherever something builds on it", async () => {
    const project = await begun();
    expect(await marks(project)).toEqual(["old"]);
    const { settled } = await project.runEpic({ tickets: ["next", "last", "alone"] });
    expect(settled.get("epic:limits")).toMatchObject({ stage: "ended", outcome: "merged" });
    const keys = ["ticket:limits/next", "ticket:limits/last", "ticket:limits/alone", "epic:limits"];
    expect(await named(project, keys)).toEqual({
      "ticket:limits/next": [OLD],
      "ticket:limits/last": [OLD],
      "ticket:limits/alone": undefined,
      "epic:limits": [OLD],
    });
    const sentence = "this work builds on tickets that only epic-state.json calls completed, without a review: ";
    expect(project.troubles.filter((one) => one.includes("not reviewed")).sort()).toEqual([
      `epic:limits: ${sentence}${OLD}`,
      `ticket:limits/last: ${sentence}${OLD}`,
      `ticket:limits/next: ${sentence}${OLD}`,
    ]);
    expect(await marks(project), "the mark outlives the run").toEqual(["old"]);
  });

  test("is named by a feature that builds on its epic or on a ticket after it", async () => {
    const project = await begun();
    await project.runEpic({ tickets: ["next", "last", "alone"] });
    const steps = [
      { role: "implementer", answer: "Done.", edits: [given.code("page", "1")] },
      { role: "reviewer", answer: "No." },
    ];
    const page = async (...dependencies: string[]) =>
      await project.add({ title: "Page", description: "A page", dependencies }, { steps });
    const features = [await page("epic:limits"), await page("ticket:limits/last"), await page("ticket:limits/alone")];
    await project.run(features);
    expect(Object.values(await named(project, features))).toEqual([[OLD], [OLD], undefined]);
  });

  test("counts as reviewed where that file says that its review approved it", async () => {
    const project = await begun({ review_approved: true });
    expect(await marks(project)).toEqual([]);
    await project.runEpic({ tickets: ["next", "last", "alone"] });
    expect(await named(project, ["ticket:limits/next", "epic:limits"])).toEqual({
      "ticket:limits/next": undefined,
      "epic:limits": undefined,
    });
  });
});
