import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { killAt } from "../../testing/kill-at.ts";
import { makeRepo, openTestRepo, type TestRepo } from "../../testing/make-repo.ts";

const start = { a: "1\n", "src/b": "b\n", link: { link: "a" }, ".gitignore": "ignored\nbuild/\n" };
const at = (repo: TestRepo, name: string) => join(repo.dir, name);

describe("resetting to a recorded tree", () => {
  test.for<{ what: string; spoil: (repo: TestRepo) => void }>([
    {
      what: "edits, deletions and litter",
      spoil: (repo) => repo.write({ a: "x", "src/b": null, "litter/deep/c": "c" }),
    },
    { what: "staged work", spoil: (repo) => repo.git("rm", "-q", "--cached", "a") },
    { what: "a file where a folder was", spoil: (repo) => repo.write({ src: "file" }) },
    { what: "a folder where a file was", spoil: (repo) => repo.write({ a: null, "a/inside": "x" }) },
    { what: "a folder of ignored files where a file was", spoil: (repo) => repo.write({ a: null, "a/ignored": "x" }) },
    { what: "a link where a file was", spoil: (repo) => repo.write({ a: { link: "/etc/hostname" } }) },
    { what: "a file where a link was", spoil: (repo) => repo.write({ link: "no link" }) },
    { what: "a link that points elsewhere", spoil: (repo) => repo.write({ link: { link: "/etc" } }) },
    { what: "rules that hid litter", spoil: (repo) => repo.write({ ".gitignore": "*\n", litter: "l" }) },
    { what: "an ignored file where a tracked one was", spoil: (repo) => repo.write({ ".gitignore": "a\n", a: "x" }) },
    { what: "a nested repository", spoil: (repo) => repo.git("init", "-q", "nested") },
    {
      what: "a merge with conflicts under way",
      spoil: (repo) => {
        repo.git("checkout", "-q", "-b", "side", "HEAD");
        repo.commit({ a: "side\n" });
        repo.git("checkout", "-q", "main");
        repo.git("commit", "-q", "--allow-empty", "-m", "x");
        repo.commit({ a: "main\n" });
        expect(() => repo.git("merge", "side")).toThrow();
        repo.git("update-ref", "refs/heads/main", "main~2");
      },
    },
  ])("puts right: $what", async ({ spoil }) => {
    using repo = makeRepo(start);
    repo.write({ draft: "d\n", ignored: "i\n", "build/out": "o\n" });
    const opened = await openRepo(repo.dir);
    const tree = await opened.worktreeTree();
    spoil(repo);
    await opened.resetTo(tree);
    expect(await opened.worktreeTree()).toBe(tree);
    expect(repo.git("status", "--porcelain")).toBe("A  draft");
    expect(readlinkSync(at(repo, "link"))).toBe("a");
    expect([at(repo, "ignored"), at(repo, "build/out")].map((path) => readFileSync(path, "utf8"))).toEqual([
      "i\n",
      "o\n",
    ]);
    expect(await opened.prepareCommit({ message: "draft" })).toMatchObject({ tree });
  });

  test("never follows a link out of the tree that stands where a folder was", async () => {
    using repo = makeRepo(start);
    using outside = makeRepo({ b: "theirs\n", other: "o\n" });
    const opened = await openRepo(repo.dir);
    const tree = await opened.worktreeTree();
    rmSync(at(repo, "src"), { recursive: true });
    symlinkSync(outside.dir, at(repo, "src"));
    await opened.resetTo(tree);
    expect(lstatSync(at(repo, "src")).isDirectory()).toBe(true);
    expect(outside.git("status", "--porcelain")).toBe("");
    expect(readFileSync(at(repo, "src/b"), "utf8")).toBe("b\n");
  });

  test("a tree that is not there is an error, and nothing is touched", async () => {
    using repo = makeRepo(start);
    repo.write({ a: "work\n" });
    await expect((await openRepo(repo.dir)).resetTo("1".repeat(40))).rejects.toMatchObject({ kind: "failed" });
    expect(readFileSync(at(repo, "a"), "utf8")).toBe("work\n");
  });
});

describe("resetting with submodules", () => {
  function withSubmodule(): { repo: TestRepo; library: TestRepo } & Disposable {
    const library = makeRepo({ lib: "1\n" });
    const repo = makeRepo(start);
    repo.git("submodule", "--quiet", "add", library.dir, "sub");
    repo.git("commit", "-q", "-m", "sub");
    const remove = () => {
      repo.remove();
      library.remove();
    };
    return { repo, library, [Symbol.dispose]: remove };
  }

  test.for<{ what: string; spoil: (sub: TestRepo) => void }>([
    { what: "edited and littered", spoil: (sub) => sub.write({ lib: "x", litter: "l" }) },
    { what: "moved by a commit", spoil: (sub) => sub.commit({ lib: "2\n" }) },
  ])("puts one back that was $what", async ({ spoil }) => {
    using both = withSubmodule();
    const { repo } = both;
    const opened = await openRepo(repo.dir);
    const tree = await opened.worktreeTree();
    spoil(openTestRepo(at(repo, "sub")));
    await opened.resetTo(tree);
    expect(await opened.worktreeTree()).toBe(tree);
    expect(repo.git("status", "--porcelain", "--ignore-submodules=none")).toBe("");
  });

  test("leaves one alone that is not checked out", async () => {
    using both = withSubmodule();
    const { repo } = both;
    repo.git("submodule", "--quiet", "deinit", "--force", "sub");
    const opened = await openRepo(repo.dir);
    await opened.resetTo(await opened.treeOf("HEAD"));
    expect(await opened.status()).toBe("clean");
  });

  test("refuses one whose pointer was bent to another repository", async () => {
    using both = withSubmodule();
    const { repo, library } = both;
    library.write({ lib: "work in progress\n" });
    rmSync(at(repo, "sub/.git"));
    writeFileSync(at(repo, "sub/.git"), `gitdir: ${join(library.dir, ".git")}\n`);
    const opened = await openRepo(repo.dir);
    await expect(opened.resetTo(await opened.treeOf("HEAD"))).rejects.toThrow("belongs to another repository");
    expect(library.git("status", "--porcelain").trim()).toBe("M lib");
  });
});

describe("resetting, killed and run again", () => {
  test.for(["git.reset.before", "git.reset.between", "git.reset.after"])("at %s", async (point) => {
    using repo = makeRepo(start);
    const opened = await openRepo(repo.dir);
    const tree = await opened.worktreeTree();
    const head = repo.commit({ a: "2\n" });
    mkdirSync(at(repo, "litter"));
    repo.write({ "litter/x": "x", a: "3\n" });
    for (const target of [tree, head]) {
      const killed = killAt(point, repo.dir, `await repo.resetTo(${JSON.stringify(target)});`);
      expect(killed).toMatchObject({ signal: "SIGKILL" });
      await opened.resetTo(target);
      expect(await opened.worktreeTree()).toBe(await opened.treeOf(target));
    }
    expect(repo.git("rev-parse", "main")).toBe(head);
    expect(await opened.status()).toBe("clean");
  });
});
