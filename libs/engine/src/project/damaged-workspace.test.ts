import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@anneal/adapters";
import { openRepo } from "@anneal/git";
import { systemClock } from "@anneal/system/clock";
import { describe, expect, test } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { collectGarbage } from "./gc.ts";
import { killedAfter, programsWithoutBubblewrap } from "./testing/killed-owner.ts";
import { approve, implement, own, project, reject } from "./testing/project.ts";

const programs = programsWithoutBubblewrap();
/** Backs off as often as it should, and never for long. */
const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) };

const folder = (repo: TestRepo, id = "a") => join(`${repo.dir}.anneal`, id);

const asReviewed = (repo: TestRepo) => {
  expect(repo.git("show", "feature/a:auth.js")).toBe("ok");
  expect(repo.git("-C", folder(repo), "status", "--porcelain")).toBe("");
  expect(repo.git("-C", folder(repo), "symbolic-ref", "HEAD")).toBe("refs/heads/feature/a");
};

describe("a workspace that is damaged while nobody works there", () => {
  test.for([
    { what: "its index is empty", damage: (path: string) => writeFileSync(join(path, ".git/index"), "") },
    { what: "its HEAD is empty", damage: (path: string) => writeFileSync(join(path, ".git/HEAD"), "") },
    { what: "it is gone", damage: (path: string) => rmSync(path, { recursive: true }) },
  ])("keeps no loop that was killed from going on: $what", async ({ damage }) => {
    const repo = await killedAfter("echo half > auth.js", { programs });
    damage(folder(repo));
    expect(await (await own(repo)).run("a")).toMatchObject({ outcome: "passed" });
    asReviewed(repo);
  });

  test("is refused in one sentence where git's folder of it is gone, and begins anew once it is removed", async () => {
    const repo = await killedAfter("echo half > auth.js", { programs });
    rmSync(join(folder(repo), ".git"), { recursive: true });
    const runtime = await own(repo);
    await expect(runtime.run("a")).rejects.toThrow(
      /is not an Anneal workspace, but .* needs that path for .*: move it away$/,
    );
    rmSync(folder(repo), { recursive: true });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    asReviewed(repo);
  });

  test.for(["index", "HEAD"])("keeps no other from being collected: its %s is empty", async (file) => {
    const repo = project({ a: { steps: [implement, approve] }, b: { steps: [implement, approve] } });
    const runtime = await own(repo);
    for (const id of ["a", "b"]) expect(await runtime.run(id)).toMatchObject({ outcome: "passed" });
    await runtime.close();
    writeFileSync(join(folder(repo), ".git", file), "");
    const collected = await collectGarbage(await openRepo(repo.dir), { clock: systemClock, dryRun: false });
    expect(collected?.workspaces).toContainEqual({ path: folder(repo, "b"), item: "b" });
    const because = expect.stringMatching(/^git cannot read it/);
    expect(collected?.kept).toEqual([{ path: folder(repo), item: "a", because }]);
  });
});

test("a workspace that is gone while its loop waits is made again, with what was recorded", async () => {
  const fix = { role: "fixer", answer: "Mended.", edits: [{ path: "auth.js", content: "ok\n" }] };
  const repo = project({ a: { steps: [implement, reject, { role: "fixer", answer: "No." }, fix, approve] } });
  const runtime = await own(repo);
  expect(await runtime.run("a")).toMatchObject({ reason: "stalled" });
  rmSync(folder(repo), { recursive: true });
  const word = { type: "signalled", id: "w", at: 1, signal: "resume", by: "ada" };
  runtime.store.post({ id: "w", loop: "a~1", body: { kind: "event", event: word } });
  await runtime.inbox.empty();
  expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
  asReviewed(repo);
});

describe("an agent that damages git's files of its workspace", () => {
  test.for([
    { what: "HEAD", act: "echo junk > .git/HEAD" },
    { what: "HEAD, with a commit that is not there", act: "echo 1212121212121212121212121212121212121212 > .git/HEAD" },
    { what: "the index", act: "echo junk > .git/index" },
    { what: "both, one of them by removing it", act: "rm -f .git/index; echo junk > .git/HEAD" },
  ])("does not keep the next attempt from working: $what", async ({ act }) => {
    const repo = project({ a: { steps: [approve] } });
    const [agent = "", once = ""] = ["agent.sh", "once"].map((name) => join(repo.dir, ".automaker", name));
    const works = `echo ok > auth.js; echo '{"text":"Done."}'`;
    writeFileSync(once, "");
    writeFileSync(
      agent,
      `#!/bin/sh\ncat >/dev/null\nif [ -e ${once} ]; then ${act}; rm ${once}; exit 1; fi\n${works}\n`,
      { mode: 0o755 },
    );
    repo.write({ ".automaker/settings.json": JSON.stringify(withImplementer(agent)) });
    expect(await (await own(repo, { clock })).run("a")).toMatchObject({ outcome: "passed" });
    asReviewed(repo);
  });
});

function withImplementer(agent: string): object {
  const player = "scripted:.automaker/{id}.script";
  return { version: 1, agents: { implementer: `command:${agent}`, reviewer: player, fixer: player } };
}
