/** Why a verdict does not hold for what the branch has become, and the ways on. */
export function movedSince(branch: string, head: string, tip: string): string {
  return `${branch} is at ${short(tip)}, which was not reviewed; the review was of ${short(head)}. Keep the new commits on another branch and reset this one (git branch mine ${branch}, then ${restoreAdvice(branch, head)}), or stop the loop and run it again`;
}

/** Why a commit of the loop is not on its branch, and the ways on. */
export function movedMeanwhile(branch: string, from: string, found: string | null): string {
  if (found === null)
    return `the branch ${branch} was deleted meanwhile. Restore it (${restoreAdviceForGone(branch, from)}) and retry, or stop the loop`;
  return `${branch} was at ${short(from)} and is at ${short(found)} now, which this loop did not create. Keep the new commits on another branch and reset this one (git branch mine ${branch}, then ${restoreAdvice(branch, from)}), then retry; or stop the loop`;
}

/** The same for a branch that is not there any more. */
export function removedSince(branch: string, head: string): string {
  return `the branch ${branch} was deleted during the review. Restore it (${restoreAdviceForGone(branch, head)}) and retry, or stop the loop`;
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
