import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@anneal/adapters/clock";
import { openRepo } from "@anneal/adapters/git";
import { describe, expect, onTestFinished, test } from "vitest";
import type { TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { collectGarbage } from "./gc.ts";
import { currentLoop } from "./loop-history.ts";
import { say } from "./talk.ts";
import { killedAfter, programsWithoutBubblewrap } from "./testing/killed-owner.ts";
import { beside, own } from "./testing/project.ts";

/** What follows is what agents can do where they are not shut in. */
const programs = programsWithoutBubblewrap();

/** A project whose process was killed while its agent, which lives on, had done something to the branch of a person's. */
async function killed(
  script: string,
  more: (repo: TestRepo) => void = () => {},
): Promise<{ repo: TestRepo; mine: string }> {
  let mine = "";
  const before = (repo: TestRepo) => {
    repo.git("checkout", "--quiet", "-b", "mine");
    mine = repo.commit({ "mine.txt": "mine\n" }, "mine");
    repo.git("checkout", "--quiet", "main");
    more(repo);
  };
  return { repo: await killedAfter(script, { programs, before }), mine };
}

const FORCED = "git branch -q -f mine main";
const keptIn = (repo: TestRepo) =>
  repo.git("for-each-ref", "--format=%(refname)", "refs/anneal/kept").split("\n").filter(Boolean);

/** What can come after the kill; each gives what people are told. */
const next = {
  "a run that goes on with the loop": async (repo: TestRepo) => {
    const told: string[] = [];
    const runtime = await own(repo, { onTrouble: (item, message) => told.push(`${item}: ${message}`) });
    await runtime.close();
    return told;
  },
  "a word that ends the loop": async (repo: TestRepo) => {
    const store = beside(repo);
    const row = currentLoop(store, "a");
    if (row === null) throw new Error("a has no loop");
    const told: string[] = [];
    const tell = (item: string, message: string) => void told.push(`${item}: ${message}`);
    const talk = { root: repo.dir, store, row, by: "ada", clock: systemClock, tell };
    expect(await say(talk, { signal: "stop" })).toMatchObject({ result: "taken" });
    return told;
  },
  "a collection of garbage": async (repo: TestRepo) => {
    const told: string[] = [];
    const tell = (item: string, message: string) => void told.push(`${item}: ${message}`);
    await collectGarbage(await openRepo(repo.dir), { clock: systemClock, dryRun: false, tell });
    return told;
  },
  "a person who removes the worktree, and then a run": async (repo: TestRepo) => {
    rmSync(`${repo.dir}.anneal`, { recursive: true });
    repo.git("worktree", "prune");
    return await next["a run that goes on with the loop"](repo);
  },
};

describe("a branch that an agent moved before its process was killed", () => {
  test.for(Object.entries(next))("is put back and told by %s", async ([, then]) => {
    const { repo, mine } = await killed(FORCED);
    const moved = repo.git("rev-parse", "mine");
    expect(moved).not.toBe(mine);
    const told = await then(repo);
    expect(repo.git("rev-parse", "mine")).toBe(mine);
    const kept = `refs/anneal/kept/a/moved-${moved.slice(0, 12)}`;
    expect(keptIn(repo)).toEqual([kept]);
    expect(told).toEqual([expect.stringMatching(new RegExp(`^a: .*refs/heads/mine .*${kept}.*put back`))]);
    expect(await then(repo).catch(() => [])).toEqual([]);
  });

  test("is put back before the loop goes on, and nothing of it stays behind", async () => {
    const { repo, mine } = await killed(FORCED);
    const runtime = await own(repo);
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    expect(repo.git("rev-parse", "mine")).toBe(mine);
    expect(readdirSync(join(repo.dir, ".git/anneal/attempts"))).toEqual([]);
  });

  test("stays where a person has moved it since, and where nobody else did nothing is told", async () => {
    const { repo, mine } = await killed(FORCED);
    repo.git("branch", "--force", "mine", mine);
    repo.commit({ "more.txt": "more\n" }, "a person goes on");
    const main = repo.git("rev-parse", "main");
    const told = await next["a run that goes on with the loop"](repo);
    expect([repo.git("rev-parse", "mine"), repo.git("rev-parse", "main")]).toEqual([mine, main]);
    expect(told).toEqual([]);
  });

  test("is kept and told where it removed it", async () => {
    const { repo, mine } = await killed("git branch -q -D mine");
    const told = await next["a run that goes on with the loop"](repo);
    const kept = `refs/anneal/kept/a/gone-${mine.slice(0, 12)}`;
    expect(keptIn(repo)).toEqual([kept]);
    expect(told).toEqual([expect.stringContaining(`git branch mine ${kept}`)]);
  });
});

describe("what a person had before an agent whose process was killed", () => {
  test("is put back or kept, and told, where it was a tag, a name or in the stash", async () => {
    const { repo, mine } = await killed(
      "git tag -d keep >&2; git branch -m mine x; git stash -q; git stash pop -q",
      (repo) => {
        repo.git("tag", "keep", "mine");
        repo.write({ "README.md": "hours of work\n" });
        repo.git("stash", "push", "--quiet", "-m", "hours");
      },
    );
    const told = await next["a run that goes on with the loop"](repo);
    expect([repo.git("rev-parse", "keep"), repo.git("rev-parse", "mine")]).toEqual([mine, mine]);
    const [kept] = keptIn(repo);
    expect(repo.git("log", "-1", "--format=%s", kept ?? "")).toBe("On main: hours");
    expect(told.toSorted()).toEqual([
      expect.stringContaining(`git stash store ${kept}`),
      expect.stringMatching(/^a: an agent that was cut off had moved refs\/heads\/mine .*refs\/heads\/x/),
      expect.stringMatching(/^a: the tag keep .*git tag -d keep/),
    ]);
  });

  test("is kept and told where nobody can tell whose git moved it", async () => {
    const bare = "env -u GIT_COMMITTER_EMAIL -u GIT_COMMITTER_NAME git -c user.name=A -c user.email=a@b.c";
    const { repo, mine } = await killed(`${bare} branch -q -f mine main`);
    const told = await next["a run that goes on with the loop"](repo);
    const kept = `refs/anneal/kept/a/lost-${mine.slice(0, 12)}`;
    expect(keptIn(repo)).toEqual([kept]);
    expect(told).toEqual([expect.stringContaining(kept)]);
  });
});

const notesOf = (dir: string) => join(dir, ".git/anneal/attempts");

describe("the note of what an agent began with", () => {
  test.for([
    { what: "is empty", spoil: () => "" },
    { what: "is no JSON", spoil: (text: string) => text.slice(0, 40) },
    { what: "is only null", spoil: () => "null" },
    { what: "lacks its logs", spoil: (text: string) => text.replace('"logs"', '"logz"') },
    {
      what: "has a ref that is no id",
      spoil: (text: string) => text.replace(/("refs\/heads\/mine":)"\w+"/, '$1"--all"'),
    },
    { what: "keeps things elsewhere", spoil: (text: string) => text.replace("refs/anneal/kept", "refs/heads") },
  ])("that $what is put aside and told, and the loop goes on", async ({ spoil }) => {
    const { repo } = await killed(FORCED);
    const folder = notesOf(repo.dir);
    const [name = ""] = readdirSync(folder);
    const text = readFileSync(join(folder, name), "utf8");
    expect(spoil(text)).not.toBe(text);
    writeFileSync(join(folder, name), spoil(text));
    const told: string[] = [];
    const runtime = await own(repo, { onTrouble: (_, message) => told.push(message) });
    expect(readdirSync(folder)).toEqual([`damaged-${name}`]);
    expect(told).toEqual([expect.stringContaining(join(folder, `damaged-${name}`))]);
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
  });

  test("is left to its own project by another one in the same repository, and by a copy", async () => {
    const { repo, mine } = await killed(FORCED);
    const folder = mkdtempSync(join(tmpdir(), "anneal-beside-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [beside, copy] = [join(folder, "beside"), join(folder, "copy")];
    repo.git("worktree", "add", "--quiet", "--detach", beside, "main");
    cpSync(repo.dir, copy, { recursive: true });
    for (const dir of [beside, copy]) {
      const told: string[] = [];
      await collectGarbage(await openRepo(dir), {
        clock: systemClock,
        dryRun: false,
        tell: (_, one) => void told.push(one),
      });
      expect(told).toEqual([]);
    }
    expect(readdirSync(notesOf(repo.dir))).toHaveLength(1);
    expect(readdirSync(notesOf(copy))).toHaveLength(1);
    expect(await next["a run that goes on with the loop"](repo)).toHaveLength(1);
    expect(repo.git("rev-parse", "mine")).toBe(mine);
  });

  test("is not touched while its process lives", async () => {
    const { repo } = await killed(FORCED);
    const folder = notesOf(repo.dir);
    const file = join(folder, readdirSync(folder)[0] ?? "");
    const alive = spawn("sleep", ["600"]);
    onTestFinished(() => void alive.kill("SIGKILL"));
    const start = readFileSync(`/proc/${alive.pid}/stat`, "utf8").split(" ")[21];
    const note = JSON.parse(readFileSync(file, "utf8"));
    const [, , space] = note.owner.split("-");
    writeFileSync(file, JSON.stringify({ ...note, owner: `${alive.pid}-${start}-${space}` }));
    const before = readFileSync(file, "utf8");
    expect(await next["a collection of garbage"](repo)).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("of a project that has moved since is dealt with where the project is now", async () => {
    const { repo, mine } = await killed(FORCED);
    const folder = mkdtempSync(join(tmpdir(), "anneal-moved-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const dir = join(folder, "project");
    renameSync(repo.dir, dir);
    const told: string[] = [];
    await collectGarbage(await openRepo(dir), {
      clock: systemClock,
      dryRun: false,
      tell: (_, one) => void told.push(one),
    });
    expect(told).toEqual([expect.stringContaining("put back")]);
    expect(readFileSync(join(dir, ".git/refs/heads/mine"), "utf8").trim()).toBe(mine);
  });
});
