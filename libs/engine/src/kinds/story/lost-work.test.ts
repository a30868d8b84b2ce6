import { expect, test } from "vitest";
import type { TestRepo } from "../../../../git/src/testing/make-repo.ts";
import { BRANCH, findings, ID, implement, storiesProject, storyText } from "../../golden/testing/sample-stories.ts";

const NEXT = "docs/stories/2.2.md";
const next = { role: "implementer", answer: "Built.", edits: [{ path: "src/next.js", content: "export {};\n" }] };

const LOST = new RegExp(
  `${NEXT}: story 2.2 cannot start: the work of story ${ID} \\([0-9a-f]{12}\\) is neither on ${BRANCH} nor in main: restore it with git branch -f ${BRANCH} ([0-9a-f]{12});`,
);

test.for<{ what: string; does: (repo: TestRepo) => void; is: "lost" | "passed" }>([
  { what: "was put back", does: (repo) => repo.git("branch", "--force", BRANCH, "main"), is: "lost" },
  { what: "was put back by a part", does: (repo) => repo.git("branch", "--force", BRANCH, `${BRANCH}~2`), is: "lost" },
  { what: "is gone", does: (repo) => repo.git("branch", "-D", BRANCH), is: "lost" },
  {
    what: "is gone and merged as a squash that was changed since",
    does: (repo) => {
      repo.git("merge", "--quiet", "--squash", BRANCH);
      repo.git("commit", "--quiet", "--message", "Lend books (#1)");
      repo.write({ "src/loans.js": "export const lend = null;\n" });
      repo.git("commit", "--quiet", "--all", "--message", "changed since");
      repo.git("branch", "-D", BRANCH);
    },
    is: "passed",
  },
])("a story that builds on one whose branch $what is $is", async ({ does, is }) => {
  const files = { [NEXT]: storyText("2.2", "Next", `depends_on: ${ID}\n`) };
  const steps = { [ID]: [implement, findings(1, [0, 0, 0])], "2.2": [next, findings(1, [0, 0, 0])] };
  const project = await storiesProject(steps, { files });
  await project.runStories();
  const { repo } = project;
  const tip = repo.git("rev-parse", "--short=12", BRANCH);
  does(repo);
  const { settled, broken } = await project.runStories([NEXT]);
  if (is === "passed") return expect(settled.get("story:2.2")).toMatchObject({ outcome: "passed" });
  const [, back] = LOST.exec(String(broken.get("story:2.2"))) ?? [];
  expect([settled.size, back]).toEqual([0, tip]);
  repo.git("branch", "--force", BRANCH, tip);
  expect((await project.runStories([NEXT])).settled.get("story:2.2")).toMatchObject({ outcome: "passed" });
});
