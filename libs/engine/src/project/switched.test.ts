import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@anneal/adapters";
import { systemClock } from "@anneal/system/clock";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { approve, implement, own, project, reject } from "./testing/project.ts";

const fix = { role: "fixer", answer: "Mended.", edits: [{ path: "auth.js", content: "ok = false;\n" }] };

/** Programs without bubblewrap among them: what follows is what agents can do where they are not shut in. */
const programs = mkdtempSync(join(tmpdir(), "anneal-programs-"));
beforeAll(() => {
  for (const name of ["git", "sh", "cat", "env", "sed", "touch", "false"])
    symlinkSync(join("/usr/bin", name), join(programs, name));
  vi.stubEnv("PATH", programs);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(programs, { recursive: true, force: true });
});

/** A project whose implementer is a shell script that nobody shuts in, and a branch of a person. */
function scripted(script: string, steps: object[] = [approve]): TestRepo {
  const repo = project({ a: { steps } });
  repo.git("checkout", "--quiet", "-b", "mine");
  repo.commit({ "mine.txt": "mine\n" }, "mine");
  repo.git("checkout", "--quiet", "main");
  playedBy(repo, "implementer", script);
  return repo;
}

function playedBy(repo: TestRepo, role: "implementer" | "fixer", script: string): void {
  const program = join(repo.dir, `.automaker/${role}.sh`);
  const commit = `commit() { git -c user.name=A -c user.email=a@example.com commit --quiet --all -m "$@"; }`;
  writeFileSync(program, `#!/bin/sh\nset -e\ncat >/dev/null\n${commit}\n${script}\necho '{"text":"Done."}'\n`);
  chmodSync(program, 0o755);
  const file = join(repo.dir, ".automaker/settings.json");
  const { agents, ...settings } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...settings, agents: { ...agents, [role]: `command:${program}` } }));
}

const tree = (repo: TestRepo) => join(`${repo.dir}.anneal`, "a");
const subjects = (repo: TestRepo, branch: string) => repo.git("log", "--format=%s", branch).split("\n");
/** Waits only as long as it takes to let others go first. */
const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) };
const WORK = "echo ok > auth.js";

describe("a branch that is switched in a feature's workspace", () => {
  test.for([
    { by: "to a branch of a person's", script: `git checkout -q mine; ${WORK}` },
    {
      by: "to a branch of a person's, with a commit",
      script: `git checkout -q mine; commit own --allow-empty; ${WORK}`,
    },
    { by: "to one of its own", script: `git switch -q -c topic; ${WORK}; git add auth.js; commit own` },
    { by: "to a detached head", script: `git checkout -q --detach main; ${WORK}; git add auth.js; commit own` },
    { by: "by renaming it", script: `git branch -m other; ${WORK}` },
    { by: "in the middle of a rebase", script: `git rebase -q --exec false mine || true; ${WORK}` },
    { by: "not at all, with a commit", script: `${WORK}; git add auth.js; commit own` },
    {
      by: "after a failure",
      script: `test -e ../once || { touch ../once; commit own --allow-empty; false; }; ${WORK}`,
    },
  ])("by an agent changes nothing but the loop's own branch: $by", async ({ script }) => {
    const repo = scripted(script);
    const mine = repo.git("rev-parse", "mine");
    expect(await (await own(repo, { clock })).run("a")).toMatchObject({ outcome: "passed" });
    expect(repo.git("rev-parse", "mine")).toBe(mine);
    expect(subjects(repo, "feature/a")).toEqual([expect.stringContaining("Add a"), "first"]);
    expect(repo.git("show", "feature/a:auth.js")).toBe("ok");
    expect(repo.git("-C", tree(repo), "symbolic-ref", "HEAD")).toBe("refs/heads/feature/a");
    expect(repo.git("-C", tree(repo), "status", "--porcelain")).toBe("");
  });

  test.for(["implemented", "committed", "reviewed"])(
    "by a person after `%s` changes nothing but that",
    async (when) => {
      const repo = scripted("echo 'ok = true;' > auth.js", [reject, fix, approve]);
      const mine = repo.git("rev-parse", "mine");
      let switches = 0;
      const runtime = await own(repo, {
        clock,
        onEvent: ({ event }) => {
          if (event.type !== when || switches > 0) return;
          switches += 1;
          repo.git("-C", tree(repo), "checkout", "--quiet", "--force", "mine");
        },
      });
      expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
      expect(switches).toBe(1);
      expect(repo.git("rev-parse", "mine")).toBe(mine);
      expect(repo.git("show", "feature/a:auth.js")).toBe("ok = false;");
      expect(repo.git("ls-tree", "--name-only", "feature/a")).not.toContain("mine.txt");
    },
  );

  test.for([
    { to: "a branch", how: ["-b", "mine"], where: "mine" },
    { to: "a detached head", how: ["--detach"], where: "a detached head" },
  ])(
    "by a person to $to while the loop waits is refused with the way back, and then it goes on",
    async ({ how, where }) => {
      const repo = project({ a: { steps: [implement, reject, { role: "fixer", answer: "No." }, fix, approve] } });
      const first = await own(repo, { clock });
      expect(await first.run("a")).toMatchObject({ reason: "stalled" });
      repo.git("-C", tree(repo), "checkout", "--quiet", ...how);
      repo.git("-C", tree(repo), "commit", "--quiet", "--allow-empty", "-m", "mine");
      const mine = repo.git("-C", tree(repo), "rev-parse", "HEAD");
      const word = { type: "signalled", id: "w", at: 1, signal: "resume", by: "ada" };
      first.store.post({ id: "w", loop: "a~1", body: { kind: "event", event: word } });
      await first.inbox.empty();
      const why = new RegExp(`is on ${where}, not on feature/a: .*git -C ${tree(repo)} switch feature/a$`);
      await expect(first.run("a")).rejects.toThrow(why);
      expect(repo.git("-C", tree(repo), "rev-parse", "HEAD")).toBe(mine);
      repo.git("-C", tree(repo), "switch", "--quiet", "feature/a");
      expect(await first.run("a")).toMatchObject({ outcome: "passed" });
    },
  );
});

