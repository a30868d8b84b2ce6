import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeRepo, openTestRepo, type TestRepo } from "../testing/make-repo.ts";
import { openRepo } from "./index.ts";

const IDENTITY = ["-c", "user.name=A", "-c", "user.email=a@example.com"];

/** A worktree of a repository with the submodule `sub`. */
async function withSubmodule(use: (args: { repo: TestRepo; inside: TestRepo; since: string }) => Promise<void>) {
  using library = makeRepo({ lib: "1\n" });
  using repo = makeRepo({ a: "a\n" });
  repo.git("submodule", "--quiet", "add", library.dir, "sub");
  const since = repo.commit({}, "sub");
  const main = await openRepo(repo.dir);
  const tree = await main.addWorktree({ path: ".worktrees/x", branch: "x", startPoint: "main" });
  await use({ repo, inside: openTestRepo(tree.root), since });
}

const treeOf = async (repo: TestRepo, since: string) => {
  const main = await openRepo(repo.dir);
  const tree = await main.addWorktree({ path: ".worktrees/x", branch: "x", startPoint: "main" });
  return { tree, taken: tree.worktreeTree({ since }) };
};

const initialised = (inside: TestRepo) => inside.git("submodule", "--quiet", "update", "--init");
const INSIDE = "inside the submodule sub, which a loop cannot commit";

const BEYOND: { what: string; act: (inside: TestRepo) => void; says: string }[] = [
  {
    what: "files in a submodule that is not checked out",
    act: (inside) => inside.write({ "sub/new": "n\n" }),
    says: `the agent changed files ${INSIDE}`,
  },
  {
    what: "an edit in a submodule",
    act: (inside) => {
      initialised(inside);
      inside.write({ "sub/lib": "2\n" });
    },
    says: `the agent changed files ${INSIDE}`,
  },
  {
    what: "a new file in a submodule",
    act: (inside) => {
      initialised(inside);
      inside.write({ "sub/new": "n\n" });
    },
    says: `the agent changed files ${INSIDE}`,
  },
  {
    what: "a commit in a submodule",
    act: (inside) => {
      initialised(inside);
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

describe("work that no commit of the repository can hold", () => {
  test.for(BEYOND)("is refused: $what", ({ act, says }) =>
    withSubmodule(async ({ repo, inside, since }) => {
      act(inside);
      const { tree, taken } = await treeOf(repo, since);
      await expect(taken).rejects.toMatchObject({ kind: "beyond-reach", message: expect.stringContaining(says) });
      await tree.restore({ head: since, tree: null });
      expect(await tree.worktreeTree({ since })).toBe(repo.git("rev-parse", `${since}^{tree}`));
      expect(existsSync(join(inside.dir, "sub/new"))).toBe(false);
    }),
  );

  test("is not there where a submodule was only moved to a commit that others have", () =>
    withSubmodule(async ({ repo, inside, since }) => {
      const library = openTestRepo(repo.git("config", "--file", ".gitmodules", "submodule.sub.url"));
      library.commit({ lib: "2\n" });
      initialised(inside);
      inside.git("submodule", "--quiet", "update", "--remote");
      const { taken } = await treeOf(repo, since);
      expect(repo.git("diff", "--name-only", since, await taken)).toBe("sub");
    }));
});
