/** Why a verdict does not hold for what the branch has become, and the ways on. */
export function movedSince(branch: string, head: string, tip: string): string {
  return `${branch} is at ${short(tip)}, which no review has seen; the review saw ${short(head)}. Keep what is there on another branch and put this one back (git branch mine ${branch}, then ${restoreAdvice(branch, head)}), or stop the loop and start anew`;
}

/** Why a commit of the loop is not on its branch, and the ways on. */
export function movedMeanwhile(branch: string, from: string, found: string | null): string {
  if (found === null)
    return `the branch ${branch} was removed meanwhile. Put it back (${restoreAdviceForGone(branch, from)}) and retry, or stop the loop`;
  return `${branch} was at ${short(from)} and is at ${short(found)} now, which this loop has not made. Keep what is there on another branch and put this one back (git branch mine ${branch}, then ${restoreAdvice(branch, from)}), then retry; or stop the loop`;
}

/** The same for a branch that is not there any more. */
export function removedSince(branch: string, head: string): string {
  return `the branch ${branch} was removed while it was reviewed. Put it back (${restoreAdviceForGone(branch, head)}) and retry, or stop the loop`;
}

/** The commands that put a branch back which has moved. */
export function restoreAdvice(branch: string, head: string): string {
  return `git reset --hard ${short(head)} where it is checked out, or git branch -f ${branch} ${short(head)}`;
}

/** The same for one that is not there any more. */
export function restoreAdviceForGone(branch: string, head: string): string {
  return `git branch ${branch} ${short(head)}`;
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
