import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRepo } from "@anneal/git";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeRepo, openTestRepo, type TestRepo } from "../../git/src/testing/make-repo.ts";
import { workspacesOf } from "./index.ts";
import { differing, digest } from "./testing/digest.ts";
import { fresh } from "./testing/fresh.ts";
import { scene } from "./testing/scene.ts";
import { workspaceOf } from "./testing/workspace-of.ts";

let outside: string;
beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "anneal-outside-")));
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

const NOT_ONE_LINE = 'a "quoted" \\ back\\slash = and ; # é\nsecond\tline';

/** What a user has set, and what git answers in the workspace. */
const CARRIED: { what: string; set: (repo: TestRepo) => void; ask: string[]; says: string }[] = [
  {
    what: "identity",
    set: (repo) => repo.git("config", "user.email", "me@example.com"),
    ask: ["config", "user.email"],
    says: "me@example.com",
  },
  {
    what: "signing",
    set: (repo) => {
      repo.git("config", "tag.gpgSign", "true");
      repo.git("config", "user.signingKey", "ABC");
    },
    ask: ["config", "--get-regexp", "gpgsign|signingkey"],
    says: "user.signingkey ABC\ntag.gpgsign true",
  },
  {
    what: "values that are not one plain line",
    set: (repo) => repo.git("config", 'x.Y z."q".w', NOT_ONE_LINE),
    ask: ["config", 'x.Y z."q".w'],
    says: NOT_ONE_LINE,
  },
  {
    what: "a key without a value",
    set: (repo) => writeFileSync(join(repo.dir, ".git/config"), `${text(repo.dir, ".git/config")}[x]\n\ty\n`),
    ask: ["config", "--bool", "x.y"],
    says: "true",
  },
  {
    what: "several values of one key, in their order",
    set: (repo) => ["b", "a"].map((value) => repo.git("config", "--add", "x.y", value)),
    ask: ["config", "--get-all", "x.y"],
    says: "b\na",
  },
  {
    what: "an included file, by a path from the settings",
    set: (repo) => {
      writeFileSync(join(repo.dir, ".git/more"), "[x]\n\ty = included\n");
      repo.git("config", "include.path", "more");
    },
    ask: ["config", "x.y"],
    says: "included",
  },
  {
    what: "settings of one work tree",
    set: (repo) => {
      repo.git("config", "extensions.worktreeConfig", "true");
      repo.git("config", "--worktree", "x.y", "here");
    },
    ask: ["config", "x.y"],
    says: "here",
  },
  {
    what: "remotes, so that a person can push from there",
    set: (repo) => repo.git("remote", "add", "origin", "https://example.com/x.git"),
    ask: ["remote", "get-url", "--push", "origin"],
    says: "https://example.com/x.git",
  },
  {
    what: "remote branches",
    set: (repo) => repo.git("update-ref", "refs/remotes/origin/main", "HEAD"),
    ask: ["rev-parse", "--abbrev-ref", "origin/main"],
    says: "origin/main",
  },
  {
    what: "line endings",
    set: (repo) => repo.git("config", "core.autocrlf", "true"),
    ask: ["ls-files", "--eol", "a.txt"],
    says: "i/lf    w/crlf  attr/                 \ta.txt",
  },
  {
    what: "rules of this machine for what is ignored",
    set: (repo) => writeFileSync(join(repo.dir, ".git/info/exclude"), "*.mine\n"),
    ask: ["check-ignore", "x.mine"],
    says: "x.mine",
  },
  {
    what: "attributes of this machine",
    set: (repo) => writeFileSync(join(repo.dir, ".git/info/attributes"), "*.txt -diff\n"),
    ask: ["check-attr", "diff", "a.txt"],
    says: "a.txt: diff: unset",
  },
  {
    what: "no sparse checkout: all files are there",
    set: (repo) => {
      repo.commit({ "docs/b": "b\n", "src/a": "a\n" });
      repo.git("sparse-checkout", "set", "--cone", "src");
    },
    ask: ["ls-files", "-v"],
    says: "H .gitignore\nH a.txt\nH docs/b\nH src/a",
  },
  {
    what: "no monitor of the file system",
    set: (repo) => repo.git("config", "core.fsmonitor", "true"),
    ask: ["config", "--get", "--default=none", "core.fsmonitor"],
    says: "none",
  },
];

const text = (dir: string, path: string) => readFileSync(join(dir, path), "utf8");