test("a branch that a fixer switches to in the workspace of a loop over a branch is left alone", async () => {
  const repo = scripted(WORK);
  repo.git("checkout", "--quiet", "-b", "topic");
  repo.commit({ "test/a.test.js": 'test.only("adds", () => {});\n' }, "topic");
  repo.git("checkout", "--quiet", "main");
  const mine = repo.git("rev-parse", "mine");
  playedBy(
    repo,
    "fixer",
    "git checkout -q mine; git checkout -q topic -- test; sed -i s/test.only/test/ test/a.test.js",
  );
  const runtime = await own(repo, { clock, cast: { reviewer: "builtin" } });
  await runtime.run("branch:topic");
  expect(repo.git("rev-parse", "mine")).toBe(mine);
  expect(repo.git("show", "topic:test/a.test.js")).toContain('test("adds"');
  expect(repo.git("log", "-1", "--format=%s", "topic^")).toBe("topic");
});

test.for(["implemented", "commit-prepared", "committed", "reviewed"])(
  "whatever a person does with git in their own repository after `%s` holds nothing up, and nothing of it is touched",
  async (when) => {
    const repo = scripted("echo 'ok = true;' > auth.js", [reject, fix, approve]);
    let done = false;
    const runtime = await own(repo, {
      clock,
      onEvent: ({ event }) => {
        if (event.type !== when || done) return;
        done = true;
        repo.commit({ "main.txt": "a commit on main\n" }, "on main");
        repo.git("switch", "--quiet", "mine");
        repo.git("rebase", "--quiet", "main");
        repo.write({ "mine.txt": "stashed\n", "litter.txt": "litter\n" });
        repo.git("stash", "push", "--quiet", "-m", "hours");
        repo.git("clean", "-fdxq", "--exclude=.automaker");
        repo.git("reflog", "expire", "--expire=now", "HEAD", "main", "mine");
        repo.git("gc", "--quiet", "--prune=now");
        repo.write({ "mine.txt": "unsaved\n" });
      },
    });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    expect(done).toBe(true);
    expect(repo.git("show", "feature/a:auth.js")).toBe("ok = false;");
    expect(subjects(repo, "mine")).toEqual(["mine", "on main", "first"]);
    expect(repo.git("symbolic-ref", "--short", "HEAD")).toBe("mine");
    expect(repo.git("status", "--porcelain")).toBe(" M mine.txt");
    expect(repo.git("stash", "list")).toContain("hours");
  },
);
