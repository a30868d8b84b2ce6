import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as given from "../../../../libs/engine/src/golden/testing/sample-epics.ts";
import { project } from "../testing/project.ts";

test("a merge that conflicts waits for a person, says where and what to do, and that leads to the end", async () => {
  using here = project({}, { settings: { testCommand: "test -d src" } });
  here.commit({ "src/index.js": "export {};\n", ...given.epicFiles({ bucket: {}, route: {} }) }, "the epic");
  for (const id of ["bucket", "route"]) {
    const shared = { path: "src/shared.js", content: `export const by = "${id}";\n` };
    const steps = given.playedBy(id, [{ ...given.build(id), edits: [shared] }, given.pass]);
    here.write({ [`.automaker/scripts/limits/${id}.json`]: JSON.stringify({ name: "scripted", model: "m-1", steps }) });
  }
  const state = () => JSON.parse(readFileSync(join(here.dir, given.STATE), "utf8"));
  const stands = "Epic limits: waits for you (merge conflict), 2 of 2 tickets completed";
  const why =
    "conflict in src/shared.js, in the merge of route: merge ticket/route into epic/limits by hand " +
    "(git switch epic/limits; git merge ticket/route; resolve and commit it; " +
    "if the branch already has its work, git merge -s ours ticket/route), then anneal epic resume limits";

  for (const verb of ["run", "resume"]) {
    const run = await here.anneal("epic", verb, "limits");
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(`${stands}; not in epic/limits yet: route\n✘ epic:limits: ${why}\n`);
    expect(run.stdout).not.toContain("restarts the failed tickets from scratch");
  }
  expect(state().status, "the words of epic-state.json are few").toBe("failed");
  const status = (await here.anneal("epic", "status", "limits")).stdout;
  expect(status).toContain(`${stands}, from`);
  expect(status).toContain(`✘ epic:limits: ${why}\n`);
  const data = JSON.parse((await here.anneal("epic", "status", "limits", "--json")).stdout);
  expect(data).toMatchObject({ status: "failed", conflict: why });
  expect((await here.anneal("show", "epic:limits")).stdout.replace(/\s+/g, " ")).toContain(`(${why})`);

  here.git("switch", "--quiet", "epic/limits");
  here.git("reset", "--quiet", "--hard", "main");
  const lost =
    "bucket is not in epic/limits any more: the branch was reset or deleted after it had been merged; anneal epic resume limits merges what is missing";
  const left = "in-progress, 2 of 2 tickets completed; not in epic/limits yet: bucket, route";
  const short = await here.anneal("epic", "run", "limits");
  expect(short.code).toBe(1);
  expect(short.stdout).toMatch(new RegExp(`Epic limits: ${left}\n✘ epic:limits: ${lost}\n$`));
  expect(state().status).toBe("in-progress");
  const put = here.git("rev-parse", "epic/limits");
  expect((await here.anneal("retry", "epic:limits")).code).toBe(0);
  const rest = await here.anneal("run", "epic:limits");
  expect([rest.code, rest.stdout.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining(lost)]);
  expect(here.git("rev-parse", "epic/limits"), "the rest is not merged before what is lost").toBe(put);
  const again = await here.anneal("epic", "resume", "limits");
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("after it had been merged; the epic merges what is missing\n");
  expect(again.stdout).toContain(`${stands}; not in epic/limits yet: route\n✘ epic:limits: ${why}\n`);
  expect(again.stdout, "merged again by this loop").not.toContain("not part of");

  // Deleted, it is made anew from where the epic began.
  here.git("switch", "--quiet", "--detach", "main");
  here.git("branch", "--quiet", "-D", "epic/limits");
  expect((await here.anneal("epic", "status", "limits")).stdout).toContain(`✘ epic:limits: ${lost}\n`);
  const anew = await here.anneal("epic", "resume", "limits");
  expect(anew.stdout).toContain(`${stands}; not in epic/limits yet: route\n✘ epic:limits: ${why}\n`);
  expect(here.git("log", "--first-parent", "--format=%s", "main..epic/limits")).toBe(
    "Merge ticket/bucket into epic/limits",
  );

  // Where somebody has worked on it, nothing is merged until they say what they mean.
  here.git("switch", "--quiet", "epic/limits");
  here.git("reset", "--quiet", "--hard", "main");
  here.git("merge", "--quiet", "--no-ff", "--no-edit", "ticket/route");
  const asked = (await here.anneal("epic", "resume", "limits")).stdout;
  expect(asked).toContain("bucket may be missing in epic/limits, which has new commits since the merge");
  here.git("reset", "--quiet", "--hard", "ORIG_HEAD");
  expect(() => here.git("merge", "--quiet", "ticket/bucket")).not.toThrow();

  here.git("switch", "--quiet", "epic/limits");
  expect(() => here.git("merge", "--quiet", "ticket/route")).toThrow();
  here.commit({ "src/shared.js": 'export const by = "both";\n' }, "both of them");
  const resumed = await here.anneal("epic", "resume", "limits");
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(resumed.stdout).toContain("Epic limits: completed, 2 of 2 tickets completed\n");
  expect(state().status).toBe("completed");
});
