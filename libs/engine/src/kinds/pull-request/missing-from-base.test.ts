import { join } from "node:path";
import { createFakeForge, redact } from "@anneal/adapters/forges";
import { expect, test } from "vitest";
import { PERSON } from "../../golden/testing/sample-project.ts";
import * as given from "../../golden/testing/sample-stories.ts";
import { allowPush } from "./pull-requests.ts";

test("a story on top of one that must not be published says so, and never advises to push that branch", async () => {
  const next = "docs/stories/2.2.md";
  const files = { [next]: given.storyText("2.2", "Next", `depends_on: [${given.ID}]\n`) };
  const bad = (round: number) => given.findings(round, [1, 0, 0]);
  const steps = [given.implement, bad(1), given.fixElsewhere("a"), bad(2), given.fixElsewhere("b"), bad(3)];
  const project = await given.storiesProject({ [given.ID]: steps }, { files });
  const { repo, root, clock } = project;
  const dir = join(root, ".git", "forge.git");
  await createFakeForge(dir, { clock });
  repo.git("remote", "add", "origin", dir);
  repo.git("push", "--quiet", "origin", "main");
  await allowPush(root, { url: redact(dir), by: PERSON, at: clock.now() });
  await project.runStories();
  await project.say(given.KEY, "accept");
  expect((await project.runStories()).settled.get(given.KEY)).toMatchObject({ outcome: "accepted" });
  const built = { role: "implementer", answer: "Built.", edits: [{ path: "src/next.js", content: "next\n" }] };
  project.plan("2.2", { steps: [built, given.findings(1, [0, 0, 0])] });
  const state = (await project.runStories([next])).settled.get("story:2.2");
  expect(state).toMatchObject({ reason: "delivery-refused", detail: expect.stringContaining(given.BRANCH) });
  expect(state).toMatchObject({
    detail: expect.stringMatching(
      /of story:2\.1-D4, which is not pushed while these findings are open: .*reviewed again.*anneal accept-risk/,
    ),
  });
  expect(state).toMatchObject({ detail: expect.not.stringContaining("git push") });
});
