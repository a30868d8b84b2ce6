import { openRepo, type Repo } from "@anneal/git";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { workspacesOf } from "../index.ts";

/** A workspace of a test repository, on a new branch that starts at its head. It goes away with the repository. */
export async function workspaceOf(repo: TestRepo, branch = "one"): Promise<Repo> {
  repo.git("branch", branch, "HEAD");
  return workspacesOf(await openRepo(repo.dir)).prepare({ name: branch, branch, isOurs: false });
}
