import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeRepo } from "../../git/src/testing/make-repo.ts";
import { differing, digest } from "./testing/digest.ts";
import { scene } from "./testing/scene.ts";

/** What an agent may do to git in its folder, without any sandbox. */
const ACTS = {
  "sets its settings":
    "git config user.name evil; git config core.hooksPath /tmp/evil; git config --add remote.origin.url x",
  "uses the stash": "echo 2 > a.txt; git stash --quiet; git stash list | grep . >/dev/null",
  "moves branches":
    "git commit -q --allow-empty -m x; git branch -f main; git branch -D -q other; git update-ref refs/heads/new HEAD",
  "moves tags": "git commit -q --allow-empty -m x; git tag -f v1; git tag v2",
  "writes hooks":
    'mkdir -p .git/hooks; printf "#!/bin/sh\\nexit 1\\n" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
  "collects garbage": "git reflog expire --expire=now --all; git gc --quiet --prune=now",
  "makes work trees": "git worktree add -q -b tree ../tree; rm -rf ../tree; git worktree prune",
  "switches and rewrites": "git switch -q --orphan empty; git rm -rqf --cached . ; git commit -q --allow-empty -m x",
  "replaces and grafts": "git replace --graft HEAD; echo x > .git/shallow",
  "empties everything": "git rm -rq .; rm -rf .git/refs .git/objects",
};

const FIRST = (repo: { git(...args: string[]): string }) => {
  repo.git("branch", "other");
  repo.git("tag", "v1");
};

describe("whatever an agent does with git in its folder, the user's repository is byte for byte as before", () => {
  test.for(Object.entries(ACTS))("$0", async ([, act]) => {
    using at = await scene({ first: FIRST });
    const before = digest(at.repo.dir);
    at.agent(act);
    expect(differing(before, digest(at.repo.dir))).toEqual([]);
  });

  test.for([
    { objects: "loose", gc: false },
    { objects: "packed", gc: true },
  ])("writes into $objects objects", async ({ gc }) => {
    using at = await scene({
      first(repo) {
        FIRST(repo);
        if (gc) repo.git("gc", "--quiet");
      },
    });
    const before = digest(at.repo.dir);
    at.agent("find .git/objects -type f | while read -r file; do chmod u+w $file; echo evil > $file; done");
    expect(differing(before, digest(at.repo.dir))).toEqual([]);
  });

  test("no file there is the user's as well, also of a submodule", async () => {
    using library = makeRepo({ "b.txt": "b\n" });
    using at = await scene({
      first(repo) {
        repo.git("submodule", "--quiet", "add", library.dir, "sub");
        repo.commit({}, "sub");
      },
    });
    at.agent('test -f .git/modules/sub/HEAD; test -z "$(find .git -type f -links +1)"');
  });

  test("all of it, and then only what is published comes: its objects, the branch and the log of that", async () => {
    using at = await scene({ first: FIRST });
    const before = digest(join(at.repo.dir, ".git"));
    const { "empties everything": _, "switches and rewrites": __, ...acts } = ACTS;
    at.agent(Object.values(acts).join("\n"));
    const again = await at.prepare();
    const start = await at.main.resolve("refs/heads/one");
    await again.resetTo(start, { kind: "commit" });
    const move = await at.work({ "b.txt": "b\n" });
    await at.workspaces.publish(again, move);
    expect(at.repo.git("show", "one:b.txt")).toBe("b");
    const paths = differing(before, digest(join(at.repo.dir, ".git")));
    expect(paths.filter((path) => !path.startsWith("objects/"))).toEqual(["logs/refs/heads/one", "refs/heads/one"]);
    expect(existsSync(join(at.repo.dir, ".git/shallow"))).toBe(false);
    at.repo.git("fsck", "--strict", "--no-dangling");
  });
});

/** What the user does meanwhile, and what becomes of the publishing. */
const MEANWHILE: { what: string; act: string[][]; ends?: string }[] = [
  {
    what: "collects garbage",
    act: [
      ["reflog", "expire", "--expire=now", "--all"],
      ["gc", "--quiet", "--prune=now"],
    ],
  },
  { what: "repacks and drops packs", act: [["repack", "-adq"], ["prune-packed"]] },
  { what: "cleans", act: [["clean", "-qfdx"]] },
  { what: "puts work away", act: [["stash", "push", "--quiet", "--include-untracked"]] },
  { what: "switches", act: [["switch", "--quiet", "-c", "else"]] },
  {
    what: "is on the branch",
    act: [
      ["stash", "--quiet", "-u"],
      ["switch", "--quiet", "one"],
    ],
  },
  { what: "commits elsewhere", act: [["commit", "--quiet", "--allow-empty", "-m", "mine"]] },
  {
    what: "rebases another branch",
    act: [
      ["stash", "--quiet", "-u"],
      ["commit", "--quiet", "--amend", "-m", "again"],
      ["rebase", "--quiet", "one"],
    ],
  },
  {
    what: "commits on the branch",
    act: [
      ["stash", "--quiet", "-u"],
      ["switch", "--quiet", "one"],
      ["commit", "--quiet", "--allow-empty", "-m", "mine"],
    ],
    ends: "refs/heads/one moved meanwhile and was not changed",
  },
  {
    what: "has nothing any more of what the workspace was made from, and collects garbage",
    act: [
      ["add", "--all"],
      ["commit", "--quiet", "--amend", "-m", "again"],
      ["branch", "-D", "--quiet", "one"],
      ["reflog", "expire", "--expire=now", "--all"],
      ["gc", "--quiet", "--prune=now"],
    ],
    ends: "refs/heads/one moved meanwhile",
  },
  { what: "removes the branch", act: [["branch", "-D", "--quiet", "one"]], ends: "refs/heads/one moved meanwhile" },
  {
    what: "has changes in the way on the branch",
    act: [["switch", "--quiet", "one"]],
    ends: "has changes that would be overwritten: move away these untracked files: b.txt",
  },
];

describe("the user meanwhile", () => {
  test.for(MEANWHILE)("$what: the workspace stays whole, and publishing works or says why", async ({ act, ends }) => {
    using at = await scene();
    const move = await at.work({ "b.txt": "b\n" });
    at.repo.write({ "b.txt": "mine\n", "c.log": "mine\n" });
    for (const args of act) at.repo.git(...args);
    const before = digest(at.repo.dir);
    at.inside.git("fsck", "--strict", "--no-dangling");
    const published = at.workspaces.publish(at.tree, move);
    if (ends === undefined) {
      await published;
      expect(at.repo.git("rev-parse", "one")).toBe(move.to);
    } else {
      await expect(published).rejects.toThrow(ends);
      expect(
        differing(before, digest(at.repo.dir)).filter((path) => !/^\.git\/(?:objects\/|index$)/.test(path)),
      ).toEqual([]);
    }
    expect(at.inside.git("rev-parse", "HEAD")).toBe(move.to);
  });

  test("removes the folder of all workspaces: it is made again, with what was published", async () => {
    using at = await scene();
    const move = await at.work({ "b.txt": "b\n" });
    await at.workspaces.publish(at.tree, move);
    rmSync(at.workspaces.home, { recursive: true });
    expect(await at.workspaces.names()).toEqual([]);
    expect(await (await at.prepare()).headCommit()).toBe(move.to);
  });
});
