import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as given from "../golden/testing/sample-stories.ts";

describe("a story that a person took over, finished in its workspace and marked as done", () => {
  const NEXT = "docs/stories/2.2.md";
  const built = { role: "implementer", answer: "Built.", edits: [{ path: "src/next.js", content: "next\n" }] };

  async function finished() {
    const project = await given.storiesProject(
      { [given.ID]: [given.implement, given.babble, given.babble, given.babble, given.babble] },
      { files: { [NEXT]: given.storyText("2.2", "Next", `depends_on: [${given.ID}]\n`) } },
    );
    project.plan("2.2", { steps: [built, given.findings(1, [0, 0, 0])] });
    await project.runStories();
    expect(await project.say(given.KEY, "take-over")).toMatchObject({ result: "taken" });
    const [folder = ""] = readdirSync(`${project.root}.anneal`).filter((name) => name.startsWith("story-"));
    const tree = join(`${project.root}.anneal`, folder);
    const git = (...args: string[]) => project.repo.git("-C", tree, ...args);
    writeFileSync(join(tree, "by-hand.js"), "mine\n");
    git("add", "by-hand.js");
    project.setStatus("done");
    return { project, tree, git };
  }

  test("has that commit on its branch when another one builds on it", async () => {
    const { project, tree, git } = await finished();
    git("commit", "--quiet", "--message", "by hand");
    const mine = git("rev-parse", "HEAD");
    const { settled, broken } = await project.runStories([NEXT]);
    expect([...broken]).toEqual([]);
    expect(settled.get("story:2.2")).toMatchObject({ outcome: "passed", base: mine });
    expect(project.repo.git("rev-parse", given.BRANCH)).toBe(mine);
    expect(project.troubles).toContain(`${given.KEY}: your commits in ${tree} are now on ${given.BRANCH}`);
  });

  test("keeps others from building on it while its workspace holds what is not committed", async () => {
    const { project, tree } = await finished();
    const { broken } = await project.runStories([NEXT]);
    expect(String(broken.get("story:2.2"))).toContain(`${tree} has uncommitted changes`);
  });
});

test("a story whose run is refused, for what is not committed in its workspace, keeps its branch where it stood", async () => {
  const project = await given.storiesProject({ [given.ID]: [given.implement, ...Array(4).fill(given.babble)] });
  await project.runStories();
  expect(await project.say(given.KEY, "stop")).toMatchObject({ result: "taken" });
  const before = project.repo.git("rev-parse", given.BRANCH);
  const [folder = ""] = readdirSync(`${project.root}.anneal`).filter((name) => name.startsWith("story-"));
  writeFileSync(join(`${project.root}.anneal`, folder, "note.txt"), "mine\n");
  const { broken } = await project.runStories();
  expect(String(broken.get(given.KEY))).toContain("has uncommitted changes");
  expect(project.repo.git("rev-parse", given.BRANCH)).toBe(before);
});
