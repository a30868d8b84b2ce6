/** Why a verdict does not hold for what the branch has become, and the ways on. */
export function movedSince(branch: string, head: string, tip: string): string {
  const short = (commit: string) => commit.slice(0, 12);
  const back = `git reset --hard ${short(head)} where it is checked out, or git branch -f ${branch} ${short(head)}`;
  return `${branch} is at ${short(tip)}, which no review has seen; the review saw ${short(head)}. Keep what is there on another branch and put this one back (git branch mine ${branch}, then ${back}), or stop the loop and start anew`;
}

/** The same for a branch that is not there any more. */
export function removedSince(branch: string, head: string): string {
  const back = `git branch ${branch} ${head.slice(0, 12)}`;
  return `the branch ${branch} was removed while it was reviewed. Put it back (${back}) and retry, or stop the loop`;
}
