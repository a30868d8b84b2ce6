import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@anneal/adapters";
import { systemClock } from "@anneal/adapters/clock";
import type { LoopEvent } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { TestRepo } from "../../../adapters/src/testing/make-repo.ts";
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

/** A project whose implementer is a shell script that nobody shuts in, with a branch of a person's beside. */
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
  const identity = "-c user.name=A -c user.email=a@example.com";
  const commit = `git ${identity} commit --quiet --all`;
  const unmarked = "env -u GIT_COMMITTER_NAME -u GIT_COMMITTER_EMAIL -u GIT_CONFIG_PARAMETERS";
  const words = [`commit() { ${commit} -m "$@"; }`, `person() { ${unmarked} git ${identity} "$@"; }`];
  writeFileSync(
    program,
    `#!/bin/sh\nset -e\ncat >/dev/null\n${words.join("\n")}\n${script}\necho '{"text":"Done."}'\n`,
  );
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

describe("a branch that is switched in a feature's worktree", () => {
  test.for([
    { by: "an agent to a branch of a person's", script: `git checkout -q mine; ${WORK}` },
    { by: "an agent to one of its own", script: `git switch -q -c topic; ${WORK}; git add auth.js; commit own` },
    {
      by: "an agent to a detached head",
      script: `git checkout -q --detach main; ${WORK}; git add auth.js; commit own`,
    },
    { by: "an agent that renames it", script: `git branch -m other; ${WORK}` },
    { by: "an agent in the middle of a rebase", script: `git rebase -q --exec false mine || true; ${WORK}` },
  ])("by $by changes nothing but the loop's own branch", async ({ script }) => {
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
      expect(repo.git("for-each-ref", "refs/anneal/kept")).toBe("");
    },
  );

  test("by a person while the loop waits is refused with the way back, and then it goes on", async () => {
    const repo = project({ a: { steps: [implement, reject, { role: "fixer", answer: "No." }, fix, approve] } });
    const first = await own(repo, { clock });
    expect(await first.run("a")).toMatchObject({ reason: "stalled" });
    repo.git("-C", tree(repo), "checkout", "--quiet", "-b", "mine");
    const word = { type: "signalled", id: "w", at: 1, signal: "resume", by: "ada" };
    first.store.post({ id: "w", loop: "a~1", body: { kind: "word", word } });
    await first.mailbox.empty();
    await expect(first.run("a")).rejects.toThrow(`(git -C ${tree(repo)} switch feature/a)`);
    repo.git("-C", tree(repo), "switch", "--quiet", "feature/a");
    expect(await first.run("a")).toMatchObject({ outcome: "passed" });
  });
});

