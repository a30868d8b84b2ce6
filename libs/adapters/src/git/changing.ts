/** Everything that changes a repository. Loaded on first use: a review only reads. */
export { commitAll, status } from "./commit.ts";
export { switchToNew } from "./create.ts";
export { exactPattern, exclude } from "./exclude.ts";
export { moveBranch } from "./follow-branch.ts";
export { joinCommits } from "./join-commits.ts";
export { dropKept, keepTree } from "./kept-trees.ts";
export { carryOutMerge, mergePlan } from "./merge.ts";
export { placeBranch } from "./place-branch.ts";
export { carryOut, prepareCommit } from "./planned-commit.ts";
export { push, remoteHead, remoteUrl } from "./push.ts";
export { serialised } from "./queue.ts";
export { ensure, restore } from "./recorded.ts";
export { renames, touchedRegions } from "./regions.ts";
export { resetTo } from "./reset.ts";
export { differencesSince, snapshot } from "./snapshot.ts";
export { treeWith } from "./tree-with.ts";
export { listWorktrees } from "./worktree-list.ts";
export { addWorktree, pruneWorktrees, removeWorktree } from "./worktrees.ts";
