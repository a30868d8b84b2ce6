import type { RepoLocation } from "../../run/repo-location.ts";
import { git } from "../../run/run.ts";
import type { CommitRequest } from "./commit-object.ts";
import { carryOut, prepareCommit } from "./planned-commit.ts";

export type CommitOptions = Omit<CommitRequest, "message">;

/** `refused` holds what a hook of the repository said. */
export type CommitResult = { commit: string } | { refused: string } | "nothing";

/** Commits everything in the work tree on the current branch, after the repository's own pre-commit and commit-msg hooks. */
export async function commitAll(
  location: RepoLocation,
  message: string,
  options: CommitOptions = {},
): Promise<CommitResult> {
  const plan = await prepareCommit(location, { message, ...options });
  return plan === "nothing" || "refused" in plan ? plan : await carryOut(location, plan);
}

/** Whether the work tree or the index differs from the last commit; ignored files do not count. */
export async function status({ root }: RepoLocation): Promise<"clean" | "changed"> {
  const args = ["status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"];
  return (await git({ cwd: root, args })) === "" ? "clean" : "changed";
}