test("a branch that a fixer switches to in the worktree of a loop over a branch is left alone", async () => {
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

describe("a branch that is none of the loop's", () => {
  const broke = (events: LoopEvent[]) => events.flatMap((one) => (one.type === "broke" ? [one.reason] : []));

  const ONCE = (script: string) =>
    `test -e ../../.automaker/once || { ${script}; }; touch ../../.automaker/once; ${WORK}`;

  test.for([
    { by: "update-ref", script: "git update-ref refs/heads/mine main" },
    { by: "branch -f", script: "git branch -q -f mine main" },
    { by: "a fetch", script: "git fetch -q ../.. +main:mine" },
    { by: "a push", script: "git push -q -f ../.. main:mine" },
    { by: "a checkout and a commit", script: "git checkout -q mine; git rm -q mine.txt; commit own" },
    { by: "removing and making it", script: "git branch -q -D mine; git branch -q mine main" },
    { by: "one after the other", script: "git branch -q -f mine main; git branch -q -f mine main~0" },
  ])("is put back where an agent moved it by $by, and its work does not count; nothing is lost", async ({ script }) => {
    const repo = scripted(ONCE(script));
    const mine = repo.git("rev-parse", "mine");
    const events: LoopEvent[] = [];
    const runtime = await own(repo, { clock, onEvent: ({ event }) => events.push(event) });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    expect(repo.git("rev-parse", "mine")).toBe(mine);
    const [reason = ""] = broke(events);
    expect(reason).toMatch(/^the agent moved refs\/heads\/mine \(.*\), which was put back$/);
    const kept = /refs\/anneal\/kept\/a\/moved-([0-9a-f]{12})/.exec(reason);
    expect(repo.git("rev-parse", kept?.[0] ?? "")).toMatch(new RegExp(`^${kept?.[1]}`));
  });

  test.for([
    { by: "a push", script: "person push -q ../.. theirs:mine" },
    { by: "a fetch", script: "person fetch -q ../.. theirs:mine" },
    { by: "branch -f", script: "person branch -q -f mine theirs" },
    { by: "a checkout in the loop's own worktree", script: "person checkout -q mine; person merge -q theirs" },
    { by: "a commit in another work tree", script: "person -C ../other merge -q theirs", elsewhere: true },
  ])("stays where a person put it by $by, which is told with the way back", async ({ script, elsewhere }) => {
    const repo = scripted(`${script}; ${WORK}`);
    repo.git("checkout", "--quiet", "-b", "theirs", "mine");
    const theirs = repo.commit({ "theirs.txt": "theirs\n" }, "theirs");
    repo.git("checkout", "--quiet", "main");
    if (elsewhere) repo.git("worktree", "add", "--quiet", ".worktrees/other", "mine");
    const mine = repo.git("rev-parse", "mine");
    const told: string[] = [];
    const events: LoopEvent[] = [];
    const onEvent = ({ event }: { event: LoopEvent }) => void events.push(event);
    const runtime = await own(repo, { clock, onEvent, onTrouble: (_, message) => told.push(message) });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    expect(broke(events)).toEqual([]);
    expect(repo.git("rev-parse", "mine")).toBe(theirs);
    expect(told).toEqual([expect.stringContaining(`from ${mine.slice(0, 12)} to ${theirs.slice(0, 12)}`)]);
    const [undo = ""] = /git (branch|-C).*$/.exec(told[0] ?? "") ?? [];
    repo.git(...undo.split(" ").slice(1));
    expect(repo.git("rev-parse", "mine")).toBe(mine);
  });

  test("goes back to where a person put it before an agent moved it", async () => {
    const repo = scripted(ONCE("person branch -q -f mine theirs; git branch -q -f mine main"));
    const theirs = repo.git("commit-tree", "-m", "theirs", "-p", "mine", "mine^{tree}");
    repo.git("branch", "theirs", theirs);
    expect(await (await own(repo, { clock })).run("a")).toMatchObject({ outcome: "passed" });
    expect(repo.git("rev-parse", "mine")).toBe(theirs);
  });

  test.for([
    { at: "its branch", script: "person commit -q --allow-empty -m theirs" },
    { at: "a detached head", script: "person checkout -q --detach; person commit -q --allow-empty -m theirs" },
    {
      at: "a detached head that is left again",
      script: "person checkout -q --detach; person commit -q --allow-empty -m theirs; git checkout -q feature/a",
    },
    {
      at: "its branch, below one of the agent's",
      script: "person commit -q --allow-empty -m theirs; commit own --allow-empty",
    },
  ])(
    "a commit that a person makes in the worktree of an agent at work, on $at, is kept and told",
    async ({ script }) => {
      const repo = scripted(`${WORK}; ${script}`);
      const told: string[] = [];
      const runtime = await own(repo, { clock, onTrouble: (_, message) => told.push(message) });
      expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
      const [kept = "", ...more] = repo.git("for-each-ref", "--format=%(refname)", "refs/anneal/kept").split("\n");
      expect(more).toEqual([]);
      expect(repo.git("log", "-1", "--format=%s", kept)).toBe("theirs");
      expect(told).toEqual([expect.stringContaining(kept)]);
      expect(subjects(repo, "feature/a")).toEqual([expect.stringContaining("Add a"), "first"]);
    },
  );

  test.for([
    { what: "its own", script: "commit own --allow-empty", kept: [] },
    {
      what: "its own on top of a person's",
      script: "person commit -q --allow-empty -m theirs; commit own --allow-empty",
      kept: ["theirs"],
    },
  ])("what an agent commits that fails is undone without a word: $what", async ({ script, kept }) => {
    const once = "../../.automaker/once";
    const repo = scripted(`test -e ${once} || { ${script}; touch ${once}; false; }; ${WORK}`);
    const told: string[] = [];
    const runtime = await own(repo, { clock, onTrouble: (_, message) => told.push(message) });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    const refs = repo.git("for-each-ref", "--format=%(subject)", "refs/anneal/kept").split("\n").filter(Boolean);
    expect(refs).toEqual(kept);
    expect(told).toHaveLength(kept.length);
  });

  test("is kept and told where it is gone with its commits", async () => {
    const repo = scripted(`git branch -q -D mine; ${WORK}`);
    const mine = repo.git("rev-parse", "mine");
    const told: string[] = [];
    const runtime = await own(repo, { clock, onTrouble: (_, message) => told.push(message) });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    const kept = `refs/anneal/kept/a/gone-${mine.slice(0, 12)}`;
    expect(told).toEqual([expect.stringContaining(`git branch mine ${kept}`)]);
    expect(repo.git("rev-parse", kept)).toBe(mine);
  });
});

describe("what a person has beside branches", () => {
  test("is there after an agent took it, and the person is told", async () => {
    const repo = scripted(`git stash -q; git stash pop -q; git tag -d keep >&2; ${WORK}`);
    repo.git("tag", "keep", "mine");
    repo.git("branch", "-D", "mine");
    const keep = repo.git("rev-parse", "keep");
    repo.write({ "README.md": "hours of work\n" });
    repo.git("stash", "push", "--quiet", "-m", "hours");
    const stashed = repo.git("rev-parse", "stash");
    const told: string[] = [];
    const runtime = await own(repo, { clock, onTrouble: (item, message) => told.push(`${item}: ${message}`) });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    const kept = `refs/anneal/kept/a/stash-${stashed.slice(0, 12)}`;
    expect([repo.git("rev-parse", "keep"), repo.git("rev-parse", kept)]).toEqual([keep, stashed]);
    expect(told).toEqual([
      expect.stringMatching(/^a: the tag keep .*git tag -d keep$/),
      expect.stringMatching(new RegExp(`^a: "On main: hours" .*git stash store ${kept}$`)),
    ]);
  });
});
