import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { killAt } from "../../git/src/testing/kill-at.ts";
import { makeRepo, openTestRepo, type TestRepo } from "../../git/src/testing/make-repo.ts";
import { workspacesHome, workspacesOf } from "./index.ts";
import { differing, digest } from "./testing/digest.ts";
import { type Scene, scene } from "./testing/scene.ts";

describe("where workspaces lie", () => {
  test.for<{ what: string; make?: string; configured?: string; home: (dir: string) => string }>([
    { what: "beside the repository", home: (dir) => `${dir}.anneal` },
    { what: "where another tool has its own", make: ".worktrees", home: (dir) => join(dir, ".worktrees") },
    { what: "as set, from the repository", configured: "../far/away", home: (dir) => join(dirname(dir), "far/away") },
    { what: "as set, anywhere", configured: "/far/away", home: () => "/far/away" },
    { what: "as set, also beside another tool's", make: ".worktrees", configured: "x", home: (dir) => join(dir, "x") },
  ])("$what", ({ make, configured, home }) => {
    using repo = makeRepo({ "a.txt": "one\n" });
    if (make !== undefined) mkdirSync(join(repo.dir, make));
    expect(workspacesHome(repo.dir, configured)).toBe(home(repo.dir));
  });

  test("inside the repository they are hidden from git, and cleaning leaves them alone", async () => {
    using at = await scene({ first: (repo) => mkdirSync(join(repo.dir, ".worktrees")) });
    expect(at.tree.root).toBe(join(at.repo.dir, ".worktrees/one"));
    at.repo.git("add", "--all");
    expect(at.repo.git("status", "--porcelain")).toBe("");
    at.repo.git("clean", "-qfd");
    expect(existsSync(join(at.tree.root, "a.txt"))).toBe(true);
  });

  test("a folder that cannot be written is named, with the setting", async () => {
    using repo = makeRepo({ "a.txt": "one\n" });
    repo.git("branch", "one");
    const { openRepo } = await import("@anneal/git");
    // A file in the way stops also those whom rights do not stop.
    writeFileSync(`${repo.dir}.anneal`, "");
    const made = workspacesOf(await openRepo(repo.dir)).prepare({ name: "one", branch: "one", isOurs: true });
    await expect(made).rejects.toThrow(
      /^cannot create a workspace in .*\.anneal \(.*\): set "worktree": \{"home": …\} in/,
    );
  });
});

/** A script of a process that dies: it makes the workspace `one`, works there, and publishes that. */
const SCRIPT = `
const { workspacesOf } = await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
const { writeFileSync } = await import("node:fs");
const workspaces = workspacesOf(repo);
const tree = await workspaces.prepare({ name: "one", branch: "one", isOurs: true });
writeFileSync(tree.root + "/b.txt", "b\\n");
const from = await tree.resolve("refs/heads/one");
const { commit } = await tree.commitAll("work", { date: "1700000000 +0000" });
await workspaces.publish(tree, { branch: "one", from, to: commit });
`;

describe("a process that is killed leaves what the next one goes on from", () => {
  test.for([
    { point: "workspace.clone.before", there: false },
    { point: "workspace.clone.between", there: false },
    { point: "workspace.clone.after", there: true },
    { point: "workspace.publish.before", there: true },
    { point: "workspace.publish.between", there: true },
    { point: "workspace.publish.after", there: true },
  ])("at $point", async ({ point, there }) => {
    using repo = makeRepo({ "a.txt": "one\n" });
    repo.git("branch", "one");
    const from = repo.git("rev-parse", "one");
    expect(killAt(point, repo.dir, SCRIPT).signal).toBe("SIGKILL");
    const home = `${repo.dir}.anneal`;
    expect(existsSync(join(home, "one"))).toBe(there);
    using at = await scene({ repo: againOn(repo) });
    const head = await at.tree.resolve("one");
    const to = head === from ? (await at.work({ "b.txt": "b\n" })).to : head;
    for (const _ of [1, 2]) await at.workspaces.publish(at.tree, { branch: "one", from, to });
    expect(repo.git("rev-list", "--count", "one")).toBe("2");
    expect(repo.git("show", "one:b.txt")).toBe("b");
    expect([readdirSync(home), await at.tree.status(), await at.workspaces.unpublished("one")]).toEqual([
      ["one"],
      "clean",
      [],
    ]);
  });
});

