import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workspaceOf } from "../../../../workspace/src/testing/workspace-of.ts";
import { changedSubmodule, isOnlyInSubmodules, openOwn, type Repo } from "../../index.ts";
import { makeRepo, openTestRepo, type TestRepo } from "../../testing/make-repo.ts";

const IDENTITY = ["-c", "user.name=A", "-c", "user.email=a@example.com"];

type Use = (args: { repo: TestRepo; tree: Repo; inside: TestRepo; since: string }) => Promise<void>;

/** A workspace of a repository with the submodule `sub`. */
async function withSubmodule(use: Use, nested?: TestRepo) {
  using library = makeRepo({ lib: "1\n" });
  if (nested !== undefined) {
    library.git("submodule", "--quiet", "add", nested.dir, "nest");
    library.commit({}, "nest");
  }
  using repo = makeRepo({ a: "a\n" });
  repo.git("submodule", "--quiet", "add", library.dir, "sub");
  const since = repo.commit({}, "sub");
  repo.git("submodule", "--quiet", "update", "--init", "--recursive");
  const tree = await workspaceOf(repo);
  await use({ repo, tree, inside: openTestRepo(tree.root), since });
}

/** The same where `sub` has the submodule `nest`. */
async function withNested(use: Use) {
  using nested = makeRepo({ deep: "1\n" });
  await withSubmodule(use, nested);
}

const INSIDE = "inside the submodule sub, which a loop cannot commit";

interface Beyond {
  what: string;
  act: (inside: TestRepo) => void;
  says: string;
  given?: typeof withNested;
}

const BEYOND: Beyond[] = [
  {
    what: "files in a submodule that is not checked out",
    act: (inside) => {
      inside.git("submodule", "--quiet", "deinit", "--force", "sub");
      inside.write({ "sub/new": "n\n" });
    },
    says: `the agent changed files ${INSIDE}`,
  },
  {
    what: "an edit in a submodule",
    act: (inside) => {
      inside.write({ "sub/lib": "2\n" });
    },
    says: `the agent changed files ${INSIDE}`,
  },
  {
    what: "a new file in a submodule",
    act: (inside) => {
      inside.write({ "sub/new": "n\n" });
    },
    says: `the agent changed files ${INSIDE}`,
  },
  {
    what: "files in a nested submodule that is not checked out",
    given: withNested,
    act: (inside) => {
      inside.git("-C", "sub", "submodule", "--quiet", "deinit", "--force", "nest");
      inside.write({ "sub/nest/new": "n\n" });
    },
    says: `the agent changed files ${INSIDE}`,
  },
  {
    what: "an edit and a new file in a nested submodule",
    given: withNested,
    act: (inside) => {
      inside.write({ "sub/nest/deep": "2\n", "sub/nest/new": "n\n" });
    },
    says: `the agent changed files ${INSIDE}`,
  },
  {
    what: "a repository in the place of a nested submodule",
    given: withNested,
    act: (inside) => {
      inside.write({ "sub/nest/.git": null, "sub/nest/new": "n\n" });
      inside.git("init", "--quiet", "sub/nest");
    },
    says: `the agent changed files ${INSIDE}`,
  },
  {
    what: "a commit in a submodule",
    act: (inside) => {
      inside.git("-C", "sub", ...IDENTITY, "commit", "--quiet", "--allow-empty", "-m", "own");
    },
    says: `the agent made commits ${INSIDE}`,
  },
  {
    what: "a repository of its own",
    act: (inside) => {
      inside.git("init", "--quiet", "nested");
      inside.write({ "nested/file": "f\n" });
      inside.git("-C", "nested", "add", "file");
      inside.git("-C", "nested", ...IDENTITY, "commit", "--quiet", "-m", "own");
    },
    says: "the agent made a repository of its own in nested, whose files a loop cannot commit",
  },
];

const isChanged = async (tree: Repo) => (await tree.status()) === "changed" || (await changedSubmodule(tree)) === "sub";

