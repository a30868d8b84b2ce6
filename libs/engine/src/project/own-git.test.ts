import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { approve, own, project, reject } from "./testing/project.ts";

/** Programs without bubblewrap among them: nothing but the private clone keeps agents from the user's repository. */
const programs = mkdtempSync(join(tmpdir(), "anneal-programs-"));
beforeAll(() => {
  for (const name of ["git", "sh", "cat", "chmod", "mkdir", "rm"])
    symlinkSync(join("/usr/bin", name), join(programs, name));
  vi.stubEnv("PATH", programs);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(programs, { recursive: true, force: true });
});

const HOOK = `printf '#!/bin/sh\\ntouch "$EVIDENCE"\\n'`;
const ME = "-c user.name=A -c user.email=a@example.com";

/** All that git offers an agent in its folder to do harm with. */
const ACTS = [
  "git config user.name evil; git config core.hooksPath /tmp; git config filter.evil.clean 'touch ../evil; cat'; git config alias.st '!touch ../evil'",
  "git config core.fsmonitor 'touch ../evil'; git config core.worktree ..; git config --unset core.worktree",
  "echo '* filter=evil' > .git/info/attributes; echo '*' > .git/info/exclude",
  `git ${ME} stash -q -u || true; git stash drop -q || true; git stash clear`,
  "git branch -q -f mine HEAD; git branch -q -D other; git branch -q -m kept taken; git update-ref -d refs/remotes/origin/main",
  "git tag -f v1 HEAD >/dev/null; git tag -d v2 >/dev/null",
  `mkdir -p .git/hooks; for one in pre-commit commit-msg reference-transaction post-checkout; do ${HOOK} > .git/hooks/$one; chmod +x .git/hooks/$one; done`,
  `git ${ME} commit -q --allow-empty -m evil; git branch -q -f main HEAD`,
  "git remote add evil ..; git remote remove origin || true; git worktree add -q --detach ../evil-tree; rm -rf ../evil-tree",
  "git reflog expire --expire=now --all; git gc --quiet --prune=now; git repack -adq; git pack-refs --all",
  "rm -f .git/packed-refs .git/logs/HEAD; rm -rf .git/logs",
];

const SCRIPT = (works: string) =>
  `#!/bin/sh\ncat >/dev/null\n${ACTS.map((act, at) => `{ ${act}; } && echo ${at} >> ../done`).join("\n")}\n${works}\necho '{"text":"Done."}'\n`;

/** A project of somebody who has a bit of everything in their repository, whose agents do all of that. */
function plagued(steps: object[]): TestRepo {
  const repo = project({ a: { steps } });
  repo.git("remote", "add", "origin", `${repo.dir}-nowhere`);
  repo.git("update-ref", "refs/remotes/origin/main", "main");
  for (const name of ["mine", "other", "kept"]) repo.git("branch", name);
  for (const name of ["v1", "v2"]) repo.git("tag", name);
  repo.write({ "README.md": "stashed\n" });
  repo.git("stash", "push", "--quiet", "-m", "hours");
  repo.write({ "README.md": "staged\n", "notes.txt": "not tracked\n", ".git/hooks/pre-push": "#!/bin/sh\n" });
  repo.git("add", "README.md");
  repo.git("config", "alias.mine", "status");
  const player = "scripted:.automaker/{id}.script";
  const agents: Record<string, string> = { reviewer: player };
  const works = { implementer: "echo 'ok = true;' > auth.js", fixer: "echo 'ok = false;' > auth.js" };
  for (const [role, script] of Object.entries(works)) {
    const program = join(repo.dir, `.automaker/${role}.sh`);
    writeFileSync(program, SCRIPT(script));
    chmodSync(program, 0o755);
    agents[role] = `command:${program}`;
  }
  repo.write({ ".automaker/settings.json": JSON.stringify({ version: 1, agents }) });
  return repo;
}

/** Every file of the user's `.git` but objects and what is ours, by its bytes and its mode. */
function gitOf(repo: TestRepo): Record<string, string> {
  const gitDir = join(repo.dir, ".git");
  const names = readdirSync(gitDir, { recursive: true, encoding: "utf8" }).sort();
  const found: Record<string, string> = {};
  for (const name of names) {
    if (/^(?:objects|anneal|refs\/anneal)(?:\/|$)/.test(name)) continue;
    const path = join(gitDir, name);
    const { mode, ino } = statSync(path);
    if (!statSync(path).isFile()) continue;
    found[name] = `${mode.toString(8)} ${ino} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
  }
  return found;
}

describe("an agent that does with git in its folder what it likes, in no sandbox", () => {
  test.for([
    { ends: "passed", steps: [reject, approve] },
    { ends: "in_progress", steps: [reject, reject, reject] },
  ])("leaves the user's .git as it was, but for the published branch: $ends", async ({ steps }) => {
    const repo = plagued(steps);
    // What the log needs is made when a project is opened first.
    await (await own(repo)).close();
    const before = gitOf(repo);
    const runtime = await own(repo, {
      clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) },
    });
    const state = await runtime.run("a");
    await runtime.close();
    if (steps.length === 2) expect(state).toMatchObject({ stage: "ended", outcome: "passed" });
    else expect(state).toMatchObject({ stage: "waiting-for-human" });
    const { "refs/heads/feature/a": branch, "logs/refs/heads/feature/a": log, ...after } = gitOf(repo);
    expect([branch, log]).toEqual([expect.any(String), expect.any(String)]);
    expect(after).toEqual(before);
    expect(existsSync(`${repo.dir}.anneal/evil`)).toBe(false);
    const done = readFileSync(`${repo.dir}.anneal/done`, "utf8").trim().split("\n");
    expect(new Set(done), "it could do all that it wanted").toEqual(new Set(ACTS.keys().map(String)));
    const subjects = repo.git("log", "--format=%an %s", "feature/a");
    expect(subjects).not.toContain("evil");
    expect(repo.git("show", "feature/a:auth.js")).toBe("ok = false;");
    expect(repo.git("fsck", "--full", "--strict")).toBe("");
    expect(repo.git("status", "--porcelain")).toBe("M  README.md\n?? notes.txt");
  });
});
