import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ForgeProject, forgeProject } from "../golden/testing/forge-project.ts";
import { implementWell } from "../golden/testing/login-feature.ts";
import * as login from "../golden/testing/login-review-loop.ts";

/** A feature whose loop waits, its process killed before the workspace was put in order. */
async function cutOff(): Promise<ForgeProject> {
  const project = await forgeProject([implementWell, login.passes, implementWell, login.passes], {
    consent: "missing",
  });
  await project.run([project.id]);
  killed(project);
  return project;
}

const treeOf = ({ root, id }: ForgeProject) => join(`${root}.anneal`, id);

function killed(project: ForgeProject): void {
  rmSync(join(treeOf(project), ".git/anneal-at-rest"));
}

function commits(project: ForgeProject): string {
  const git = (...args: string[]) => project.repo.git("-C", treeOf(project), ...args);
  writeFileSync(join(treeOf(project), "by-hand.js"), "mine\n");
  git("add", "by-hand.js");
  git("commit", "--quiet", "--message", "by hand");
  return git("rev-parse", "HEAD");
}

const branch = ({ id }: ForgeProject) => `feature/${id}`;

test("what a person commits after the word that ends a loop which was cut off is refused, and stays", async () => {
  const project = await cutOff();
  const { repo, id } = project;
  expect(await project.say(id, "stop")).toMatchObject({ result: "taken" });
  const mine = commits(project);
  const { broken } = await project.run([id]);
  expect(String(broken.get(id))).toContain(`has commits that a new loop would drop (${mine.slice(0, 12)})`);
  expect(repo.git("rev-parse", branch(project))).toBe(mine);
});

test("what is committed before such a word is taken for the agent's: no branch gets it, and the workspace's log has it", async () => {
  const project = await cutOff();
  const before = project.repo.git("rev-parse", branch(project));
  const theirs = commits(project);
  expect(await project.say(project.id, "stop")).toMatchObject({ result: "taken" });
  expect(project.repo.git("rev-parse", branch(project))).toBe(before);
  expect(project.repo.git("-C", treeOf(project), "reflog", "--format=%H")).toContain(theirs);
  expect((await project.run([project.id])).settled.get(project.id)).toMatchObject({ reason: "push-consent" });
});

test("what a person changed and did not commit before such a word is taken for the agent's, and what comes after it is theirs", async () => {
  const project = await cutOff();
  const file = join(treeOf(project), "by-hand.js");
  writeFileSync(file, "half of it\n");
  await project.say(project.id, "stop");
  expect(() => readFileSync(file)).toThrow("ENOENT");
  writeFileSync(file, "mine\n");
  const { broken } = await project.run([project.id]);
  expect(String(broken.get(project.id))).toContain("has uncommitted changes");
});

test("a person's changes in the workspace of a loop that was not cut off stay when a word ends it", async () => {
  const project = await forgeProject([implementWell, login.passes], { consent: "missing" });
  await project.run([project.id]);
  const file = join(treeOf(project), "by-hand.js");
  writeFileSync(file, "mine\n");
  await project.say(project.id, "stop");
  expect(readFileSync(file, "utf8")).toBe("mine\n");
});
