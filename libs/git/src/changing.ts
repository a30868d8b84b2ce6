/** Everything that changes a repository. Loaded on first use: a review only reads. */

export { moves } from "./read/diff/moves.ts";
export { touchedRegions } from "./read/diff/regions.ts";
export { listWorktrees } from "./read/refs/worktree-list.ts";
export { differencesSince, snapshot } from "./read/tree/snapshot.ts";
export { fetchBranch, fetchCommit } from "./remote/fetch.ts";
export { push, remoteHead, remoteUrl } from "./remote/push.ts";
export { serialised } from "./run/queue.ts";
export { switchToNew } from "./write/branch/create.ts";
export { moveBranch } from "./write/branch/follow-branch.ts";
export { undoMove } from "./write/branch/undo-move.ts";
export { updateBranch } from "./write/branch/update-branch.ts";
export { exactPattern, exclude } from "./write/checkout/exclude.ts";
export { ensure, isAt, restore } from "./write/checkout/recorded.ts";
export { resetTo } from "./write/checkout/reset.ts";
export { commitAll, status } from "./write/commit/commit.ts";
export { usualAuthor } from "./write/commit/commit-object.ts";
export { hooksFolder } from "./write/commit/hooks.ts";
export { joinCommits } from "./write/commit/join-commits.ts";
export { keepTree } from "./write/commit/kept-trees.ts";
export { carryOutMerge, mergePlan, mergeTrees } from "./write/commit/merge.ts";
export { carryOut, prepareCommit } from "./write/commit/planned-commit.ts";
export { treeAsCommit } from "./write/commit/tree-as-commit.ts";
export { treeWith } from "./write/commit/tree-with.ts";