describe("work that no commit of the repository can hold", () => {
  test.for(BEYOND)("is refused: $what", ({ act, says, given = withSubmodule }) =>
    given(async ({ repo, tree, inside, since }) => {
      act(inside);
      await expect(tree.worktreeTree({ since })).rejects.toMatchObject({
        kind: "beyond-reach",
        message: expect.stringContaining(says),
      });
      expect(await isChanged(tree)).toBe(true);
      await tree.restore({ head: since, tree: null });
      expect(await isChanged(tree)).toBe(false);
      expect(await tree.worktreeTree({ since })).toBe(repo.git("rev-parse", `${since}^{tree}`));
      expect(["sub/new", "sub/nest/new"].filter((path) => existsSync(join(inside.dir, path)))).toEqual([]);
    }),
  );

  test("is not there where a submodule was only moved to a commit that others have", () =>
    withSubmodule(async ({ repo, tree, inside, since }) => {
      const library = openTestRepo(repo.git("config", "--file", ".gitmodules", "submodule.sub.url"));
      library.commit({ lib: "2\n" });
      inside.git("submodule", "--quiet", "update", "--remote");
      expect(inside.git("diff", "--name-only", since, await tree.worktreeTree({ since }))).toBe("sub");
    }));
});

test("a reset fetches what a submodule is to be at, and asks nobody for what is there", () =>
  withNested(async ({ repo, inside, since }) => {
    const library = openTestRepo(repo.git("config", "--file", ".gitmodules", "submodule.sub.url"));
    const inner = openTestRepo(library.git("config", "--file", ".gitmodules", "submodule.nest.url"));
    const [before, after] = [inner.git("rev-parse", "HEAD"), inner.commit({ deep: "2\n" })];
    library.git("update-index", "--cacheinfo", `160000,${after},nest`);
    library.git("commit", "--quiet", "-m", "newer nest");
    repo.git("update-index", "--cacheinfo", `160000,${library.git("rev-parse", "HEAD")},sub`);
    repo.git("commit", "--quiet", "-m", "newer sub");
    const newer = repo.git("rev-parse", "HEAD");
    inside.git("fetch", "--quiet", "--no-recurse-submodules", repo.dir, newer);
    const tree = openOwn(inside.dir, "one");
    const nest = () => inside.git("-C", "sub/nest", "rev-parse", "HEAD");

    for (const [above, path] of [
      ["", "sub"],
      ["/sub", "nest"],
    ] as const) {
      await expect(tree.resetTo(newer)).rejects.toMatchObject({
        kind: "unreachable",
        message: expect.stringMatching(
          `${path} must be at .{12}, which could not be fetched (transport 'file' not allowed): get it with git -C ${inside.dir}${above} submodule sync -- ${path} and git -C ${inside.dir}${above} submodule update --init -- ${path}$`,
        ),
      });
      inside.git("-C", `${inside.dir}${above}/${path}`, "config", "protocol.file.allow", "always");
    }
    await tree.resetTo(newer);
    expect([nest(), await isChanged(tree), await isOnlyInSubmodules(tree)]).toEqual([after, false, false]);
    for (const { dir } of [library, inner]) rmSync(dir, { recursive: true });
    await tree.resetTo(since);
    expect(nest()).toBe(before);
    await tree.resetTo(newer);
    expect(nest()).toBe(after);
  }));

const LOST: { what: string; act: (inside: TestRepo) => void; isLost: boolean }[] = [
  { what: "nothing but what it was cloned from", act: () => {}, isLost: false },
  {
    what: "a stash",
    act: (inside) => {
      inside.write({ "sub/lib": "2\n" });
      inside.git("-C", "sub", ...IDENTITY, "stash", "--quiet");
    },
    isLost: true,
  },
  {
    what: "a commit that a reset left behind",
    act: (inside) => {
      inside.git("-C", "sub", ...IDENTITY, "commit", "--quiet", "--allow-empty", "-m", "own");
      inside.git("submodule", "--quiet", "update");
    },
    isLost: true,
  },
  {
    what: "a commit that is linked to and was not pushed",
    act: (inside) => {
      inside.git("-C", "sub", ...IDENTITY, "commit", "--quiet", "--allow-empty", "-m", "own");
      inside.git("add", "sub");
    },
    isLost: true,
  },
  {
    what: "a commit that is linked to and is on no branch of its remote",
    act: (inside) => {
      const library = openTestRepo(inside.git("config", "--file", ".gitmodules", "submodule.sub.url"));
      const commit = library.commit({ lib: "2\n" });
      library.git("reset", "--quiet", "--hard", "HEAD~1");
      library.git("config", "uploadpack.allowAnySHA1InWant", "true");
      inside.git("update-index", "--cacheinfo", `160000,${commit},sub`);
      inside.git("submodule", "--quiet", "update");
    },
    isLost: false,
  },
];

test.for(LOST)("what goes with the submodules of a worktree is known: $what", ({ act, isLost }) =>
  withSubmodule(async ({ tree, inside }) => {
    act(inside);
    expect(await isOnlyInSubmodules(tree)).toBe(isLost);
  }),
);
