/** Why a verdict does not hold for what the branch has become, and the ways on. */
export function movedSince(branch: string, head: string, tip: string): string {
  const short = (commit: string) => commit.slice(0, 12);
  return `${branch} has commits that no review has seen: it was at ${short(head)} and is at ${short(tip)}. Put them on another branch and this one back (git branch mine ${branch}, then git reset --hard ${short(head)} in its worktree), or stop the loop and start anew`;
}