describe("a workspace goes by what the user has set", () => {
  test.for(CARRIED)("$what", async ({ set, ask, says }) => {
    using at = await scene({ first: (repo) => void set(repo) });
    expect(at.inside.git(...ask)).toBe(says);
    expect(at.inside.git("status", "--porcelain")).toBe("");
    at.inside.git("fsck", "--strict", "--no-dangling");
    await at.workspaces.publish(at.tree, await at.work({ "new.txt": "n\n" }));
    expect(at.repo.git("show", "one:new.txt")).toBe("n");
  });

  test("also where it was set later", async () => {
    using at = await scene();
    at.repo.git("config", "user.name", "Sam Example");
    at.repo.git("config", "--unset", "user.email");
    await at.prepare();
    expect(at.inside.git("config", "--get-regexp", "^user")).toBe("user.name Sam Example");
  });

  test("LFS: objects go to the user's store and come from there", async () => {
    using at = await scene();
    expect(at.inside.git("config", "lfs.storage")).toBe(join(at.repo.dir, ".git/lfs"));
    at.repo.git("config", "lfs.storage", "../elsewhere");
    await at.prepare();
    expect(at.inside.git("config", "lfs.storage")).toBe(join(at.repo.dir, "elsewhere"));
  });

  test("hooks: those in .git run as they are, with what lies next to them, and those of the work tree from the workspace", async () => {
    using at = await scene({
      first: ({ dir }) => {
        mkdirSync(join(dir, ".git/hooks/lib"), { recursive: true });
        writeFileSync(join(dir, ".git/hooks/lib/say"), "#!/bin/sh\necho own >&2; exit 1\n", { mode: 0o755 });
        symlinkSync("lib/say", join(dir, ".git/hooks/pre-commit"));
        writeFileSync(join(dir, ".git/hooks/x.sample"), "");
        symlinkSync("nowhere", join(dir, ".git/hooks/commit-msg"));
      },
    });
    at.inside.write({ "b.txt": "b\n" });
    expect(await at.tree.commitAll("two")).toEqual({ refused: "own" });
    expect(statSync(join(at.tree.root, ".git/hooks/pre-commit")).isFile()).toBe(true);
    expect(existsSync(join(at.tree.root, ".git/hooks/x.sample"))).toBe(false);
    at.repo.git("config", "core.hooksPath", ".husky");
    await at.prepare();
    at.inside.write({ ".husky/pre-commit": "#!/bin/sh\necho husky; exit 1\n" });
    spawnSync("chmod", ["+x", join(at.tree.root, ".husky/pre-commit")]);
    expect(await at.tree.commitAll("two")).toEqual({ refused: "husky" });
  });
});

/** Repositories that are not the usual one; each gives the work tree that the user works in. */
const KINDS: { what: string; make: (home: string) => string }[] = [
  {
    what: "one whose git folder lies elsewhere",
    make: (home) => {
      const repo = fresh(join(home, "apart"), `--separate-git-dir=${join(home, "store")}`);
      return repo.dir;
    },
  },
  {
    what: "a linked work tree",
    make: (home) => {
      const repo = fresh(join(home, "first"));
      repo.git("worktree", "add", "--quiet", "-b", "linked", join(home, "linked"));
      return join(home, "linked");
    },
  },
  {
    what: "a submodule",
    make: (home) => {
      const [inner, outer] = [fresh(join(home, "inner")), fresh(join(home, "outer"))];
      outer.git("submodule", "--quiet", "add", inner.dir, "sub");
      return join(outer.dir, "sub");
    },
  },
  {
    what: "one with objects of another",
    make: (home) => {
      const first = fresh(join(home, "lender"));
      first.git("clone", "--quiet", "--shared", first.dir, join(home, "borrower"));
      return join(home, "borrower");
    },
  },
  {
    what: "a shallow one",
    make: (home) => {
      const first = fresh(join(home, "deep"));
      first.commit({ "a.txt": "two\n" });
      first.git("clone", "--quiet", "--depth=1", `file://${first.dir}`, join(home, "shallow"));
      return join(home, "shallow");
    },
  },
  {
    what: "a partial one",
    make: (home) => {
      const first = fresh(join(home, "whole"));
      first.git("config", "uploadpack.allowFilter", "true");
      first.git("config", "uploadpack.allowAnySHA1InWant", "true");
      first.commit({ "a.txt": "two\n" });
      first.git("clone", "--quiet", "--filter=blob:none", `file://${first.dir}`, join(home, "partial"));
      return join(home, "partial");
    },
  },
  { what: "one with longer ids", make: (home) => fresh(join(home, "sha256"), "--object-format=sha256").dir },
  { what: "one with a newline and quotes in its path", make: (home) => fresh(join(home, 'a "b"\nc')).dir },
];

const hasReftable =
  spawnSync("git", ["init", "--quiet", "--ref-format=reftable", join(tmpdir(), `anneal-ref-${process.pid}`)]).status ===
  0;