/** The scene makes its branch where there is none. */
function againOn(repo: TestRepo): TestRepo {
  const git = (...args: string[]) => (args[0] === "branch" ? "" : repo.git(...args));
  return { ...repo, git };
}

const commitIn = (at: Scene, files: Record<string, string>) => openTestRepo(at.tree.root).commit(files, "a person's");

describe("what a person commits in a workspace", () => {
  test.for<{ what: string; act: (at: Scene) => void; comes: "nothing" | "taken"; file?: string }>([
    { what: "nothing", act: () => {}, comes: "nothing" },
    { what: "a commit", act: (at) => commitIn(at, { "b.txt": "b\n" }), comes: "taken", file: "b.txt" },
    {
      what: "a commit, while the user has the branch checked out",
      act: (at) => {
        at.repo.git("switch", "--quiet", "one");
        commitIn(at, { "b.txt": "b\n" });
      },
      comes: "taken",
      file: "b.txt",
    },
    {
      what: "nothing, but the user's branch went on",
      act: (at) => at.repo.git("push", "-q", ".", `${later(at)}:one`),
      comes: "nothing",
    },
    { what: "a branch that was put back", act: (at) => at.inside.git("reset", "-q", "--hard"), comes: "nothing" },
    {
      what: "something, and the folder is gone",
      act: (at) => rmSync(at.tree.root, { recursive: true }),
      comes: "nothing",
    },
  ])("comes to the user's branch: $what", async ({ act, comes, file }) => {
    using at = await scene();
    act(at);
    for (const due of [comes, "nothing"]) expect(await at.workspaces.takeIn("one", "one")).toBe(due);
    if (file !== undefined) expect(at.repo.git("show", `one:${file}`)).toBe("b");
    expect(at.repo.git("status", "--porcelain")).toBe("");
    if (at.repo.git("branch", "--show-current") === "one") expect(existsSync(join(at.repo.dir, file ?? ""))).toBe(true);
  });

  test("is refused in one sentence where both went on, and neither moves", async () => {
    using at = await scene();
    const [mine, theirs] = [commitIn(at, { "b.txt": "b\n" }), later(at)];
    at.repo.git("branch", "-f", "one", theirs);
    await expect(at.workspaces.takeIn("one", "one")).rejects.toMatchObject({
      kind: "moved",
      message: `one has diverged between ${at.tree.root} and ${at.repo.dir}: in ${at.repo.dir} run git switch one and git pull ${at.tree.root} one to merge both, or git fetch ${at.tree.root} +one:one to keep only the commits of the workspace`,
    });
    expect([at.repo.git("rev-parse", "one"), at.inside.git("rev-parse", "one")]).toEqual([theirs, mine]);
  });

  test("is known as long as it is nowhere else, the stash included", async () => {
    using at = await scene();
    expect(await at.workspaces.unpublished("one")).toEqual([]);
    const mine = commitIn(at, { "b.txt": "b\n" });
    at.inside.write({ "a.txt": "put away\n" });
    at.inside.git("stash", "--quiet");
    const stash = at.inside.git("rev-parse", "refs/stash");
    expect((await at.workspaces.unpublished("one")).toSorted()).toEqual([mine, stash].toSorted());
    await at.workspaces.takeIn("one", "one");
    expect(await at.workspaces.unpublished("one")).toEqual([stash]);
  });

  test.for<{ what: string; act: (at: Scene) => void; isSettled: boolean }>([
    { what: "nothing", act: () => {}, isSettled: true },
    { what: "an edit", act: ({ inside }) => inside.write({ "a.txt": "edited\n" }), isSettled: false },
    { what: "a commit", act: (at) => void commitIn(at, { "b.txt": "b\n" }), isSettled: false },
    {
      what: "a commit on a branch that is not checked out",
      act: (at) => {
        commitIn(at, { "b.txt": "b\n" });
        at.inside.git("branch", "mine");
        at.inside.git("reset", "--hard", "--quiet", "HEAD~1");
      },
      isSettled: false,
    },
    {
      what: "a stash",
      act: ({ inside }) => {
        inside.write({ "a.txt": "put away\n" });
        inside.git("stash", "--quiet");
      },
      isSettled: false,
    },
    {
      what: "a commit that was taken in",
      act: (at) => {
        const mine = commitIn(at, { "b.txt": "b\n" });
        at.repo.git("fetch", "--quiet", at.tree.root, `${mine}:refs/heads/taken`);
      },
      isSettled: true,
    },
  ])("is settled where it holds $what: $isSettled", async ({ act, isSettled }) => {
    using at = await scene();
    act(at);
    expect([...(await at.workspaces.settled(["one", "gone"]))]).toEqual(isSettled ? ["one"] : []);
  });
});

