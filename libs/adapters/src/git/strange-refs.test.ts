import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeRepo } from "../testing/make-repo.ts";
import { agentIdentity } from "./agent-mark.ts";
import { openRepo } from "./index.ts";

const UNDER = "refs/anneal/kept/a";
const WAYS = ["putBackMoves", "putBackLeft"] as const;
const BOTH = WAYS.map((way) => ({ way }));

/** A repository with things of a person's, and an agent's worktree in it. */
async function begun() {
  const repo = makeRepo({ "a.txt": "a\n" });
  repo.git("checkout", "--quiet", "--detach");
  const only = repo.commit({ "only.txt": "only\n" }, "only in a tag");
  repo.git("tag", "keep");
  repo.git("tag", "-a", "-m", "a release", "release", "main");
  repo.git("tag", "file", "main:a.txt");
  repo.git("checkout", "--quiet", "-b", "mine", "main");
  const mine = repo.commit({ "mine.txt": "mine\n" }, "mine");
  repo.git("checkout", "--quiet", "main");
  repo.git("notes", "add", "-m", "a note", "main");
  const stashed = ["first", "second"].map((name) => {
    repo.write({ "a.txt": `${name}\n` });
    repo.git("stash", "push", "--quiet", "-m", name);
    return repo.git("rev-parse", "stash");
  });
  const main = await openRepo(repo.dir);
  const tree = await main.addWorktree({
    path: join(repo.dir, ".worktrees/a"),
    branch: "feature/a",
    startPoint: "main",
  });
  const refs = () =>
    repo.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags", "refs/notes");
  const run = (script: string, env: Record<string, string>) => {
    const done = spawnSync("sh", ["-ec", script], {
      cwd: tree.root,
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
    expect(done.stderr + done.status).toMatch(/0$/);
  };
  const asAgent = (script: string) => run(script, agentIdentity(tree.root));
  const asNobody = (script: string) => run(script, {});
  const holders = (commit: string) => repo.git("for-each-ref", "--format=%(refname)", "--contains", commit).split("\n");
  return { repo, tree, main, only, mine, stashed, refs, asAgent, asNobody, holders, begin: await tree.branchesNow() };
}

describe("what a person has in tags, notes and names of branches", () => {
  test.for(
    [
      { what: "a tag that an agent removed", script: "git tag -d keep" },
      { what: "a tag with a message that an agent removed", script: "git tag -d release" },
      { what: "a tag of a file that an agent removed", script: "git tag -d file" },
      { what: "a tag that an agent moved", script: "git tag -f keep HEAD" },
      { what: "a tag that an agent made anew", script: "git tag -d release; git tag release HEAD" },
      { what: "notes that an agent removed", script: "git update-ref -d refs/notes/commits" },
      { what: "notes that an agent wrote over", script: "git notes add -f -m other main" },
    ].flatMap((row) => WAYS.map((way) => ({ ...row, way }))),
  )("$what: it is put back and told by $way", async ({ script, way }) => {
    const { repo, tree, begin, refs, asAgent } = await begun();
    using _ = repo;
    const before = refs();
    asAgent(script);
    expect(refs()).not.toBe(before);
    const { restored, putBack, ...rest } = await tree[way](begin, UNDER);
    expect(refs()).toBe(before);
    expect([...restored, ...putBack]).toHaveLength(1);
    expect(rest).toEqual({ renamed: [], leftAlone: [], gone: [], found: [], lost: [], stash: [] });
  });

  test("a tag that is removed again after it was put back stays away, and what only it held is kept", async () => {
    const { repo, tree, only, begin, asAgent, asNobody, holders } = await begun();
    using _ = repo;
    asAgent("git tag -d keep");
    const [restored] = (await tree.putBackMoves(begin, UNDER)).restored;
    expect(restored).toEqual({ ref: "refs/tags/keep", undo: "git tag -d keep" });
    const again = await tree.branchesNow();
    asNobody("git tag -d keep");
    const strange = await tree.putBackMoves(again, UNDER);
    expect(strange.restored).toEqual([]);
    expect(strange.gone).toEqual([{ ref: "refs/tags/keep", before: only, kept: expect.stringContaining(UNDER) }]);
    expect(holders(only)).toEqual([strange.gone[0]?.kept]);
  });

  test.for(
    [
      { what: "once", script: "git branch -m mine x", to: "x" },
      { what: "twice", script: "git branch -m mine x; git branch -m x y", to: "y" },
      { what: "and moved", script: "git branch -m mine x; git branch -f x main", to: "x" },
    ].flatMap((row) => WAYS.map((way) => ({ ...row, way }))),
  )("a branch that an agent renamed $what has its name again by $way", async ({ script, to, way }) => {
    const { repo, tree, begin, refs, asAgent } = await begun();
    using _ = repo;
    repo.git("config", "branch.mine.description", "a person's");
    const before = refs();
    asAgent(script);
    const { renamed } = await tree[way](begin, UNDER);
    expect(renamed).toEqual([{ ref: "refs/heads/mine", to: `refs/heads/${to}` }]);
    expect(refs()).toBe(before);
    expect(repo.git("config", "branch.mine.description")).toBe("a person's");
  });

  test("a branch that is gone is told while the agent works, also where others hold its commits", async () => {
    const { repo, tree, mine, begin, asNobody } = await begun();
    using _ = repo;
    asNobody("git branch -q other mine; git branch -D mine");
    const strange = await tree.putBackMoves(begin, UNDER);
    expect(strange.gone).toEqual([{ ref: "refs/heads/mine", before: mine, kept: null }]);
    expect((await tree.putBackLeft(begin, UNDER)).gone).toEqual([]);
  });
});

describe("what we keep under names of our own", () => {
  test.for(
    [
      { whose: "this process", byUs: true },
      { whose: "an earlier one", byUs: false },
    ].flatMap((row) => WAYS.map((way) => ({ ...row, way }))),
  )("is there again by $way once an agent removed it, if $whose kept it", async ({ byUs, way }) => {
    const { repo, tree, main, asAgent } = await begun();
    using _ = repo;
    const ref = `${UNDER}/found-1`;
    const commit = repo.git("commit-tree", "-m", "only kept", "main^{tree}");
    if (byUs) await main.keepTree(ref, commit);
    else repo.git("update-ref", ref, commit);
    const begin = await tree.branchesNow();
    asAgent(`git update-ref -d ${ref}`);
    const { restored, ...rest } = await tree[way](begin, UNDER);
    expect(restored).toEqual([{ ref, undo: `git update-ref -d ${ref}` }]);
    expect(rest).toEqual({ renamed: [], putBack: [], leftAlone: [], gone: [], found: [], lost: [], stash: [] });
    expect(repo.git("rev-parse", ref)).toBe(commit);
  });

  test("stays away where we let go of it ourselves", async () => {
    const { repo, tree, main } = await begun();
    using _ = repo;
    await main.keepTree(`${UNDER}/found-1`, repo.git("rev-parse", "main"));
    const begin = await tree.branchesNow();
    await main.dropKept(UNDER);
    const { restored, gone } = await tree.putBackMoves(begin, UNDER);
    expect([restored, gone]).toEqual([[], []]);
    expect(repo.git("for-each-ref", UNDER)).toBe("");
  });
});

describe("what a person has in the stash", () => {
  test.for(BOTH)("is kept and told by $way where an entry was popped", async ({ way }) => {
    const { repo, tree, stashed, begin, asAgent } = await begun();
    using _ = repo;
    asAgent("git stash -q; git stash pop -q");
    const { stash } = await tree[way](begin, UNDER);
    const kept = `${UNDER}/stash-${stashed[1]?.slice(0, 12)}`;
    expect(stash).toEqual([{ why: "On main: second", kept }]);
    expect(repo.git("rev-parse", kept)).toBe(stashed[1]);
    repo.git("stash", "store", kept);
    expect(repo.git("stash", "list", "--format=%H").split("\n")).toEqual(stashed.toReversed());
  });

  test.for(BOTH)("is kept and told by $way where all of it was cleared", async ({ way }) => {
    const { repo, tree, stashed, begin, asAgent } = await begun();
    using _ = repo;
    asAgent("git stash clear");
    const { stash } = await tree[way](begin, UNDER);
    expect(stash.map(({ kept }) => repo.git("rev-parse", kept))).toEqual(stashed);
    expect((await tree[way](begin, UNDER)).stash).toEqual([]);
  });

  test("is no news where nobody took anything, and what an agent stashes and pops is its own", async () => {
    const { repo, tree, begin, asAgent } = await begun();
    using _ = repo;
    asAgent("echo more >> a.txt; git stash -q; git stash pop -q");
    expect((await tree.putBackMoves(begin, UNDER)).stash).toEqual([]);
  });
});

describe("after a kill", () => {
  test.for([
    { what: "nobody's git moved", script: "git branch -f mine main" },
    {
      what: "an agent moved without a log",
      agent: "git branch -f mine main",
      script: "git reflog expire --expire=now --all",
    },
  ])("a commit of a branch that $what is kept and told", async ({ agent, script }) => {
    const { repo, main, mine, begin, asAgent, asNobody, holders } = await begun();
    using _ = repo;
    if (agent !== undefined) asAgent(agent);
    asNobody(script);
    const { lost } = await main.putBackLeft(begin, UNDER);
    expect(lost).toEqual([{ ref: "refs/heads/mine", before: mine, kept: `${UNDER}/lost-${mine.slice(0, 12)}` }]);
    expect(holders(mine)).toEqual([lost[0]?.kept]);
    expect((await main.putBackLeft(begin, UNDER)).lost).toEqual([]);
  });

  test("what git has thrown away for good keeps nobody from going on", async () => {
    const { repo, main, begin, asNobody } = await begun();
    using _ = repo;
    asNobody(
      "git branch -q -D mine; git stash clear; git tag -d keep; git reflog expire --expire=now --all; git gc -q --prune=now",
    );
    const { lost, gone, stash, restored } = await main.putBackLeft(begin, UNDER);
    expect({ lost, gone, stash, restored }).toEqual({ lost: [], gone: [], stash: [], restored: [] });
  });
});
