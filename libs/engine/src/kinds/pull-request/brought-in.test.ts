import { certificate } from "@anneal/core/write";
import { describe, expect, test } from "vitest";
import { openTestRepo } from "../../../../git/src/testing/make-repo.ts";
import { branch, type ForgeProject, forgeProject, goesOn, head } from "../../golden/testing/forge-project.ts";
import { implementWell } from "../../golden/testing/login-feature.ts";
import * as given from "../../golden/testing/login-review-loop.ts";
import { currentLoop, historyOf } from "../../history/loop-history.ts";

const HELD = { stage: "waiting-for-human", reason: "delivery-refused" };

/** Refined once more, and merged at the head before that. */
async function mergedWithout(act: (project: ForgeProject) => Promise<unknown> = async () => {}) {
  const project = await forgeProject([implementWell, given.passes, given.fixLogin, given.passes]);
  await goesOn(project);
  const first = head(project);
  await project.say(project.id, "refine", "Refuse a login without a password.");
  await goesOn(project);
  project.repo.git("push", "--quiet", "--force", "origin", `${first}:refs/heads/${branch(project)}`);
  await act(project);
  await project.forge.as("alice").merge(1);
  expect(await goesOn(project)).toMatchObject(HELD);
  return project;
}

/** Somebody's own clone, in which they bring to the base what is missing there. */
function onMain({ repo, root, forge, id }: ForgeProject, ...commands: string[][]): void {
  const dir = `${root}/.git/elsewhere`;
  repo.git("clone", "--quiet", forge.dir, dir);
  const clone = openTestRepo(dir);
  clone.git("fetch", "--quiet", root, `feature/${id}`);
  for (const command of commands) clone.git(...command);
  clone.git("push", "--quiet", "origin", "main");
}

async function certified(project: ForgeProject) {
  return await project.read(({ store }) => {
    const row = store === null ? null : currentLoop(store, project.id);
    if (store === null || row === null) throw new Error("it has no loop");
    const { state, events } = historyOf(store, row);
    const source = { state, title: "", branch: null, branchHead: null, secrets: [] };
    return certificate({ ...source, events: events.map(({ event }) => event) });
  });
}

const theirs = async (project: ForgeProject) =>
  await project.forge.as("bob").push(branch(project), { "theirs.txt": "mine\n" });

describe("a pull request that was merged without the last commits, which somebody has brought to the base since", () => {
  test.for([
    { how: "by a merge", commands: [["merge", "--quiet", "--no-edit", "FETCH_HEAD"]] },
    { how: "by a cherry-pick", commands: [["cherry-pick", "FETCH_HEAD"]] },
    {
      how: "by a squash",
      commands: [
        ["merge", "--quiet", "--squash", "FETCH_HEAD"],
        ["commit", "--quiet", "--message", "The rest"],
      ],
    },
  ])("is merged, and its certificate holds: $how", async ({ commands }) => {
    for (const says of [null, "retry"] as const) {
      const project = await mergedWithout();
      onMain(project, ...commands);
      if (says !== null) await project.say(project.id, says);
      expect(await goesOn(project)).toMatchObject({ outcome: "merged", detail: expect.not.stringContaining("NOT") });
      expect(await certified(project)).toMatchObject({ head: head(project), holds: true });
      expect((await project.forge.fromBranch(branch(project))).map(({ number }) => number)).toEqual([1]);
    }
  });

  test.for([
    { what: "a part of them", commands: [["checkout", "--quiet", "FETCH_HEAD", "--", "src/server.js"]] },
    { what: "another change of the same lines", commands: [["rm", "--quiet", "src/auth/login.js"]] },
    {
      what: "them, and took them back",
      commands: [
        ["cherry-pick", "FETCH_HEAD"],
        ["revert", "--no-edit", "HEAD"],
      ],
    },
  ])("is held as before where the base has got $what", async ({ commands }) => {
    const project = await mergedWithout();
    onMain(project, ...commands, ["commit", "--quiet", "--allow-empty", "--message", "Something"]);
    expect(await goesOn(project)).toMatchObject(HELD);
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ pr: { number: 2 }, head: head(project) });
  });

  test.for([{ says: null }, { says: "retry" as const }])(
    "is merged NOT REVIEWED where commits of somebody else were merged with the first ones: %o",
    async ({ says }) => {
      const project = await mergedWithout(theirs);
      onMain(project, ["merge", "--quiet", "--no-edit", "FETCH_HEAD"]);
      if (says !== null) await project.say(project.id, says);
      expect(await goesOn(project)).toMatchObject({
        outcome: "merged",
        detail: expect.stringContaining("NOT REVIEWED"),
      });
      expect(await certified(project)).toMatchObject({ holds: false });
    },
  );

  test("is merged NOT REVIEWED where what somebody else merged holds the same change", async () => {
    const project = await forgeProject([implementWell, given.passes]);
    await goesOn(project);
    const { repo, forge } = project;
    const own = head(project);
    const other = repo.git("commit-tree", `${own}^{tree}`, "-p", `${own}^`, "-m", "Rewritten");
    repo.git("push", "--quiet", "--force", "origin", `${other}:refs/heads/${branch(project)}`);
    await forge.as("alice").merge(1);
    expect(await goesOn(project)).toMatchObject({ outcome: "merged", pr: { mergedHead: other } });
  });
});