rmSync(join(tmpdir(), `anneal-ref-${process.pid}`), { recursive: true, force: true });
// Git before 2.45 has no other way to store branches.
if (hasReftable)
  KINDS.push({
    what: "one with a table of refs",
    make: (home) => fresh(join(home, "table"), "--ref-format=reftable").dir,
  });

test.for(KINDS)("a workspace is made of, and publishes to: $what", async ({ make }) => {
  const repo = openTestRepo(make(outside));
  for (const [key, value] of [
    ["name", "Robin"],
    ["email", "r@example.com"],
  ] as const)
    repo.git("config", `user.${key}`, value);
  using at = await scene({ repo });
  const move = await at.work({ "a.txt": "three\n" });
  await at.workspaces.publish(at.tree, move);
  expect(repo.git("show", "one:a.txt")).toBe("three");
  expect(await (await at.prepare()).status()).toBe("clean");
  at.inside.git("fsck", "--no-dangling", "--connectivity-only");
  expect(await at.workspaces.names()).toEqual(["one"]);
});

describe("submodules that the user has checked out", () => {
  const withSubmodule = (url: (library: TestRepo, repo: TestRepo) => string) => {
    const [nest, library, repo] = ["nest", "library", "repo"].map((name) => fresh(join(outside, name))) as [
      TestRepo,
      TestRepo,
      TestRepo,
    ];
    library.git("submodule", "--quiet", "add", nest.dir, "deep/nest");
    library.commit({}, "nest");
    repo.git("config", "remote.origin.url", join(outside, "origin"));
    repo.git("submodule", "--quiet", "add", "--name", "a name", url(library, repo), "sub");
    repo.git("submodule", "--quiet", "update", "--init", "--recursive");
    repo.commit({}, "sub");
    return { repo, library, nest };
  };

  test.for([
    { what: "an absolute address", url: (library: TestRepo) => library.dir },
    { what: "a relative one", url: () => "../library" },
  ])("are there, and theirs, without the remote that they came from: $what", async ({ url }) => {
    const { repo, library, nest } = withSubmodule(url);
    for (const gone of [library, nest]) rmSync(gone.dir, { recursive: true });
    const before = digest(repo.dir);
    const tree = await workspaceOf(repo);
    expect(differing(before, digest(repo.dir)).filter((path) => !path.includes("refs/heads/one"))).toEqual([]);
    expect(text(tree.root, "sub/a.txt") + text(tree.root, "sub/deep/nest/a.txt")).toBe("one\none\n");
    const inside = openTestRepo(tree.root);
    expect(inside.git("status", "--porcelain")).toBe("");
    expect(inside.git("-C", "sub", "remote", "get-url", "origin")).toBe(library.dir);
    expect(existsSync(join(tree.gitDir, "modules/a name/objects/info/alternates"))).toBe(false);
    expect(inside.git("config", "--get", "--default=not set", "protocol.file.allow")).toBe("always");
    expect(
      spawnSync("git", ["config", "--file", ".git/config", "protocol.file.allow"], { cwd: tree.root }).status,
    ).toBe(1);
  });

  test("at a commit that nobody has are named, with what to do, and nothing is left half-made", async () => {
    const { repo } = withSubmodule((library) => library.dir);
    const missing = "1".repeat(40);
    repo.git("update-index", "--cacheinfo", `160000,${missing},sub`);
    repo.git("commit", "--quiet", "-m", "ahead");
    const says = `the submodule sub must be at ${missing.slice(0, 12)}, which neither ${repo.dir}/sub nor its remote has: get it with git -C ${repo.dir}/sub fetch, and try again`;
    await expect(workspaceOf(repo)).rejects.toMatchObject({ kind: "unreachable", message: says });
    expect(existsSync(join(`${repo.dir}.anneal`, "one"))).toBe(false);
  });

  test("and no others", async () => {
    const { repo } = withSubmodule((library) => library.dir);
    repo.git("submodule", "--quiet", "deinit", "--force", "sub");
    expect(existsSync(join((await workspaceOf(repo)).root, "sub/a.txt"))).toBe(false);
  });
});

test("a workspace of another project, or a folder that is not a workspace, is left alone", async () => {
  using repo = makeRepo({ "a.txt": "one\n" });
  repo.git("branch", "one");
  const workspaces = workspacesOf(await openRepo(repo.dir));
  mkdirSync(join(workspaces.home, "one"), { recursive: true });
  writeFileSync(join(workspaces.home, "one/mine"), "mine");
  const prepared = workspaces.prepare({ name: "one", branch: "one", isOurs: true });
  await expect(prepared).rejects.toThrow(/is not an Anneal workspace, but .* needs that path for .*: move it away$/);
  expect(text(workspaces.home, "one/mine")).toBe("mine");
});
