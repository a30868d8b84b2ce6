import { spawnSync } from "node:child_process";
import { openRepo, type Repo } from "@anneal/git";
import { type Files, makeRepo, openTestRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { type Workspaces, workspacesOf } from "../index.ts";

export interface Scene extends Disposable {
  repo: TestRepo;
  main: Repo;
  workspaces: Workspaces;
  /** On the branch `one`. */
  tree: Repo;
  inside: TestRepo;
  /** What an agent runs there, without any sandbox; `$USER_REPO` is the user's repository. */
  agent(script: string): void;
  prepare(): Promise<Repo>;
  /** Writes files there and commits them as the loop does, without publishing. */
  work(files: Files): Promise<{ branch: string; from: string; to: string }>;
}

const FILES = { "a.txt": "one\n", ".gitignore": "*.log\n" };

/** A workspace on a new branch of a repository with one commit, or of one that is given. */
export async function scene({
  repo = makeRepo(FILES),
  first,
}: {
  repo?: TestRepo;
  first?: (repo: TestRepo) => void;
} = {}) {
  first?.(repo);
  repo.git("branch", "one", "HEAD");
  const main = await openRepo(repo.dir);
  const workspaces = workspacesOf(main);
  const prepare = () => workspaces.prepare({ name: "one", branch: "one", isOurs: true });
  const tree = await prepare();
  const inside = openTestRepo(tree.root);
  const found: Scene = {
    ...{ repo, main, workspaces, tree, inside, prepare },
    agent(script) {
      const env = {
        PATH: process.env.PATH,
        HOME: repo.dir,
        USER_REPO: repo.dir,
        GIT_CONFIG_GLOBAL: "/dev/null",
        ...WHO,
      };
      const { status, stderr } = spawnSync("sh", ["-c", script], { cwd: tree.root, encoding: "utf8", env });
      if (status !== 0) throw new Error(stderr);
    },
    async work(files) {
      const from = await tree.resolve("refs/heads/one");
      inside.write(files);
      const done = await tree.commitAll("work");
      if (typeof done === "string" || !("commit" in done)) throw new Error(JSON.stringify(done));
      return { branch: "one", from, to: done.commit };
    },
    [Symbol.dispose]: () => repo.remove(),
  };
  return found;
}

const WHO = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Agent"],
    [`GIT_${who}_EMAIL`, "agent@example.com"],
  ]),
);
