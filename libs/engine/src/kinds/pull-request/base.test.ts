import { redact } from "@anneal/adapters/forges";
import { openRepo } from "@anneal/git";
import { expect, test } from "vitest";
import { type ForgeProject, forgeProject } from "../../golden/testing/forge-project.ts";
import { implementWell } from "../../golden/testing/login-feature.ts";
import { passes } from "../../golden/testing/login-review-loop.ts";
import { PERSON } from "../../golden/testing/sample-project.ts";
import { allowPush, targetOf } from "./pull-requests.ts";

/** A project whose default branch has a name of its own, and a remote that does not say which it is. */
async function onTrunk(): Promise<ForgeProject> {
  const project = await forgeProject([implementWell, passes], { consent: "missing" });
  const { repo, forge } = project;
  repo.git("branch", "--move", "main", "trunk");
  repo.git("-C", forge.dir, "symbolic-ref", "HEAD", "refs/heads/trunk");
  repo.git("push", "--quiet", "origin", "trunk", ":main");
  return project;
}

test("a pull request goes into the branch that its loop was begun against, whatever branches there are by then", async () => {
  const project = await onTrunk();
  const { id, root, repo, clock, forge } = project;
  expect((await project.run([id])).settled.get(id)).toMatchObject({ reason: "push-consent" });
  repo.git("branch", "topic");
  await allowPush(root, { url: redact(forge.dir), by: PERSON, at: clock.now() });
  await project.say(id, "retry");
  expect((await project.run([id])).settled.get(id)).toMatchObject({ stage: "awaiting-feedback" });
  expect(await forge.get(1)).toMatchObject({ base: "trunk" });
});

test("where nothing says which branch it is, the message names the setting that does", async () => {
  const { repo, root } = await onTrunk();
  repo.git("branch", "topic");
  const place = { remote: "origin", terms: {} };
  await expect(targetOf({ repo: await openRepo(root) }, place)).rejects.toThrow(/"pullRequests": \{"base": "…"\}/);
  const named = targetOf({ repo: await openRepo(root) }, { ...place, terms: { base: "trunk" } }, "topic");
  expect(await named).toBe("trunk");
});
