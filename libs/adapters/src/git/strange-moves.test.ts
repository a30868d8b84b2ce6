import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepo } from "../testing/make-repo.ts";
import { agentIdentity } from "./agent-mark.ts";
import { openRepo } from "./index.ts";

type Who = "a" | "b" | "person";
type Step = { moves: Who } | { settles: "a" | "b" };

const both = [{ settles: "a" }, { settles: "b" }] as const;

test.for<{ what: string; steps: readonly Step[]; stands: "first" | Who; failed: ("a" | "b")[] }>([
  {
    what: "one after the other",
    steps: [{ moves: "a" }, { moves: "b" }, ...both],
    stands: "first",
    failed: ["a", "b"],
  },
  {
    what: "one after the other, and the first one ends last",
    steps: [{ moves: "a" }, { moves: "b" }, { settles: "b" }, { settles: "a" }],
    stands: "first",
    failed: ["b", "a"],
  },
  {
    what: "again and again",
    steps: [{ moves: "a" }, { moves: "b" }, { moves: "a" }, ...both],
    stands: "first",
    failed: ["a", "b"],
  },
  {
    what: "one after it was put back for the other",
    steps: [{ moves: "a" }, { settles: "a" }, { moves: "b" }, { settles: "b" }],
    stands: "first",
    failed: ["a", "b"],
  },
  {
    what: "around a person, whose word it goes back to",
    steps: [{ moves: "a" }, { moves: "person" }, { moves: "b" }, ...both],
    stands: "person",
    failed: ["b"],
  },
  {
    what: "before a person, whose word is the last",
    steps: [{ moves: "a" }, { moves: "b" }, { moves: "person" }, ...both],
    stands: "person",
    failed: [],
  },
  { what: "and only one of them", steps: [{ moves: "b" }, ...both], stands: "first", failed: ["b"] },
])("a branch that two agents move, $what, goes back to a person's commit", async ({ steps, stands, failed }) => {
  using repo = makeRepo({ "a.txt": "a\n" });
  const main = await openRepo(repo.dir);
  const first = repo.git("rev-parse", "HEAD");
  repo.git("branch", "mine");
  const trees = {
    a: await main.addWorktree({ path: join(repo.dir, ".worktrees/a"), branch: "feature/a", startPoint: first }),
    b: await main.addWorktree({ path: join(repo.dir, ".worktrees/b"), branch: "feature/b", startPoint: first }),
  };
  const then = { a: await trees.a.branchesNow(), b: await trees.b.branchesNow() };
  const commits: Record<string, string> = { first };
  const fails: string[] = [];
  for (const [at, step] of steps.entries()) {
    if ("moves" in step) {
      const who = step.moves;
      const commit = repo.git("commit-tree", "-m", `${who} ${at}`, "-p", "main", "main^{tree}");
      commits[who] = commit;
      const env = who === "person" ? PERSON : agentIdentity(trees[who].root);
      const args = ["update-ref", "refs/heads/mine", commit];
      expect(spawnSync("git", args, { cwd: repo.dir, env: { ...process.env, ...env } }).status).toBe(0);
    } else {
      const { putBack } = await trees[step.settles].putBackMoves(
        then[step.settles],
        `refs/anneal/kept/${step.settles}`,
      );
      for (const { ref, kept } of putBack) {
        expect(ref).toBe("refs/heads/mine");
        expect(repo.git("log", "-1", "--format=%s", kept)).toMatch(new RegExp(`^${step.settles} `));
        fails.push(step.settles);
      }
    }
  }
  expect(repo.git("rev-parse", "mine")).toBe(commits[stands]);
  expect(fails).toEqual(failed);
});

const PERSON = { GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.com" };
