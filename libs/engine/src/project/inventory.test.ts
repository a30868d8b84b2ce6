import { expect, test } from "vitest";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { epicFiles } from "../golden/testing/sample-epics.ts";
import { unitFiles } from "../golden/testing/sample-units.ts";
import { inventoryOf } from "./inventory.ts";

const EPIC = ".epics/limits/limits.epic.yaml";

test("stories with an invalid id, an unknown status, or a branch that is not their own, are reported", async () => {
  using repo = makeRepo({
    "stories/away.md": "---\nid: ../../etc\nstatus: pending\n---\n\n# Away\n",
    "stories/2.1.md": "---\nid: '2.1'\nstatus: weird\n---\n\n# Story 2.1: Lend\n",
    "stories/2.2.md": "---\nid: '2.2'\nstatus: review\nbranch: main\n---\n\n# Story 2.2: Take back\n",
    "stories/2.3.md": "---\nid: '2.3'\nstatus: Done\nbranch: main\n---\n\n# Story 2.3: Sell\n",
  });
  const stories = (await inventoryOf({ here: repo.dir, root: repo.dir })).groups.find(({ kind }) => kind === "story");
  expect(stories?.items.map(({ id }) => id).sort()).toEqual(["2.2", "2.3"]);
  expect(stories?.problems).toMatchObject([
    { file: "stories/2.1.md", line: 3, message: expect.stringContaining('status: unknown value "weird"; known:') },
    { file: "stories/away.md", line: 2 },
    {
      file: "stories/2.2.md",
      line: 4,
      message: "story 2.2 would commit to main, which other work is merged into: give the story another `branch`",
    },
  ]);
});

test("branches that git cannot hold next to others are reported, whatever the kind of their items", async () => {
  const feature = (id: string, more: object) => ({
    [`.automaker/features/${id}/feature.json`]: JSON.stringify(
      { id, description: id, status: "backlog", ...more },
      null,
      2,
    ),
  });
  using repo = makeRepo({
    "stories/2.1.md": "---\nid: '2.1'\nbranch: old\n---\n\n# Story 2.1: Lend\n",
    "stories/2.2.md": "---\nid: '2.2'\nbranch: old/one\n---\n\n# Story 2.2: Take back\n",
    "stories/2.3.md": "---\nid: '2.3'\nstatus: done\nbranch: old\n---\n\n# Story 2.3: Sell\n",
    ".automaker/settings.json": '{"testCommand":"true"}',
    ...epicFiles({ bucket: {}, route: {} }),
    ...unitFiles("shell", [["Build", "test -e a"]]),
    ...feature("f1", { branchName: "topic" }),
    ...feature("f2", { branchName: "topic/two" }),
    ...feature("f3", { branchName: "old", status: "completed" }),
  });
  for (const branch of ["old/one", "ticket/bucket/x", "epic", "unit"]) repo.git("branch", branch);
  const { groups } = await inventoryOf({ here: repo.dir, root: repo.dir });
  const beside = (wanted: string, other: string) => `git cannot have both a branch ${wanted} and a branch ${other}`;
  const renames = (other: string) => `rename that one with git branch -m ${other} NEW-NAME`;
  expect(Object.fromEntries(groups.map(({ kind, problems }) => [kind, problems]))).toEqual({
    story: [{ file: "stories/2.1.md", line: 3, message: `${beside("old", "old/one")}: ${renames("old/one")}` }],
    epic: [
      { file: EPIC, line: 1, message: `${beside("epic/limits", "epic")}: ${renames("epic")}` },
      { file: EPIC, line: 1, message: `${beside("ticket/bucket", "ticket/bucket/x")}: ${renames("ticket/bucket/x")}` },
    ],
    unit: [
      {
        file: "specs/tasks/shell/IMPLEMENTATION_PLAN.md",
        line: 3,
        message: `${beside("unit/shell", "unit")}: ${renames("unit")}`,
      },
    ],
    feature: [
      {
        file: ".automaker/features/f2/feature.json",
        line: 5,
        message: `${beside("topic/two", "topic")}, which .automaker/features/f1/feature.json:5 asks for: give one of them another name`,
      },
    ],
  });
});

test("units that a run would refuse to begin are reported at their plan: nothing left to do, commits of somebody else on their branch", async () => {
  const unit = (name: string, status = "pending") => {
    const files = unitFiles(name, [["Build", "test -e a"]]);
    const task = `specs/tasks/${name}/01-build.md`;
    return { ...files, [task]: String(files[task]).replace("status: pending", `status: ${status}`) };
  };
  using repo = makeRepo({ ...unit("built", "complete"), ...unit("mine"), ...unit("plain"), ...unit("put") });
  repo.git("branch", "unit/put");
  repo.git("switch", "--quiet", "--create", "unit/mine");
  repo.commit({ "mine.js": "1\n" }, "mine");
  const mine = repo.git("rev-parse", "HEAD").slice(0, 12);
  repo.git("switch", "--quiet", "main");
  repo.git("switch", "--quiet", "--orphan", "unit/plain");
  repo.commit({ "other.js": "1\n" }, "of another history");
  repo.git("switch", "--quiet", "main");
  const refs = repo.git("for-each-ref");
  const units = (await inventoryOf({ here: repo.dir, root: repo.dir })).groups.find(({ kind }) => kind === "unit");
  const at = (name: string) => ({ file: `specs/tasks/${name}/IMPLEMENTATION_PLAN.md`, line: 3 });
  expect(units?.problems).toEqual([
    {
      ...at("built"),
      message:
        "every task of unit built is complete: write orch_status: complete into its plan, or status: pending into the tasks to redo",
    },
    {
      ...at("mine"),
      message: `the branch unit/mine has commits that a new loop would drop (${mine}); rename it with git branch -m unit/mine NAME`,
    },
    { ...at("plain"), message: expect.stringContaining("unit/plain") },
  ]);
  expect(repo.git("for-each-ref")).toBe(refs);
});
