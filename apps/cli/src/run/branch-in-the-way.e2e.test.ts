import { expect, test } from "vitest";
import * as epics from "../../../../libs/engine/src/golden/testing/sample-epics.ts";
import { unitFiles } from "../../../../libs/engine/src/golden/testing/sample-units.ts";
import { project, writes } from "../testing/project.ts";

test.concurrent.for([
  { what: "above it", other: "feature", id: "f1" },
  { what: "below it", other: "topic/old/one", id: "f1", branchName: "topic" },
])("a branch in the way, $what, is named, with what to do", async ({ other, id, branchName }) => {
  const steps = [writes("implementer", "1\n")];
  using here = project({ [id]: { steps, ...(branchName === undefined ? {} : { branchName }) } });
  here.git("branch", other);
  const run = await here.anneal("run", id);
  const branch = branchName ?? `feature/${id}`;
  expect(run.code).toBe(1);
  expect(run.stdout).toBe(
    `✘ ${id} could not run: git cannot have both a branch ${branch} and a branch ${other}: rename that one with git branch -m ${other} NEW-NAME\n`,
  );
});

test.concurrent.for([
  { other: "ticket", branch: "ticket/bucket" },
  { other: "epic", branch: "epic/limits" },
])("the same in an epic, for $branch", async ({ other, branch }) => {
  using here = project({}, { settings: { testCommand: "true" } });
  here.commit(epics.epicFiles({ bucket: {} }));
  here.write({
    ".automaker/scripts/limits/bucket.json": JSON.stringify({
      name: "scripted",
      steps: epics.playedBy("bucket", [epics.build("bucket"), epics.pass]),
    }),
  });
  here.git("branch", other);
  for (const more of [["--dry-run"], []]) {
    const run = await here.anneal("epic", "run", "limits", ...more);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(`git cannot have both a branch ${branch} and a branch ${other}: `);
  }
});

test.concurrent("the same for a unit", async () => {
  using here = project({});
  here.commit(unitFiles("shell", [["Build", "test -e a"]]));
  here.git("branch", "unit/shell/old");
  for (const more of [["--dry-run"], []]) {
    const run = await here.anneal("unit", "run", "shell", ...more);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("PLAN.md:3: git cannot have both a branch unit/shell and a branch unit/shell/old: ");
  }
});
