/** Why a verdict does not hold for what the branch has become, and the ways on. */
export function movedSince(branch: string, head: string, tip: string): string {
  const short = (commit: string) => commit.slice(0, 12);
  return `${branch} is not what the review saw: it was at ${short(head)} and is at ${short(tip)}. Keep what is there and put it back (git branch mine ${branch}, then git reset --hard ${short(head)} in its worktree), or stop the loop and start anew`;
}