/** A commit of the user's on top of the branch, which no branch has yet. */
function later(at: Scene): string {
  return at.repo.git("commit-tree", "-p", "one", "-m", "the user's", "one^{tree}");
}

describe("preparing a workspace again", () => {
  test("follows the user's branch, and brings all their branches and tags as they are now", async () => {
    using at = await scene({ first: (repo) => repo.git("branch", "gone") });
    at.repo.git("branch", "-D", "gone");
    at.repo.git("branch", "new");
    at.repo.git("tag", "v1");
    at.repo.git("branch", "-f", "one", later(at));
    const tree = await at.workspaces.prepare({ name: "one", branch: "one", isOurs: false });
    expect(await tree.headCommit()).toBe(at.repo.git("rev-parse", "one"));
    const refs = (repo: TestRepo) => repo.git("for-each-ref", "--format=%(refname) %(objectname)");
    expect(refs(at.inside)).toBe(refs(at.repo));
  });

  test("takes no files from a person who has them there", async () => {
    using at = await scene();
    at.inside.write({ "a.txt": "mine\n" });
    at.repo.git("branch", "-f", "one", later(at));
    const again = at.workspaces.prepare({ name: "one", branch: "one", isOurs: false });
    await expect(again).rejects.toMatchObject({ kind: "in-the-way", message: expect.stringContaining(at.tree.root) });
    expect(readFileSync(join(at.tree.root, "a.txt"), "utf8")).toBe("mine\n");
  });

  test("goes on where the project was moved, and its workspaces with it", async () => {
    using at = await scene();
    const to = join(dirname(at.repo.dir), `${basename(at.repo.dir)}-moved`);
    const { renameSync } = await import("node:fs");
    renameSync(at.repo.dir, to);
    renameSync(`${at.repo.dir}.anneal`, `${to}.anneal`);
    using moved = openTestRepo(to);
    const { openRepo } = await import("@anneal/git");
    const tree = await workspacesOf(await openRepo(moved.dir)).prepare({ name: "one", branch: "one", isOurs: true });
    expect([tree.isNew, tree.root]).toEqual([false, join(`${to}.anneal`, "one")]);
  });
});

describe("a copy at a commit", () => {
  test("is clean, on no branch, and used again, however it was left", async () => {
    using at = await scene();
    const head = at.repo.git("rev-parse", "main");
    const copy = await at.workspaces.copyAt("review-1", head);
    writeFileSync(join(copy.root, "a.txt"), "changed\n");
    writeFileSync(join(copy.root, "ignored.log"), "");
    writeFileSync(join(copy.root, ".git/index.lock"), "");
    const next = at.repo.commit({ "a.txt": "two\n" });
    const again = await at.workspaces.copyAt("review-1", next);
    expect([again.isNew, await again.headCommit(), await again.branchName(), await again.status()]).toEqual([
      ...[false, next, null, "clean"],
    ]);
    expect(readdirSync(again.root).toSorted()).toEqual([".git", ".gitignore", "a.txt"]);
    rmSync(join(copy.root, ".git/objects"), { recursive: true });
    expect(await at.workspaces.copyAt("review-1", head)).toMatchObject({ isNew: true });
  });

  test("goes as a whole, and nothing of the user's with it", async () => {
    using at = await scene();
    const before = digest(at.repo.dir);
    const copy = await at.workspaces.copyAt("review-1", at.repo.git("rev-parse", "main"));
    mkdirSync(join(copy.root, "closed"));
    chmodSync(join(copy.root, "closed"), 0o500);
    await at.workspaces.remove("review-1");
    expect([await at.workspaces.names(), differing(before, digest(at.repo.dir))]).toEqual([["one"], []]);
  });
});
