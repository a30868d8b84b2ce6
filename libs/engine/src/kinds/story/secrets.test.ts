import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as given from "../../golden/testing/sample-stories.ts";

const { BRANCH, DOCUMENT, ID, KEY } = given;
// Nobody's key; put together here so that this file does not hold it.
const SECRET = ["ghp", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("_");

test("a secret that a reviewer quotes gets into no commit of the story and into no findings document", async () => {
  const reply = given.findings(1, [0, 1, 0], SECRET);
  const quoting = {
    ...reply,
    answer: reply.answer.replace("waits for a book", `waits with ${SECRET} for a book`),
  };
  const project = await given.storiesProject({
    [ID]: [given.implement, quoting, given.fix, given.findings(2, [0, 0, 0])],
  });
  const { settled } = await project.runStories();
  expect(settled.get(KEY)).toMatchObject({ outcome: "passed" });
  const history = project.repo.git("log", "--patch", "--format=%B", BRANCH);
  expect(history).not.toContain(SECRET.slice(0, 20));
  const message = "fix: address code review round 1 - Important 1 of round 1: [GitHub token left out]";
  expect(history).toContain(message);
  const folder = join(project.root, ".automaker/stories", ID);
  const waiting = readdirSync(folder).filter((name) => name.endsWith(".md"));
  expect(waiting).toHaveLength(2);
  for (const name of waiting) {
    const text = readFileSync(join(folder, name), "utf8");
    expect(text).not.toContain(SECRET);
    expect(text.trim()).toBe(project.repo.git("show", `${BRANCH}:${DOCUMENT(Number(/round-(\d)/.exec(name)?.[1]))}`));
  }
});
