/** Why a verdict does not hold for what the branch has become, and the ways on. */
export function movedSince(branch: string, head: string, tip: string): string {
  const short = (commit: string) => commit.slice(0, 12);
  const back = `git reset --hard ${short(head)} where it is checked out, or git branch -f ${branch} ${short(head)}`;
  return `${branch} is at ${short(tip)}, which no review has seen; the review saw ${short(head)}. Keep what is there on another branch and put this one back (git branch mine ${branch}, then ${back}), or stop the loop and start anew`;
}
